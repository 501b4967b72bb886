use differentiable::prelude::*;
fn g(x: f64) -> f64 { x }
#[differentiable]
fn f<const N: usize>(x: &[f64; N]) -> f64 { let mut s = 0.0; for k in 0..N { s += g(x[k]); } s }
fn main() {}
