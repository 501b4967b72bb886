use differentiable::prelude::*;

struct Pair<T> { left: T, right: T }
#[differentiable]
fn product(p: &Pair<f64>) -> f64 {
    p.left * p.right
}

fn main() {}
