use differentiable::prelude::*;

fn main() {
    let x: Tensor![2, 3] = Tensor::zeros();
    let _y = x.pad_reflect::<1, 3, 0>();
}
