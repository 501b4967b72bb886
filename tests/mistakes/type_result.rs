use differentiable::prelude::*;

#[differentiable]
fn f(x: f64) -> f32 {
    x.sin()
}

fn main() {}
