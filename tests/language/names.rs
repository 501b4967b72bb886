//! Variables whose names are written like constants, as formulas have them.
#![allow(non_snake_case)]

use crate::check;
use differentiable::prelude::*;

const LIMIT: usize = 3;

#[differentiable]
fn locals(a: f64, b: f64) -> f64 {
    let C = a * b;
    let (Q, R) = (C * b, a + b);
    let mut sum = C * C;
    for K in [Q, R, 1.0] {
        sum += K * K * Q;
    }
    let g = |X: f64| X * X * R;
    sum + g(a)
}

#[differentiable]
fn behind_a_question_mark(a: f64, o: Option<f64>) -> Option<f64> {
    let X = o?;
    let Y = a * X;
    Some(X * Y)
}

#[differentiable]
fn unwrapped(a: f64, o: Option<f64>) -> f64 {
    behind_a_question_mark(a, o).unwrap_or(a)
}

#[differentiable]
fn constants(x: f64, k: usize) -> f64 {
    match k {
        LIMIT => x * x,
        _ => x,
    }
}

#[test]
fn names_like_those_of_constants() {
    check::<locals, _>(&(0.7, 0.8));
    check::<unwrapped, _>(&(0.7, Some(0.8)));
    check::<unwrapped, _>(&(0.7, None));
    check::<constants, _>(&(0.7, 3));
    check::<constants, _>(&(0.7, 2));
}
