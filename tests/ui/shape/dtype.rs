use differentiable::prelude::*;

fn main() {
    let x: Tensor![64, 10] = Tensor::zeros();
    let w: Tensor![f64; 64, 10] = Tensor::zeros();
    let _y = x + w;
}
