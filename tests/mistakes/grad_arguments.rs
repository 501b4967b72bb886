use differentiable::prelude::*;

#[differentiable]
fn f(x: f64, y: f64) -> f64 {
    x * y
}
fn use_it() -> f64 {
    f::grad(1.0).0
}

fn main() {}
