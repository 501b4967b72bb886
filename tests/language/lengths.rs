//! Loops over what a name borrows, where that becomes shorter or longer from one trip of a loop to the next: in reverse
//! every loop has as many trips as it had.

use crate::check;
use differentiable::prelude::*;

/// Lengths around that of a block.
const LENGTHS: [usize; 4] = [5, 8, 70, 200];

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| 1.0 + 0.3 * (0.7 * i as f64).sin()).collect()
}

#[differentiable]
fn by_a_closure(y: &[f64], steps: usize) -> f64 {
    let next =
        |y: &[f64], h: f64| -> Vec<f64> { y.iter().zip(&y[1..]).map(|(a, b)| a * b + h).collect() };
    let mut y = y.to_vec();
    for s in 0..steps {
        y = next(&y, 0.1 * s as f64);
    }
    y.iter().map(|v| v * v).sum()
}

#[differentiable]
fn sines(y: &[f64]) -> Vec<f64> {
    y[1..].iter().map(|v| v.sin()).collect()
}

// The closure and the `let` say what the entries of `k` are.
#[differentiable]
fn by_a_helper(y: &[f64], steps: usize) -> f64 {
    let next = |y: &[f64], k: &[f64], h: f64| -> Vec<f64> {
        y.iter().zip(k).map(|(y, k)| y * k + h).collect()
    };
    let mut y = y.to_vec();
    let mut total = 0.0;
    for s in 0..steps {
        let k = sines(&y);
        let z: &[f64] = &k;
        total += z[0] * y[1];
        y = next(&y, &k, 0.1 * s as f64);
    }
    total + y.iter().map(|v| v * v).sum::<f64>()
}

#[differentiable]
fn by_a_reference(y: &[f64], steps: usize) -> f64 {
    let mut y = y.to_vec();
    let mut total = 0.0;
    for s in 0..steps {
        let v: &[f64] = &y;
        let m = v.len();
        let half = &v[..m / 2 + 1];
        let mut z = Vec::new();
        for i in 0..half.len() {
            z.push(half[i] * v[m - 1 - i] + s as f64);
        }
        let k = half.len() / 2;
        total += v[k] * v[v.len() - 1];
        if v.len().is_multiple_of(2) {
            total += v[0].powi(2);
        }
        y = z;
    }
    total + y.iter().map(|v| v * v).sum::<f64>()
}

#[differentiable]
fn grow(v: &mut Vec<f64>, x: f64) {
    let k = v.len();
    v.push(x * k as f64);
    for i in 0..v.len() {
        v[i] *= x;
    }
}

#[differentiable]
fn longer(y: &[f64], steps: usize) -> f64 {
    let mut v = vec![y[0]; 3];
    let mut total = 0.0;
    for s in 0..steps.min(3) {
        for i in 0..v.len() {
            total += v[i] * v[i] * y[1];
        }
        grow(&mut v, y[2]);
        let w = &v;
        for i in 0..w.len() {
            total += w[i] * y[3];
        }
        v[s] += y[4];
    }
    total
}

#[differentiable]
fn a_triangle(y: &[f64], steps: usize) -> f64 {
    let mut table = vec![y.to_vec()];
    for s in 0..steps {
        let last = &table[table.len() - 1];
        let next: Vec<f64> = last.iter().skip(1).map(|a| a * 0.5 + s as f64).collect();
        table.push(next);
    }
    let mut total = 0.0;
    for row in &table {
        for v in row {
            total += v * v;
        }
    }
    total
}

#[differentiable]
fn in_turn(y: &[f64], steps: usize) -> f64 {
    let mut a = y.to_vec();
    let mut b = y[1..].to_vec();
    let mut total = 0.0;
    for _ in 0..steps {
        let u = &a;
        for i in 0..u.len() {
            total += u[i] * u[i];
        }
        let w = &b;
        let m = w.len();
        for i in 1..m {
            total += w[i] * w[i - 1];
        }
        std::mem::swap(&mut a, &mut b);
    }
    total
}

#[test]
fn lengths_that_change_behind_a_name() {
    for n in LENGTHS {
        for steps in [0, 1, 2, 4] {
            let args = (numbers(n), steps);
            check::<by_a_closure, _>(&args);
            check::<by_a_helper, _>(&args);
            check::<by_a_reference, _>(&args);
            check::<longer, _>(&args);
            check::<a_triangle, _>(&args);
            check::<in_turn, _>(&args);
        }
    }
}
