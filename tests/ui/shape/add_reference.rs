use differentiable::prelude::*;

fn main() {
    let x: Tensor![64, 10] = Tensor::zeros();
    let w: Tensor![64] = Tensor::zeros();
    let _y = &x + &w;
}
