use differentiable::prelude::*;

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}
#[differentiable]
fn f(x: f64) -> f64 {
    sqare(x)
}

fn main() {}
