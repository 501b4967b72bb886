//! Explicit Runge and Kutta for a chain of springs: a helper that writes its result, and one that returns it.

use crate::{LOOPS, NATURAL, measure};
use differentiable::prelude::*;

/// Positions, then velocities; each spring pulls like `k d + d³`.
#[differentiable]
fn write_rate(y: &[f64], springs: &[f64], rate: &mut [f64]) {
    let n = springs.len();
    for i in 0..n {
        rate[i] = y[n + i];
        rate[n + i] = 0.0;
    }
    for i in 0..n {
        let next = (i + 1) % n;
        let d = y[next] - y[i];
        let force = springs[i] * d + d * d * d;
        rate[n + i] += force;
        rate[n + next] -= force;
    }
}

#[differentiable]
fn written(y: &[f64], springs: &[f64], steps: usize, #[constant] h: f64) -> f64 {
    let m = y.len();
    let mut y = y.to_vec();
    let mut k1 = vec![0.0; m];
    let mut k2 = vec![0.0; m];
    let mut middle = vec![0.0; m];
    for _ in 0..steps {
        write_rate(&y, springs, &mut k1);
        for i in 0..m {
            middle[i] = y[i] + 0.5 * h * k1[i];
        }
        write_rate(&middle, springs, &mut k2);
        for i in 0..m {
            y[i] += h * k2[i];
        }
    }
    let mut total = 0.0;
    for i in 0..m {
        total += y[i] * y[i];
    }
    total
}

#[differentiable]
fn rate(y: &[f64], springs: &[f64]) -> Vec<f64> {
    let n = springs.len();
    let (position, velocity) = y.split_at(n);
    let pull = |i: usize| {
        let d = position[(i + 1) % n] - position[i];
        springs[i] * d + d.powi(3)
    };
    let forces = (0..n).map(|i| pull(i) - pull((i + n - 1) % n));
    velocity.iter().copied().chain(forces).collect()
}

#[differentiable]
fn returned(y: &[f64], springs: &[f64], steps: usize, #[constant] h: f64) -> f64 {
    let along = |y: &[f64], k: &[f64], h: f64| -> Vec<f64> {
        y.iter().zip(k).map(|(y, k)| y + h * k).collect()
    };
    let mut y = y.to_vec();
    for _ in 0..steps {
        let k1 = rate(&y, springs);
        let k2 = rate(&along(&y, &k1, 0.5 * h), springs);
        y = along(&y, &k2, h);
    }
    y.iter().map(|v| v * v).sum()
}

fn pull_rate(y: &[f64], springs: &[f64], ct: &[f64], d_y: &mut [f64], d_springs: &mut [f64]) {
    let n = springs.len();
    for i in 0..n {
        d_y[n + i] += ct[i];
    }
    for i in 0..n {
        let next = (i + 1) % n;
        let d = y[next] - y[i];
        let d_force = ct[n + i] - ct[n + next];
        d_springs[i] += d_force * d;
        let d_d = d_force * (springs[i] + 3.0 * d * d);
        d_y[next] += d_d;
        d_y[i] -= d_d;
    }
}

fn by_hand(y: &[f64], springs: &[f64], steps: usize, h: f64) -> (f64, Vec<f64>, Vec<f64>) {
    let m = y.len();
    // Both arguments of the rate in each step.
    let mut kept = Vec::with_capacity(2 * steps * m);
    let (mut y, mut k, mut middle) = (y.to_vec(), vec![0.0; m], vec![0.0; m]);
    for _ in 0..steps {
        kept.extend_from_slice(&y);
        write_rate(&y, springs, &mut k);
        for i in 0..m {
            middle[i] = y[i] + 0.5 * h * k[i];
        }
        kept.extend_from_slice(&middle);
        write_rate(&middle, springs, &mut k);
        for i in 0..m {
            y[i] += h * k[i];
        }
    }
    let total = y.iter().map(|v| v * v).sum();
    let mut d_y: Vec<f64> = y.iter().map(|v| 2.0 * v).collect();
    let mut d_springs = vec![0.0; springs.len()];
    let (mut d_k, mut d_middle) = (vec![0.0; m], vec![0.0; m]);
    for t in (0..steps).rev() {
        let (y, middle) = kept[2 * t * m..2 * (t + 1) * m].split_at(m);
        for i in 0..m {
            d_k[i] = h * d_y[i];
        }
        d_middle.fill(0.0);
        pull_rate(middle, springs, &d_k, &mut d_middle, &mut d_springs);
        for i in 0..m {
            d_y[i] += d_middle[i];
            d_k[i] = 0.5 * h * d_middle[i];
        }
        pull_rate(y, springs, &d_k, &mut d_y, &mut d_springs);
    }
    (total, d_y, d_springs)
}

pub fn run() {
    let n = 100;
    let y: Vec<f64> = (0..2 * n).map(|i| 0.3 * (0.37 * i as f64).sin()).collect();
    let springs: Vec<f64> = (0..n).map(|i| 1.0 + 0.2 * (0.9 * i as f64).cos()).collect();
    measure(
        "Runge and Kutta, 200 steps of 200 numbers, helpers that write",
        LOOPS,
        || written(&y, &springs, 200, 0.01),
        || by_hand(&y, &springs, 200, 0.01),
        || written::value_and_grad(&y, &springs, 200, 0.01),
        |hand, (value, (d_y, d_springs))| {
            (
                [&[hand.0], &hand.1[..], &hand.2].concat(),
                [&[*value], &d_y[..], d_springs].concat(),
            )
        },
    );
    measure(
        "Runge and Kutta, 200 steps of 200 numbers, helpers that return",
        NATURAL,
        || returned(&y, &springs, 200, 0.01),
        || by_hand(&y, &springs, 200, 0.01),
        || returned::value_and_grad(&y, &springs, 200, 0.01),
        |hand, (value, (d_y, d_springs))| {
            (
                [&[hand.0], &hand.1[..], &hand.2].concat(),
                [&[*value], &d_y[..], d_springs].concat(),
            )
        },
    );
}
