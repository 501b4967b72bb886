use differentiable::prelude::*;

#[differentiable(wrt(z))]
fn f(x: f64) -> f64 {
    x * x
}

fn main() {}
