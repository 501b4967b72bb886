use differentiable::prelude::*;

#[differentiable]
fn g(x: f64, #[constant] k: f64) -> f64 {
    x * k
}
#[differentiable]
fn f(x: f64) -> f64 {
    g(x, x * 2.0)
}

fn main() {}
