//! Entries, parts and rows of arrays of ndarray, and arrays made of numbers.

use crate::check;
use crate::ndarray::{m, v};
use differentiable::ad::Matrix;
use differentiable::prelude::*;
use ndarray::{Array1, Array2, Axis, arr1, s};

#[differentiable]
fn axes(a: &Array2<f64>) -> f64 {
    let s = a.sum_axis(Axis(0));
    let r = a.mean_axis(Axis(1)).unwrap();
    s.dot(&s) + (&r * &r).sum() + a.row(1).dot(&s) + a.column(2).sum() + a.row(0)[1] * a.t()[[0, 1]]
}

#[differentiable]
fn filled(a: &Array2<f64>, v: &Array1<f64>) -> Array2<f64> {
    let mut c = Array2::zeros((a.nrows(), a.ncols()));
    for i in 0..a.nrows() {
        for j in 0..a.ncols() {
            c[[i, j]] = a[[i, j]] * v[j];
            c[[i, j]] += c[[i, 0]] * v[0];
        }
    }
    c
}

#[differentiable]
fn iterated(v: &Array1<f64>, w: &Array1<f64>) -> f64 {
    let mut s = 0.0;
    for x in v.iter() {
        s += x * x;
    }
    for x in v {
        s += x.powi(3);
    }
    s + v
        .iter()
        .zip(w.iter())
        .map(|(a, b)| (a - b).powi(2))
        .sum::<f64>()
        + v.iter().sum::<f64>()
}

#[differentiable]
fn logistic(w: &Array1<f64>, #[constant] x: &Array2<f64>, #[constant] y: &Array1<f64>) -> f64 {
    let mut loss = 0.0;
    for i in 0..x.nrows() {
        let row = x.row(i);
        let z = w.dot(&row);
        loss += (1.0 + (-y[i] * z).exp()).ln();
        loss += x.row(i).dot(w);
    }
    loss
}

#[differentiable]
fn lines(w: &Array1<f64>, a: &Array2<f64>, #[constant] x: &Array2<f64>) -> f64 {
    let mut t = 0.0;
    for row in x.outer_iter() {
        t += row.dot(w).sin();
    }
    for (row, k) in x.rows().into_iter().zip(w.iter()) {
        t += row.dot(w) * k;
    }
    for row in a.rows() {
        t += row.dot(w).powi(2) * row[0];
    }
    t += a.columns().into_iter().map(|c| c.dot(&c)).sum::<f64>();
    t + a.slice(s![0, 1..]).sum().sin()
        + a.slice(s![..;-1, 1..])
            .dot(&x.slice(s![0usize, 1..3]))
            .sum()
}

#[differentiable]
fn built(x: f64, y: f64, n: usize) -> Array2<f64> {
    let a = Array2::from_elem((n, 2), x * y);
    let b = Array2::from_shape_vec((n, 2), vec![x, y, x * x, y * y]).unwrap();
    let c = Array1::from_elem(2, x);
    a * b + c
}

#[differentiable]
fn entries(a: &Array2<f64>, #[constant] x: &Array2<f64>, k: f64) -> f64 {
    let b: Array2<f64> = a * k;
    let mut t = 0.0;
    for v in a.iter() {
        t += v * v;
    }
    for (v, w) in b.iter().zip(x.iter()) {
        t += (v - w).powi(2);
    }
    let mut c = Array2::zeros((2, 3));
    for v in c.iter_mut() {
        *v = t * k;
    }
    t + b.iter().map(|v| v.sin()).sum::<f64>() + a.iter().fold(0.0, |s, v| s * 0.5 + v) + c.sum()
}

#[differentiable]
fn lit(x: f64, y: f64) -> f64 {
    let a = ndarray::array![x, y, x * y];
    let b = ndarray::array![[x, y], [y, x]];
    let c = ndarray::array![1.0, 2.0];
    a.sum() * b.dot(&c).sum()
}

