use differentiable::prelude::*;

#[differentiable]
fn g(x: f64, n: usize) -> f64 {
    x * n as f64
}
#[differentiable]
fn f(x: f64) -> f64 {
    g(x, 1.5)
}

fn main() {}
