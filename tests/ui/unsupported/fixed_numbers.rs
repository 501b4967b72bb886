//! A struct whose numbers are `f64` whatever happens.

use differentiable::prelude::*;

#[derive(Clone, Differentiable)]
struct Spring {
    stiffness: f64,
}

#[differentiable(higher_order)]
fn energy(s: &Spring, x: f64) -> f64 {
    0.5 * s.stiffness * x * x
}

fn main() {}
