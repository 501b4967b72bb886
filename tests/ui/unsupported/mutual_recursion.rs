//! `#[differentiable(boxed)]` on one of the two is missing.
use differentiable::prelude::*;

#[differentiable]
fn even(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { odd(x * 0.5, n - 1) }
}

#[differentiable]
fn odd(x: f64, n: usize) -> f64 {
    if n == 0 { -x } else { even(x * x, n - 1) }
}

fn main() {}
