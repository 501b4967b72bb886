//! Ranges that have a name, and types of the standard library that have no derivative.

use crate::check;
use differentiable::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::ops::{Range, RangeInclusive};
use std::time::Duration;

#[differentiable]
fn of_a_parameter(x: &[f64], part: Range<usize>) -> f64 {
    let mut s = 1.0;
    for i in part.clone() {
        s = s * x[i] + 0.5;
    }
    for i in part {
        // Not the ends of the range.
        let (start, end) = (x[0], 0.5);
        s += x[i] * start * end;
    }
    s
}

#[differentiable]
fn of_a_variable(x: &[f64]) -> f64 {
    let n = x.len();
    let inner = 1..n - 1;
    let mut s = 0.0;
    for i in inner.clone() {
        s += x[i] * x[i - 1];
    }
    for i in inner.clone().rev().step_by(2) {
        s *= x[i] + 1.0;
    }
    let t: f64 = inner.clone().map(|i| x[i + 1].sin()).sum();
    let part: f64 = x[inner.clone()].iter().sum();
    s + t * (inner.len() as f64) + part * inner.start as f64
}

fn block(k: usize) -> Range<usize> {
    2 * k..2 * k + 2
}

#[differentiable]
fn of_a_type(x: &[f64], blocks: usize, by: &RangeInclusive<i32>) -> f64 {
    let mut s = 1.0;
    for k in 0..blocks {
        let part: Range<usize> = block(k);
        for i in part {
            s = s * x[i] + 0.5;
        }
    }
    for k in by.clone() {
        s = s * x[0] - k as f64;
    }
    s
}

/// The end of a range is computed where the range is made; another variable of the name is another range.
#[differentiable]
fn made_before(x: f64, mut n: usize) -> f64 {
    let trips = 0..n;
    n += 10;
    let mut s = x;
    for _ in trips {
        s = s.sin() + x;
    }
    let trips = 0..n / 5;
    for i in trips {
        s *= x + i as f64;
    }
    s
}

#[derive(Debug, Clone, Differentiable)]
struct Settings {
    #[constant]
    weights: HashMap<String, f64>,
    steps: usize,
}

#[differentiable]
fn with_settings(
    x: f64,
    #[constant] settings: &Settings,
    #[constant] step: Duration,
    #[constant] skipped: &BTreeSet<usize>,
    #[constant] names: &HashMap<String, usize>,
) -> f64 {
    let mut s = x;
    for i in 0..settings.steps {
        if !skipped.contains(&i) {
            s += step.as_secs_f64() * s.sin();
        }
    }
    s * settings.weights["a"] * names["b"] as f64
}

#[differentiable(higher_order)]
fn curved(x: &[f64], #[constant] part: &Range<usize>) -> f64 {
    let mut s = 1.0;
    for i in part.clone().rev() {
        s *= x[i] + s;
    }
    s
}

#[test]
fn with_a_name() {
    let x: Vec<f64> = (0..7).map(|i| (i as f64 * 0.7).sin()).collect();
    for part in [0..0, 1..4, 0..7] {
        check::<of_a_parameter, _>(&(x.clone(), part.clone()));
        check::<curved, _>(&(x.clone(), part.clone()));
        let grad_of = |i: usize, h: f64| {
            let mut moved = x.clone();
            moved[i] += h;
            curved::grad(&moved, &part)
        };
        let hessian = curved::hessian(&x, &part);
        for (i, row) in hessian.iter().enumerate() {
            for ((h, p), m) in row.iter().zip(grad_of(i, 1e-5)).zip(grad_of(i, -1e-5)) {
                assert!((h - (p - m) / 2e-5).abs() < 1e-6);
            }
        }
    }
    for n in [2, 3, 7] {
        check::<of_a_variable, _>(&(x[..n].to_vec(),));
    }
    check::<of_a_type, _>(&(x, 3, 2..=4));
    check::<made_before, _>(&(0.4, 3));
}

#[test]
fn of_the_standard_library() {
    let settings = Settings {
        weights: [("a".to_string(), 1.5)].into(),
        steps: 5,
    };
    let names = HashMap::from([("b".to_string(), 2)]);
    let step = Duration::from_millis(300);
    check::<with_settings, _>(&(0.3, settings, step, BTreeSet::from([1, 3]), names));
}
