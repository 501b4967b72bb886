use differentiable::prelude::*;

#[differentiable]
fn total(v: Vec<f64>) -> f64 {
    v[0] + v[1]
}
#[differentiable]
fn f(v: Vec<f64>) -> f64 {
    total(v) + total(v)
}

fn main() {}
