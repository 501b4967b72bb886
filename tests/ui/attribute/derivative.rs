//! Rules that are none, or not of this function.

use differentiable::prelude::*;

fn plain(x: f64) -> f64 {
    x * 2.0
}

#[derivative]
fn of_nobody(x: f64) -> (f64, impl Fn(f64) -> f64) {
    (x, |ct| ct)
}

#[derivative(of = plain, forward)]
fn with_an_option(x: f64) -> (f64, impl Fn(f64) -> f64) {
    (x, |ct| ct)
}

#[derivative(of = plain)]
fn without_a_pullback(x: f64) -> f64 {
    x * 2.0
}

#[derivative(of = f64::sqrt)]
fn of_a_method(x: f64) -> (f64, impl Fn(f64) -> f64) {
    (x, |ct| ct)
}

#[derivative(of = pair)]
fn without_the_forward_rule(x: f64) -> ([f64; 2], impl Fn([f64; 2]) -> f64) {
    ([x, x], |ct| ct[0] + ct[1])
}

#[derivative(of = changes)]
fn of_what_changes(x: &mut f64) -> (f64, impl Fn(f64) -> f64) {
    (*x, |ct| ct)
}

#[derivative(of = plain)]
struct NoFunction;

fn main() {}
