use differentiable::prelude::*;

#[differentiable]
fn f(value: f64) -> f64 {
    valeu * 2.0
}

fn main() {}
