use differentiable::prelude::*;

#[differentiable]
fn f(a: &Tensor![2, 3], b: &Tensor![3, 2]) -> Tensor![] {
    (a + b).sum()
}

fn main() {}
