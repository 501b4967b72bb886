use differentiable::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    (x * 2.0) as i64 as f64
}

fn main() {}
