use differentiable::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    std::convert::identity(x) * 2.0
}

fn main() {}
