use differentiable::prelude::*;

#[differentiable]
fn f(x: f64, y: f64) -> f64 {
    x * y
}
fn use_it() -> f64 {
    f::jvp(1.0, 2.0).0
}

fn main() {}
