use differentiable::prelude::*;

fn main() {
    let x: Tensor![2, 6] = Tensor::zeros();
    let _y = x.split::<1, shape![2, 3]>();
}
