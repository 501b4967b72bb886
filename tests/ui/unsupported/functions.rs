//! Functions that are passed to annotated functions.
use differentiable::prelude::*;

#[differentiable]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[differentiable]
fn changes(x: f64) -> f64 {
    let mut calls = x;
    let y = apply(
        |v| {
            calls += v;
            v
        },
        x,
    );
    y + calls
}

struct P;
impl P {
    fn f(x: f64) -> f64 {
        x
    }
}

#[differentiable]
fn associated(x: f64) -> f64 {
    apply(P::f, x)
}

#[differentiable]
fn arity(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x, x)
}

#[differentiable]
fn changing_arguments(f: impl Fn(&mut [f64]) -> f64, x: f64) -> f64 {
    f(&mut [x])
}

#[differentiable]
fn without_value(f: impl Fn(f64), x: f64) -> f64 {
    f(x);
    x
}

#[differentiable]
fn constant(#[constant] f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

fn main() {}
