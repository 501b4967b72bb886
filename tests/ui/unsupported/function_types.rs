//! Functions that are passed to annotated functions.
use differentiable::prelude::*;

#[differentiable]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[differentiable]
fn norm(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum()
}

mod solvers {
    use differentiable::prelude::*;

    #[differentiable]
    pub fn over(f: impl Fn(&[f64]) -> f64, x: &[f64]) -> f64 {
        f(x)
    }
}

use solvers::over;

// A parameter that is a reference and passed on to an imported function says so: `|v: &[f64]|`.
#[differentiable]
fn reference(x: &[f64]) -> f64 {
    over(|v| norm(v), x)
}

fn main() {
    apply::grad(|x| x, 1.0);
}