#[differentiable]
fn collected(a: &Array1<f64>) -> Array1<f64> {
    let b: Array1<f64> = a.iter().map(|x| x * x).collect();
    let c = Array1::from_iter(a.iter().zip(b.iter()).map(|(x, y)| x - y));
    let d = b.iter().map(|x| x.sin()).collect::<Array1<_>>();
    let v: Vec<f64> = a.iter().map(|x| x * x).collect();
    let e = Array1::from(v) * c + d;
    e.iter().map(|x| x + 1.0).collect()
}

#[test]
fn parts() {
    check::<axes, _>(&(m(),));
    check::<filled, _>(&(m(), v()));
    check::<lines, _>(&(v(), m(), m() * 0.5));
}

#[test]
fn all_entries() {
    check::<iterated, _>(&(v(), v() * 0.3));
    check::<entries, _>(&(m(), m() * 0.3, 0.4));
    let turned = m().t().as_standard_layout().to_owned().reversed_axes();
    check::<entries, _>(&(turned, m(), 0.4)); // columns one after the other
}

#[test]
fn made_of_numbers() {
    check::<built, _>(&(0.3, 0.7, 2));
    check::<lit, _>(&(0.3, 0.4));
    check::<collected, _>(&(v(),));
    assert!(collected::jacobian(&Array1::zeros(0)).is_empty());
}

/// The gradient of a logistic regression, by hand: rows of data that has none.
#[test]
fn rows_of_data() {
    let (w, x, y) = (v(), m(), arr1(&[1.0, -1.0]));
    let found = logistic::grad(&w, &x, &y);
    let mut expected = Array1::<f64>::zeros(3);
    for (row, y) in x.outer_iter().zip(&y) {
        let z = row.dot(&w);
        expected = expected + &row * (1.0 - y / (1.0 + (y * z).exp()));
    }
    assert!((found - expected).iter().all(|d| d.abs() < 1e-14));
}

/// The normal equations of a fit, by the matrix of its derivatives.
#[test]
fn a_jacobian_and_a_hessian_as_arrays() {
    let (a, b) = (m(), v());
    let matrix = crate::ndarray::bias::jacobian_matrix(&a, &b);
    let array: Array2<f64> = matrix.to_ndarray();
    assert_eq!(array.dim(), (6, 9));
    for (i, (by_a, by_b)) in crate::ndarray::bias::jacobian(&a, &b)
        .into_iter()
        .enumerate()
    {
        let row: Array1<f64> = by_a.iter().chain(&by_b).copied().collect();
        assert_eq!(array.row(i), row);
    }
    assert_eq!(array.t().dot(&array).dim(), (9, 9));

    let hessian = Matrix::from_hessian(&rosenbrock::hessian(&[1.0, 1.0])).unwrap();
    assert_eq!(
        hessian.to_ndarray(),
        ndarray::arr2(&[[802.0, -400.0], [-400.0, 200.0]])
    );
}

#[differentiable(higher_order)]
fn rosenbrock(x: &[f64; 2]) -> f64 {
    (1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0] * x[0]).powi(2)
}

/// Of an array that lies in memory column by column: entries are counted in the order of rows all the same.
#[test]
fn rows_of_a_jacobian_by_a_turned_array() {
    #[differentiable]
    fn squares(a: &Array2<f64>) -> Array2<f64> {
        a * a
    }
    let a = Array2::from_shape_fn((2, 3), |(i, j)| 1.0 + (3 * i + j) as f64);
    let turned = Array2::from_shape_fn((3, 2), |(j, i)| a[(i, j)]).reversed_axes();
    assert!(!turned.is_standard_layout() && turned == a);
    let (rows, matrix) = (
        squares::jacobian(&turned),
        squares::jacobian_matrix(&turned),
    );
    assert_eq!(rows, squares::jacobian(&a));
    for i in 0..6 {
        assert_eq!(matrix[(i, i)], 2.0 * (1.0 + i as f64));
    }
    check::<squares, _>(&(turned,));
}
