use differentiable::prelude::*;
fn f(x: f64) -> f64 { x }
fn main() { let q = f::grad(1.0); }
