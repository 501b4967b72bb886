//! A function with a first derivative only, where a second one is needed.

use differentiable::prelude::*;

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable(higher_order)]
fn calls_it(x: f64) -> f64 {
    square(x) + 1.0
}

#[differentiable]
fn its_gradient(x: f64) -> f64 {
    square::grad(x) * x
}

#[differentiable(higher_order)]
fn its_gradient_again(x: f64) -> f64 {
    square::value_and_grad(x).1 * x
}

fn plain(x: f64) -> f64 {
    x
}

#[differentiable(higher_order)]
fn calls_a_plain_one(x: f64) -> f64 {
    plain(x)
}

/// Along a direction too.
#[differentiable]
fn change(x: f64) -> f64 {
    square::jvp((x, 1.0)).1
}

fn main() {}
