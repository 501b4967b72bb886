//! Operators in a differentiable function whose value has no derivative.

use differentiable::prelude::*;

#[derive(Clone, Differentiable)]
#[differentiable(higher_order)]
struct Spring {
    k: f64,
}

#[differentiable(higher_order)]
fn stored(s: &Spring, x: f64) -> f64 {
    s.k * x * x
}

#[differentiable]
fn rows(s: &Spring, x: f64) -> f64 {
    let (_, by_x) = stored::hessian(s, x);
    by_x.1 * x
}

/// Where they only decide there is nothing to refuse.
#[differentiable(higher_order)]
fn decided(s: &Spring, x: f64) -> f64 {
    if stored::hessian(s, x).1.1 > 0.0 { x * x } else { x }
}

fn main() {}
