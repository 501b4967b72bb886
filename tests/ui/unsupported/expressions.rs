//! Calls, blocks and operators.
use differentiable::prelude::*;

#[differentiable]
fn at_once(x: f64) -> f64 {
    (|y: f64| y * x)(2.0)
}

#[differentiable]
fn unchecked(x: &[f64]) -> f64 {
    unsafe { *x.get_unchecked(0) * 2.0 }
}

#[differentiable]
fn moved_state(x: f64) -> f64 {
    let mut k = x;
    let f = move |y: f64| y * k;
    k *= 2.0;
    f(x) * k
}

#[differentiable]
fn wrong_number(x: f64) -> f64 {
    let f = |y: f64| y * x;
    f(x, x)
}

#[differentiable]
fn waits(x: f64) -> f64 {
    let f = async { x * x };
    x
}

#[differentiable]
fn named_behind_dots(x: (f64, f64, f64)) -> f64 {
    match x {
        (first, .., last) => first * last,
    }
}

#[differentiable]
fn logged(x: f64) -> f64 {
    dbg!(x * x) * x
}

fn main() {}
