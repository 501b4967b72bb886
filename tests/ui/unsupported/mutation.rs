use differentiable::prelude::*;

#[differentiable]
fn parameter(x: &mut [f64]) -> f64 {
    x[0] = 1.0;
    x[0]
}

#[differentiable]
fn borrow(x: f64) -> f64 {
    let mut y = [x, x];
    let z = &mut y[0];
    *z = 2.0;
    y[1]
}

#[differentiable]
fn push(x: f64) -> f64 {
    let mut v = vec![x];
    v.clear();
    v.push(x * x);
    v[0]
}

#[differentiable]
fn remainder(x: f64, y: f64) -> f64 {
    x % y
}

#[differentiable]
fn late(x: f64) -> f64 {
    let y;
    y = x * x;
    y
}

#[differentiable]
fn replaced(x: f64) -> f64 {
    let mut v = vec![x];
    v.push(x * x);
    v = vec![x];
    v[0]
}

#[differentiable]
fn in_a_condition(x: f64) -> f64 {
    let mut v = vec![x, x * x];
    if v.pop().is_some() {
        return v[0];
    }
    x
}

fn main() {}
