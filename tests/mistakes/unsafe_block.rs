use differentiable::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    unsafe { x * x }
}

fn main() {}
