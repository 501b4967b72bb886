use differentiable::prelude::*;

#[differentiable]
fn f(x: &[f64], k: usize) -> f64 {
    x[0] * k
}

fn main() {}
