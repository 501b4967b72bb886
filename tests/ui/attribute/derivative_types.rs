//! Rules whose types do not fit.

use differentiable::prelude::*;

fn wide(x: f64, y: f64) -> f64 {
    x * y
}

#[derivative(of = wide)]
fn wide_rule(x: f64) -> (f64, impl Fn(f64) -> f64) {
    (x, |ct| ct)
}

fn long(x: &[f64]) -> f64 {
    x[0]
}

// The pullback borrows the argument.
#[derivative(of = long)]
fn long_rule(x: &[f64]) -> (f64, impl Fn(f64) -> Vec<f64>) {
    (x[0], move |ct| x.iter().map(|_| ct).collect())
}

fn wrong(x: f64) -> f64 {
    x
}

// One gradient for one parameter, and no pair.
#[derivative(of = wrong)]
fn wrong_rule(x: f64) -> (f64, impl Fn(f64) -> (f64, f64)) {
    (x, |ct| (ct, ct))
}

mod elsewhere {
    pub fn known(x: f64) -> f64 {
        x
    }
}

// By its path the rule is not found: `use elsewhere::known;`, then `known(x)`.
#[derivative(of = elsewhere::known)]
fn known_rule(x: f64) -> (f64, impl Fn(f64) -> f64) {
    (x, |ct| ct)
}

#[differentiable]
fn by_path(x: f64) -> f64 {
    elsewhere::known(x) * 2.0
}

fn main() {}
