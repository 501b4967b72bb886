use differentiable::prelude::*;

fn main() {
    let x: Tensor![64, 10] = Tensor::zeros();
    let row: Tensor![9] = Tensor::zeros();
    let _y = x.gt(0.0).select(&x, &row);
}
