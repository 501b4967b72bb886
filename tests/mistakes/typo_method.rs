use differentiable::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    x.sinn()
}

fn main() {}
