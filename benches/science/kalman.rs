//! A Kalman filter's log likelihood, and its gradient by Q and R.
use crate::Report;
use differentiable::prelude::*;
use std::ops::{Add, Mul, Sub};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Matrix<const R: usize, const C: usize>([[f64; C]; R]);

#[differentiable]
impl<const R: usize, const C: usize> Matrix<R, C> {
    fn transpose(&self) -> Matrix<C, R> {
        Matrix(std::array::from_fn(|i| {
            std::array::from_fn(|j| self.0[j][i])
        }))
    }
}

#[differentiable]
impl<const R: usize, const K: usize, const C: usize> Mul<Matrix<K, C>> for Matrix<R, K> {
    type Output = Matrix<R, C>;
    fn mul(self, other: Matrix<K, C>) -> Matrix<R, C> {
        let mut out = [[0.0; C]; R];
        for i in 0..R {
            for j in 0..C {
                out[i][j] = (0..K).map(|k| self.0[i][k] * other.0[k][j]).sum();
            }
        }
        Matrix(out)
    }
}

#[differentiable]
impl<const R: usize, const C: usize> Add for Matrix<R, C> {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        for (row, other) in self.0.iter_mut().zip(&other.0) {
            for (a, b) in row.iter_mut().zip(other) {
                *a += b;
            }
        }
        self
    }
}

#[differentiable]
impl<const R: usize, const C: usize> Sub for Matrix<R, C> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        let mut out = self;
        for i in 0..R {
            for j in 0..C {
                out.0[i][j] -= other.0[i][j];
            }
        }
        out
    }
}

#[differentiable]
impl Matrix<2, 2> {
    fn det(&self) -> f64 {
        let [[a, b], [c, d]] = self.0;
        a * d - b * c
    }

    fn inverse(&self) -> Option<Self> {
        let [[a, b], [c, d]] = self.0;
        let det = self.det();
        if det.abs() < 1e-300 {
            return None;
        }
        Some(Matrix([[d / det, -b / det], [-c / det, a / det]]))
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Model {
    a: Matrix<4, 4>,
    h: Matrix<2, 4>,
    q: Matrix<4, 4>,
    r: Matrix<2, 2>,
}

#[differentiable]
fn log_likelihood(model: &Model, #[constant] observations: &[Option<Matrix<2, 1>>]) -> Option<f64> {
    let Model { a, h, q, r } = *model;
    let mut x = Matrix([[0.0]; 4]);
    let mut p = q;
    let mut total = 0.0;
    for z in observations {
        x = a * x;
        p = a * p * a.transpose() + q;
        let Some(z) = z else { continue }; // missing
        let y = *z - h * x;
        let s = h * p * h.transpose() + r;
        let s_inv = s.inverse()?;
        let k = p * h.transpose() * s_inv;
        x = x + k * y;
        p = p - k * h * p;
        let Matrix([[m]]) = y.transpose() * s_inv * y;
        total -= 0.5 * (m + s.det().ln() + 2.0 * (2.0 * std::f64::consts::PI).ln());
    }
    Some(total)
}

pub fn measure(report: &mut Report) {
    let dt = 0.1;
    let unit = |s: f64| {
        let mut a = [[0.0; 4]; 4];
        (0..4).for_each(|i| a[i][i] = s);
        Matrix(a)
    };
    let mut a = unit(1.0);
    (a.0[0][2], a.0[1][3]) = (dt, dt);
    let model = Model {
        a,
        h: Matrix([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]),
        q: unit(0.1),
        r: Matrix([[0.5, 0.1], [0.1, 0.4]]),
    };
    let seen = |i: i32| Matrix([[(0.1 * f64::from(i)).sin()], [(0.13 * f64::from(i)).cos()]]);
    let z: Vec<_> = (0..200).map(|i| (i % 7 != 3).then(|| seen(i))).collect();
    let value = log_likelihood(&model, &z).expect("an innovation with an inverse");
    report.case(
        "Kalman filter, 200 observations",
        value,
        || log_likelihood(&model, &z),
        || {
            let (value, pullback) = log_likelihood::vjp(&model, &z);
            (value, pullback(Some(1.0)))
        },
    );
}
