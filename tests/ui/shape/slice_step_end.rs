use differentiable::prelude::*;

fn main() {
    let x: Tensor![2, 3] = Tensor::zeros();
    let _y = x.slice_step::<1, 0, 5, 2>();
}
