use differentiable::prelude::*;

#[differentiable(higher_ordr)]
fn f(x: f64) -> f64 {
    x * x
}

fn main() {}
