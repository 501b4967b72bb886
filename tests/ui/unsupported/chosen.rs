//! Functions in tables from elsewhere and in fields, and constants made of active values.
use differentiable::ad::Scalar;
use differentiable::prelude::*;

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

const TABLE: [fn(f64) -> f64; 1] = [square];

#[differentiable]
fn from_elsewhere(x: f64) -> f64 {
    TABLE[0](x)
}

struct Layer {
    activation: fn(f64) -> f64,
}

#[differentiable]
fn in_a_field(x: f64) -> f64 {
    let layer = Layer { activation: square };
    (layer.activation)(x)
}

#[differentiable]
fn given_as_a_whole(x: f64) -> f64 {
    let table = [square, square];
    let all = (table, x);
    all.1
}

#[differentiable]
fn constant<T: Scalar>(b: f64, x: T) -> T {
    T::lit(b) * x
}

fn main() {}
