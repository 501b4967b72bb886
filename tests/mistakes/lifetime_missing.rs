use differentiable::prelude::*;

#[differentiable]
fn f(x: &[f64], y: &[f64]) -> &[f64] {
    if x[0] > y[0] { x } else { y }
}

fn main() {}
