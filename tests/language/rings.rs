//! Neighbours on a ring, `(i + 1) % n`: of any integers, with `n` from anywhere, and `%` that is no neighbour's.

use crate::check;
use differentiable::prelude::*;

#[derive(Clone, Copy, Debug, Differentiable)]
struct Sizes {
    rows: usize,
    columns: usize,
}

#[derive(Clone, Differentiable)]
struct Field {
    columns: usize,
    values: Vec<f64>,
}

#[differentiable]
impl Field {
    fn at(&self, i: isize, j: isize) -> f64 {
        let rows = self.values.len() / self.columns;
        let i = (i + rows as isize) as usize % rows;
        self.values[i * self.columns + (j as usize + self.columns) % self.columns]
    }

    fn roughness(&self, n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..n {
            for j in 0..self.columns {
                let right = self.values[i * self.columns + (j + 1) % self.columns];
                let below = self.at(i as isize - 1, j as isize);
                sum += (right - below).powi(2) * self.values[i * self.columns + j];
            }
        }
        sum
    }
}

#[differentiable]
fn roughness(field: &Field, n: usize) -> f64 {
    field.roughness(n)
}

#[test]
fn of_fields() {
    let values = (0..12).map(|k| (0.7 * f64::from(k)).sin()).collect();
    let field = Field { columns: 4, values };
    check::<roughness, _>(&(field, 3));
}

/// By five ways, once around and twice around.
#[differentiable]
fn ring(x: &[f64], n: &usize, sizes: Sizes, shift: i32) -> f64 {
    let mut sum = 0.0;
    for (i, x_i) in x.iter().enumerate() {
        let left = (i + n - 1) % n;
        sum += x[left] * x_i * x[(i + sizes.rows) % sizes.columns];
    }
    for k in -3i32..4 {
        let turned = (k + shift).rem_euclid(x.len() as i32);
        let rest = (k - shift) % 3;
        sum += f64::from(rest) * x[turned as usize].sin();
    }
    let even = |i: usize| (i + 1) % 3 == 1;
    for i in 0..*n {
        let far = (i + 3 * n) % n;
        if even(i) {
            sum *= 1.0 + 0.1 * x[far];
        }
    }
    sum
}

#[test]
fn of_variables() {
    let x: Vec<f64> = (0..7).map(|k| (1.3 * f64::from(k)).cos()).collect();
    let sizes = Sizes {
        rows: 5,
        columns: 6,
    };
    for shift in [-9, -1, 0, 2, 40] {
        check::<ring, _>(&(x.clone(), 7, sizes, shift));
    }
}

/// Remainders of floats are no integers'.
#[differentiable]
fn floats(x: f64, n: usize) -> f64 {
    let period = 0.85 * 2.0;
    let mut sum = 0.0;
    for i in 0..n {
        let phase = (i as f64 + 0.25) % period;
        let wrapped = (phase - 2.0).rem_euclid(period);
        sum += (x * phase).sin() * wrapped;
    }
    sum
}

#[test]
fn of_floats() {
    check::<floats, _>(&(0.4, 9));
}

#[differentiable]
fn without_entries(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..2 {
        sum += x[(i + 1) % n];
    }
    sum
}

#[test]
#[should_panic(expected = "attempt to calculate the remainder with a divisor of zero")]
fn of_zero() {
    without_entries::grad(&[1.0, 2.0], 0);
}
