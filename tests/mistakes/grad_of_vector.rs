use differentiable::prelude::*;

#[differentiable]
fn f(x: f64) -> [f64; 2] {
    [x, x * x]
}
fn use_it() -> f64 {
    f::grad(1.0).0
}

fn main() {}
