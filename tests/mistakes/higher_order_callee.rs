use differentiable::prelude::*;

#[differentiable]
fn g(x: f64) -> f64 {
    x * x
}
#[differentiable(higher_order)]
fn f(x: f64) -> f64 {
    g(x) + 1.0
}

fn main() {}
