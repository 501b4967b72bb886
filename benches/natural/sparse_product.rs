//! Iterations with a sparse matrix: the vector after 50 products, each cut to its length.

use crate::{LOOPS, measure};
use differentiable::prelude::*;

/// A matrix by rows.
struct Pattern {
    starts: Vec<usize>,
    columns: Vec<usize>,
}

#[differentiable]
fn iterated(values: &[f64], x: &[f64], #[constant] pattern: &Pattern, steps: usize) -> f64 {
    let n = x.len();
    let mut v = x.to_vec();
    let mut w = vec![0.0; n];
    for _ in 0..steps {
        for i in 0..n {
            let mut sum = 0.0;
            for k in pattern.starts[i]..pattern.starts[i + 1] {
                sum += values[k] * v[pattern.columns[k]];
            }
            w[i] = sum / (1.0 + sum * sum).sqrt();
        }
        std::mem::swap(&mut v, &mut w);
    }
    let mut total = 0.0;
    for i in 0..n {
        total += v[i] * v[i];
    }
    total
}

fn by_hand(
    values: &[f64],
    x: &[f64],
    pattern: &Pattern,
    steps: usize,
) -> (f64, Vec<f64>, Vec<f64>) {
    let n = x.len();
    // The vector before each step, and the sums of each.
    let mut vs = Vec::with_capacity((steps + 1) * n);
    let mut sums = vec![0.0; steps * n];
    vs.extend_from_slice(x);
    for t in 0..steps {
        let start = t * n;
        for i in 0..n {
            let mut sum = 0.0;
            for k in pattern.starts[i]..pattern.starts[i + 1] {
                sum += values[k] * vs[start + pattern.columns[k]];
            }
            sums[start + i] = sum;
            vs.push(sum / (1.0 + sum * sum).sqrt());
        }
    }
    let last = &vs[steps * n..];
    let total = last.iter().map(|v| v * v).sum();
    let mut d_v: Vec<f64> = last.iter().map(|v| 2.0 * v).collect();
    let mut d_w = vec![0.0; n];
    let mut d_values = vec![0.0; values.len()];
    for t in (0..steps).rev() {
        d_w.fill(0.0);
        let v = &vs[t * n..(t + 1) * n];
        for i in 0..n {
            let root = 1.0 + sums[t * n + i].powi(2);
            let d_sum = d_v[i] / (root * root.sqrt());
            for k in pattern.starts[i]..pattern.starts[i + 1] {
                let column = pattern.columns[k];
                d_values[k] += d_sum * v[column];
                d_w[column] += d_sum * values[k];
            }
        }
        std::mem::swap(&mut d_v, &mut d_w);
    }
    (total, d_values, d_v)
}

pub fn run() {
    let n = 1000;
    let mut pattern = Pattern {
        starts: vec![0],
        columns: vec![],
    };
    for i in 0..n {
        pattern
            .columns
            .extend([0, 1, 7, 41, 333].map(|k| (i + k * (1 + i % 3)) % n));
        pattern.starts.push(pattern.columns.len());
    }
    let values: Vec<f64> = (0..pattern.columns.len())
        .map(|k| (0.7 * k as f64).sin())
        .collect();
    let x: Vec<f64> = (0..n).map(|i| (0.3 * i as f64).cos()).collect();
    measure(
        "50 sparse products with 5000 entries, loops over slices",
        LOOPS,
        || iterated(&values, &x, &pattern, 50),
        || by_hand(&values, &x, &pattern, 50),
        || iterated::value_and_grad(&values, &x, &pattern, 50),
        |hand, ours| {
            let (value, (d_values, d_x)) = ours;
            (
                [&[hand.0], &hand.1[..], &hand.2].concat(),
                [&[*value], &d_values[..], d_x].concat(),
            )
        },
    );
}
