use differentiable::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut v = vec![x, x * x];
    v.dedup();
    v[0]
}

fn main() {}
