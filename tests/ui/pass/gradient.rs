//! A gradient, named by a path, under `deny(warnings)`.
#![deny(warnings)]
#![deny(missing_docs)]

use differentiable::prelude::*;

/// A parabola.
#[differentiable]
pub fn parabola(x: f64, #[constant] _k: f64, n: usize) -> f64 {
    x * x * n as f64
}

/// Parameters.
#[derive(Clone, Debug, Differentiable)]
pub struct Line {
    /// Slope.
    pub slope: f64,
    /// Count.
    pub count: usize,
}

#[differentiable]
impl Line {
    /// The value at `x`.
    pub fn at(&self, x: f64) -> f64 {
        self.slope * x
    }
}

fn main() {
    assert_eq!(parabola::grad(3.0, 0.0, 1), 6.0);
    let line = Line { slope: 2.0, count: 1 };
    assert_eq!(line.at_grad(3.0).1, 2.0);
}
