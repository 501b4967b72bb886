//! `array::from_fn` with values that have a derivative: whatever the entries are, and whatever the closure does.

use crate::check;
use differentiable::ad::check_grads;
use differentiable::prelude::*;
use std::array;

type State = [f64; 4];

fn numbers() -> Vec<f64> {
    vec![0.9, -0.4, 1.3, 0.6, -1.1]
}

/// The type stands somewhere else, or nowhere.
#[differentiable]
fn of_numbers(x: f64, w: &[f64]) -> f64 {
    let state: State = array::from_fn(|i| w[i] * x + 0.1 * i as f64);
    let squares = array::from_fn::<_, 4, _>(|i| state[i] * state[i]);
    let halves: [f64; 3] = std::array::from_fn(|i: usize| 0.5 * squares[i + 1]);
    let table: [[f64; 2]; 3] = array::from_fn(|i| array::from_fn(|j| halves[i] * w[j]));
    let none: [f64; 0] = array::from_fn(|_| x);
    let mut sum = none.len() as f64;
    for (row, h) in table.iter().zip(&halves) {
        sum += row[0] * row[1].sin() * h;
    }
    sum
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Point {
    at: [f64; 2],
    weight: f64,
}

#[differentiable]
impl Point {
    fn moved(&self, by: f64) -> Point {
        Point {
            at: array::from_fn(|k| self.at[k] + by * self.weight),
            weight: self.weight,
        }
    }
}

/// Structs, pairs, `Vec`s, `Option`s, and numbers beside them.
#[differentiable]
fn of_others(x: f64, w: &[f64]) -> f64 {
    let points: [Point; 3] = array::from_fn(|i| Point {
        at: [w[i] * x, x],
        weight: w[i + 1],
    });
    let moved = points.map(|p| p.moved(x));
    let pairs: [(f64, usize); 2] = array::from_fn(|i| (w[i] * x, 2 * i + 1));
    let lists: [Vec<f64>; 2] = array::from_fn(|i| w.iter().map(|v| v * pairs[i].0).collect());
    let some: [Option<f64>; 4] = array::from_fn(|i| (i % 2 == 0).then(|| w[i] * x));
    let mut sum = 0.0;
    for (i, p) in moved.iter().enumerate() {
        sum += p.at[0] * p.at[1] * p.weight * (i as f64 + 0.5);
    }
    for (v, k) in pairs {
        sum += v.powi(k as i32) + lists[k / 2][k].sin();
    }
    for v in &some {
        match v {
            Some(v) => sum += v.cos(),
            None => sum *= x,
        }
    }
    sum
}

/// Loops, branches, early ends, and a position that is changed.
#[differentiable]
fn with_more_inside(x: f64, w: &[f64]) -> f64 {
    let sums: [f64; 4] = array::from_fn(|mut i| {
        let mut s = 0.0;
        while i < w.len() {
            s = (s + w[i] * x).sin();
            i += 1;
        }
        if s > 0.3 { s * s } else { s.exp() }
    });
    let first: [f64; 3] = array::from_fn(|i| {
        for v in &w[i..] {
            if *v > 0.7 {
                return v * x;
            }
        }
        x
    });
    let both: [f64; 3] = array::from_fn(|i| {
        let Some(v) = w.get(i + 3) else { return x };
        v * v * x
    });
    let [a, b, c] = both;
    sums.iter().zip(first).map(|(s, f)| s * f).sum::<f64>() + a * b * c
}

/// A matrix whose sizes only its type tells.
#[derive(Clone, Copy, Debug, Differentiable)]
struct Matrix<const R: usize, const C: usize>([[f64; C]; R]);

#[differentiable]
impl<const R: usize, const C: usize> Matrix<R, C> {
    fn transpose(&self) -> Matrix<C, R> {
        Matrix(array::from_fn(|i| array::from_fn(|j| self.0[j][i])))
    }
    fn times<const K: usize>(&self, other: &Matrix<C, K>) -> Matrix<R, K> {
        Matrix(array::from_fn(|i| {
            array::from_fn(|j| (0..C).map(|k| self.0[i][k] * other.0[k][j]).sum())
        }))
    }
}

#[differentiable]
fn of_matrices(m: &Matrix<2, 3>, n: &Matrix<3, 3>) -> f64 {
    let mut power = *n;
    for _ in 0..3 {
        power = power.times(&n.transpose());
    }
    let t = m.times(&power).times(&m.transpose());
    t.0[0][0] * t.0[1][1] - t.0[0][1] * t.0[1][0].sin()
}

/// Of higher order, where the numbers may be duals.
#[differentiable(higher_order)]
fn quartic(x: &[f64; 3]) -> f64 {
    let squares: [f64; 3] = array::from_fn(|i| x[i] * x[(i + 1) % 3]);
    let table = [squares, *x];
    let sums = array::from_fn(|i| table[i].iter().sum::<f64>());
    let [a, b] = sums;
    a * a * b
}

#[test]
fn gradients_agree_with_differences() {
    let args = (1.3, numbers());
    check::<of_numbers, _>(&args);
    check::<of_others, _>(&args);
    check::<with_more_inside, _>(&args);
    let m = Matrix([[0.3, -0.2, 0.5], [0.1, 0.7, -0.4]]);
    let n = Matrix([[0.5, 0.1, 0.2], [-0.3, 0.6, 0.4], [0.2, -0.1, 0.7]]);
    check_grads::<of_matrices, _>(&(m, n)).unwrap();
}

#[test]
fn hessians_too() {
    let x = [0.7, -0.3, 1.2];
    let rows = quartic::hessian(&x);
    let h = 1e-5;
    for i in 0..3 {
        let (mut up, mut down) = (x, x);
        (up[i], down[i]) = (x[i] + h, x[i] - h);
        let (up, down) = (quartic::grad(&up), quartic::grad(&down));
        for j in 0..3 {
            let expected = (up[j] - down[j]) / (2.0 * h);
            assert!((rows[i][j] - expected).abs() < 1e-8, "{i} {j}");
        }
    }
}

/// A closure that counts is one that Rust takes, so the order of the entries shows.
#[differentiable]
fn counted(x: f64) -> f64 {
    let mut scale = 1.0;
    let all: [f64; 3] = array::from_fn(|_| {
        scale *= x;
        scale
    });
    all[0] + 10.0 * all[1] + 100.0 * all[2]
}

#[test]
fn entries_are_made_in_order() {
    assert_eq!(counted(2.0), 2.0 + 40.0 + 800.0);
    assert_eq!(counted::grad(2.0), 1.0 + 40.0 + 1200.0);
}
