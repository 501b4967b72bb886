use differentiable::prelude::*;

#[differentiable]
fn inner(x: f64, #[constant] k: f64) -> f64 {
    x * k
}

#[differentiable(wrt(x))]
fn only(x: f64, k: f64) -> f64 {
    x * k
}

// The derivative by `k` would be lost.
#[differentiable]
fn outer(x: f64, k: f64) -> f64 {
    inner(x, k * k)
}

#[differentiable]
fn another(x: f64, k: f64) -> f64 {
    only(x, k)
}

// These say so.
#[differentiable]
fn stopped(x: f64, k: f64) -> f64 {
    inner(x, stop_gradient(k * k)) + only(x, 2.0)
}

fn main() {}
