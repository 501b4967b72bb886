use differentiable::prelude::*;

#[differentiable]
fn f(a: &Tensor![2, 3]) -> Tensor![3, 2] {
    a.tanh()
}

fn main() {}
