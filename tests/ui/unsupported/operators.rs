//! Operators in a differentiable function whose value has no derivative.

use differentiable::prelude::*;

#[differentiable(higher_order)]
fn cubic(x: f64) -> f64 {
    x * x * x
}

#[differentiable(higher_order)]
fn pair(x: f64) -> [f64; 2] {
    [x * x, x]
}

#[differentiable]
fn product(x: f64, v: f64) -> f64 {
    cubic::grad_and_hvp((x, v)).1 * x
}

#[differentiable]
fn slopes(x: f64) -> f64 {
    let j = pair::jacobian_fwd(x);
    j[0] + j[1]
}

/// Where they only decide there is nothing to refuse.
#[differentiable(higher_order)]
fn decided(x: f64) -> f64 {
    if cubic::hessian(x) > 0.0 { x * x } else { x }
}

fn main() {}
