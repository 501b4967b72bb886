//! Dynamic programming in a table of triangles: the soft cost of the best order to multiply a chain of matrices.

use crate::{LOOPS, measure};
use differentiable::prelude::*;

#[differentiable]
fn cost(sizes: &[f64], table: &mut [f64]) -> f64 {
    let n = sizes.len() - 1;
    for length in 1..n {
        for i in 0..n - length {
            let j = i + length;
            let mut sum = 0.0;
            for k in i..j {
                let whole = table[i * n + k]
                    + table[(k + 1) * n + j]
                    + sizes[i] * sizes[k + 1] * sizes[j + 1];
                sum += 1.0 / whole;
            }
            table[i * n + j] = 1.0 / sum;
        }
    }
    table[n - 1]
}

#[differentiable]
fn whole_cost(sizes: &[f64]) -> f64 {
    let n = sizes.len() - 1;
    let mut table = vec![0.0; n * n];
    cost(sizes, &mut table)
}

fn by_hand(sizes: &[f64]) -> (f64, Vec<f64>) {
    let n = sizes.len() - 1;
    let mut table = vec![0.0; n * n];
    let value = cost(sizes, &mut table);
    let mut d_table = vec![0.0; n * n];
    let mut d = vec![0.0; sizes.len()];
    d_table[n - 1] = 1.0;
    for length in (1..n).rev() {
        for i in (0..n - length).rev() {
            let j = i + length;
            let here = table[i * n + j];
            // 1 / Σ 1/w: each w has the share (result / w)².
            let ct = d_table[i * n + j] * here * here;
            for k in i..j {
                let whole = table[i * n + k]
                    + table[(k + 1) * n + j]
                    + sizes[i] * sizes[k + 1] * sizes[j + 1];
                let share = ct / (whole * whole);
                d_table[i * n + k] += share;
                d_table[(k + 1) * n + j] += share;
                d[i] += share * sizes[k + 1] * sizes[j + 1];
                d[k + 1] += share * sizes[i] * sizes[j + 1];
                d[j + 1] += share * sizes[i] * sizes[k + 1];
            }
        }
    }
    (value, d)
}

pub fn run() {
    let sizes: Vec<f64> = (0..81).map(|i| 2.0 + (0.9 * f64::from(i)).sin()).collect();
    measure(
        "a chain of 80 matrices, a table of triangles",
        LOOPS,
        || whole_cost(&sizes),
        || by_hand(&sizes),
        || whole_cost::value_and_grad(&sizes),
        |hand, ours| {
            (
                [&[hand.0], &hand.1[..]].concat(),
                [&[ours.0], &ours.1[..]].concat(),
            )
        },
    );
}
