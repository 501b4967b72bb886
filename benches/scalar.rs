//! Gradients of scalar loop code against derivatives written by hand, with the same signature:
//! both return the value and freshly allocated gradients.
//!
//! `cargo bench -p differentiable --bench scalar`; add `-- --quick` to only check that it runs.

mod support;

use differentiable::prelude::*;
use std::hint::black_box;
use support::{Effort, assert_close, case, compare};

#[differentiable]
fn formula(x1: f64, x2: f64) -> f64 {
    x1.ln() + x1 * x2 - x2.sin()
}

fn formula_by_hand(x1: f64, x2: f64) -> (f64, (f64, f64)) {
    (x1.ln() + x1 * x2 - x2.sin(), (1.0 / x1 + x2, x1 - x2.cos()))
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.len() {
        sum += a[i] * b[i];
    }
    sum
}

fn dot_by_hand(a: &[f64], b: &[f64]) -> (f64, (Vec<f64>, Vec<f64>)) {
    let mut sum = 0.0;
    for (x, y) in a.iter().zip(b) {
        sum += x * y;
    }
    (sum, (b.to_vec(), a.to_vec()))
}

#[differentiable]
fn log_sum_exp(x: &[f64]) -> f64 {
    let mut largest = f64::NEG_INFINITY;
    for i in 0..x.len() {
        largest = largest.max(x[i]);
    }
    // The shift cancels out of the value, so its derivative is zero.
    let shift = stop_gradient(largest);
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (x[i] - shift).exp();
    }
    sum.ln() + shift
}

fn log_sum_exp_by_hand(x: &[f64]) -> (f64, Vec<f64>) {
    let shift = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut gradient = Vec::with_capacity(x.len());
    let mut sum = 0.0;
    for value in x {
        let exponential = (value - shift).exp();
        sum += exponential;
        gradient.push(exponential);
    }
    let scale = 1.0 / sum;
    for entry in &mut gradient {
        *entry *= scale;
    }
    (sum.ln() + shift, gradient)
}

#[differentiable]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let slope = x[i + 1] - x[i] * x[i];
        let offset = 1.0 - x[i];
        sum += 100.0 * slope * slope + offset * offset;
    }
    sum
}

fn rosenbrock_by_hand(x: &[f64]) -> (f64, Vec<f64>) {
    let mut gradient = vec![0.0; x.len()];
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let slope = x[i + 1] - x[i] * x[i];
        let offset = 1.0 - x[i];
        sum += 100.0 * slope * slope + offset * offset;
        gradient[i] -= 400.0 * slope * x[i] + 2.0 * offset;
        gradient[i + 1] += 200.0 * slope;
    }
    (sum, gradient)
}

fn main() {
    let effort = Effort::from_args();

    let (value, gradient) = formula::value_and_grad(2.0, 5.0);
    let (expected, by_hand) = formula_by_hand(2.0, 5.0);
    assert_close(
        "formula",
        &[value, gradient.0, gradient.1],
        &[expected, by_hand.0, by_hand.1],
        1e-15,
    );
    compare(
        effort,
        "ln(x1) + x1·x2 − sin(x2)",
        1.05,
        case("by hand", || {
            formula_by_hand(black_box(2.0), black_box(5.0))
        }),
        vec![case("#[differentiable]", || {
            formula::value_and_grad(black_box(2.0), black_box(5.0))
        })],
    );

    for n in [16, 1000, 100_000] {
        let a: Vec<f64> = (0..n).map(|i| (f64::from(i) * 0.7).sin()).collect();
        let b: Vec<f64> = (0..n).map(|i| (f64::from(i) * 0.3).cos()).collect();
        let (found, expected) = (dot::value_and_grad(&a, &b), dot_by_hand(&a, &b));
        assert_close("dot: value", &[found.0], &[expected.0], 1e-15);
        assert_close("dot: first", &found.1.0, &expected.1.0, 1e-15);
        assert_close("dot: second", &found.1.1, &expected.1.1, 1e-15);
        compare(
            effort,
            &format!("dot product, n = {n}"),
            1.3,
            case("by hand", || dot_by_hand(black_box(&a), black_box(&b))),
            vec![case("#[differentiable]", || {
                dot::value_and_grad(black_box(&a), black_box(&b))
            })],
        );

        let (found, expected) = (log_sum_exp::value_and_grad(&a), log_sum_exp_by_hand(&a));
        assert_close("log-sum-exp: value", &[found.0], &[expected.0], 1e-15);
        assert_close("log-sum-exp: gradient", &found.1, &expected.1, 1e-15);
        compare(
            effort,
            &format!("log-sum-exp, n = {n}"),
            1.3,
            case("by hand", || log_sum_exp_by_hand(black_box(&a))),
            vec![case("#[differentiable]", || {
                log_sum_exp::value_and_grad(black_box(&a))
            })],
        );
    }

    let x: Vec<f64> = (0..100)
        .map(|i| 1.0 + 0.5 * (f64::from(i) * 1.3).sin())
        .collect();
    let (found, expected) = (rosenbrock::value_and_grad(&x), rosenbrock_by_hand(&x));
    assert_close("Rosenbrock: value", &[found.0], &[expected.0], 1e-14);
    assert_close("Rosenbrock: gradient", &found.1, &expected.1, 1e-12);
    compare(
        effort,
        "Rosenbrock, n = 100",
        1.3,
        case("by hand", || rosenbrock_by_hand(black_box(&x))),
        vec![case("#[differentiable]", || {
            rosenbrock::value_and_grad(black_box(&x))
        })],
    );
}
