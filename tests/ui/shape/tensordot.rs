use differentiable::prelude::*;

fn main() {
    let x: Tensor![4, 2, 3] = Tensor::zeros();
    let w: Tensor![3, 2, 5] = Tensor::zeros();
    let _ = x.tensordot::<2, _>(&w);
    let _ = x.tensordot::<4, _>(&w);
}
