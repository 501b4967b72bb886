//! A determinant by minors: recursion with many small calls.

use crate::{RECURSION, measure};
use differentiable::prelude::*;

/// The determinant of the rows from `row` on without the columns of `used`.
#[differentiable]
fn minor(a: &[f64], n: usize, row: usize, used: usize) -> f64 {
    if row == n {
        return 1.0;
    }
    let mut sum = 0.0;
    let mut sign = 1.0;
    for column in 0..n {
        if used & (1 << column) == 0 {
            sum += sign * a[row * n + column] * minor(a, n, row + 1, used | (1 << column));
            sign = -sign;
        }
    }
    sum
}

/// The minor, with the smaller ones noted in the order of the calls.
fn forward(a: &[f64], n: usize, row: usize, used: usize, kept: &mut Vec<f64>) -> f64 {
    if row == n {
        return 1.0;
    }
    let (mut sum, mut sign) = (0.0, 1.0);
    for column in 0..n {
        if used & (1 << column) == 0 {
            let inner = forward(a, n, row + 1, used | (1 << column), kept);
            kept.push(inner);
            sum += sign * a[row * n + column] * inner;
            sign = -sign;
        }
    }
    sum
}

fn reverse(
    a: &[f64],
    n: usize,
    row: usize,
    used: usize,
    ct: f64,
    kept: &mut Vec<f64>,
    d: &mut [f64],
) {
    if row == n {
        return;
    }
    let free = n - row;
    let mut sign = if free.is_multiple_of(2) { -1.0 } else { 1.0 };
    for column in (0..n).rev() {
        if used & (1 << column) == 0 {
            let inner = kept.pop().expect("as many as were kept");
            d[row * n + column] += ct * sign * inner;
            let inner_ct = ct * sign * a[row * n + column];
            reverse(a, n, row + 1, used | (1 << column), inner_ct, kept, d);
            sign = -sign;
        }
    }
}

fn by_hand(a: &[f64], n: usize) -> (f64, Vec<f64>) {
    let mut kept = Vec::new();
    let value = forward(a, n, 0, 0, &mut kept);
    let mut d = vec![0.0; a.len()];
    reverse(a, n, 0, 0, 1.0, &mut kept, &mut d);
    (value, d)
}

#[differentiable]
fn determinant(a: &[f64], n: usize) -> f64 {
    minor(a, n, 0, 0)
}

pub fn run() {
    let n = 7;
    let a: Vec<f64> = (0..n * n).map(|i| (1.7 * i as f64).sin()).collect();
    measure(
        "a determinant of 7 by 7 by minors, recursion",
        RECURSION,
        || determinant(&a, n),
        || by_hand(&a, n),
        || determinant::value_and_grad(&a, n),
        |hand, ours| {
            (
                [&[hand.0], &hand.1[..]].concat(),
                [&[ours.0], &ours.1[..]].concat(),
            )
        },
    );
}
