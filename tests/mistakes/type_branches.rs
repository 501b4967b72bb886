use differentiable::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    if x > 0.0 { x * x } else { "none" }
}

fn main() {}
