use differentiable::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Both {
    a: f64,
    b: f64,
}

#[differentiable]
fn both(x: f64) -> Both {
    Both { a: x, b: x * x }
}

#[differentiable]
fn maybe(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x * x) } else { None }
}

fn main() {
    let _ = both::jacobian(1.0);
    let _ = maybe::jacobian(1.0);
}
