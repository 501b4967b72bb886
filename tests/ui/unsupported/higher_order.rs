//! What a function with `higher_order` cannot have.

use differentiable::prelude::*;

#[differentiable(higher_order)]
fn mixed(x: f64, y: f32) -> f64 {
    x * y as f64
}

#[differentiable(higher_order)]
fn no_scalar(n: usize) -> usize {
    n
}

#[differentiable(higher_order)]
fn lifetimes<'a>(x: &'a [f64]) -> f64 {
    x[0]
}

#[derive(Clone, Differentiable)]
struct Spring {
    stiffness: f64,
}

impl Spring {
    #[differentiable(higher_order)]
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * x * x
    }
}

#[differentiable(higher_order)]
fn two<T: differentiable::ad::Scalar, U: differentiable::ad::Scalar>(x: T, y: U) -> T {
    x
}

#[differentiable(higher_order)]
fn a_pattern(p: (f64, usize)) -> f64 {
    match p {
        (0.0, _) => p.0,
        _ => p.0 * p.0,
    }
}

#[differentiable(higher_order)]
fn polar(r: f64, angle: f64) -> [f64; 2] {
    [r * angle.cos(), r * angle.sin()]
}

fn main() {
    let _ = polar::hvp((1.0, 0.0), (0.5, 1.0));
}
