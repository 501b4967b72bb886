use differentiable::prelude::*;

fn main() {
    let x: Tensor![3] = Tensor::zeros();
    let _y = x.tril(0);
}
