use differentiable::prelude::*;

fn main() {
    let x: Tensor![3] = Tensor::zeros();
    let y: Tensor![4] = Tensor::zeros();
    let _y = x.dot(&y);
}
