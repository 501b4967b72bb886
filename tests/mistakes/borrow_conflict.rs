use differentiable::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut v = vec![x, x * x];
    let first = &v[0];
    v.push(1.0);
    *first
}

fn main() {}
