use differentiable::prelude::*;

fn main() {
    let x: Tensor![64, 10] = Tensor::zeros();
    let _y = x.sum_axes::<Axes2<1, 0>>();
}
