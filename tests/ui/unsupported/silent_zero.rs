use differentiable::prelude::*;

#[differentiable]
fn through_an_integer(x: f64) -> f64 {
    (x * 10.0) as i64 as f64 * x
}

#[differentiable]
fn by_name(x: f64) -> f64 {
    let k = (x * 10.0) as i64;
    x + k as f64
}

#[differentiable]
fn into_a_constant(x: f64, #[constant] buffer: [f64; 2]) -> f64 {
    let mut n = 0usize;
    n += x;
    x
}

#[differentiable]
fn from_the_start(x: f64) -> f64 {
    (x as i64) as f64
}

#[differentiable]
fn through_a_name(x: f64) -> f64 {
    let n = (x * 1000.0) as i64;
    let y = n.max(3) as f64 / 1000.0;
    y * y
}

fn main() {}
