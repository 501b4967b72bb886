use differentiable::prelude::*;
#[derive(Differentiable, Clone)]
struct P { a: f64 }
#[differentiable]
fn f(p: &P) -> f64 { p.a }
fn main() { let p = P { a: 1.0 }; let q: P = f::grad(&p); }
