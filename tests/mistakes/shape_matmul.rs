use differentiable::prelude::*;

#[differentiable]
fn f(a: &Tensor![2, 3], b: &Tensor![4, 5]) -> Tensor![2, 5] {
    a.matmul(b)
}

fn main() {}
