use differentiable::prelude::*;

fn main() {
    let x: Tensor![64, 10] = Tensor::zeros();
    let row: Tensor![9] = Tensor::zeros();
    let _mask = x.gt(&row);
}
