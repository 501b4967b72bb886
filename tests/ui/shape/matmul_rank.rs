use differentiable::prelude::*;

fn main() {
    let x: Tensor![3] = Tensor::zeros();
    let w: Tensor![9, 3, 2] = Tensor::zeros();
    let _y = x.matmul(&w);
}
