use differentiable::prelude::*;

fn main() {
    let x: Tensor![2, 5] = Tensor::zeros();
    let _ = x.unfold::<1, 6, 1>();
}
