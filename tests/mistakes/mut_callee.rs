use differentiable::prelude::*;
fn step(x: &mut f64) { *x *= 2.0; }
#[differentiable]
fn f(x: f64) -> f64 { let mut y = x; step(&mut y); y }
fn main() {}
