//! Arrays of ndarray.

use crate::check;
use differentiable::prelude::*;
use ndarray::{Array1, Array2, Array3, ArrayD, Axis, arr1, arr2};

pub(crate) fn m() -> Array2<f64> {
    arr2(&[[0.4, 1.1, -0.3], [0.2, -0.7, 0.9]])
}

pub(crate) fn v() -> Array1<f64> {
    arr1(&[0.3, -0.8, 1.2])
}

#[differentiable]
fn arithmetic(a: &Array2<f64>, b: &Array2<f64>, k: f64) -> Array2<f64> {
    let mut c = a + b * k - 2.0 * a / k;
    c += &(a * b);
    c -= &(-b / a);
    let d = &c * 0.5 + k;
    d * a - (k - b) + (a - k) / (1.0 + k) + (k + a)
}

/// One of the operands is repeated.
#[differentiable]
fn repeated(a: &Array2<f64>, row: &Array2<f64>, column: &Array2<f64>) -> f64 {
    let c = (a + row) * column - row / column;
    (&c * &c).sum() + (row - a).sum()
}

#[test]
fn operators() {
    let b = arr2(&[[1.4, 0.1, 0.6], [-1.2, 0.5, 0.8]]);
    check::<arithmetic, _>(&(m(), b, 0.7));
    let (row, column) = (arr2(&[[0.4, 0.9, -0.2]]), arr2(&[[0.7], [1.3]]));
    check::<repeated, _>(&(m(), row, column));
}

#[differentiable]
fn products(x: &Array2<f64>, w: &Array1<f64>, y: &Array1<f64>) -> f64 {
    let r = x.dot(w) - y;
    let g = x.t().dot(&r);
    let n = x.dot(&x.t());
    r.dot(&r) + g.dot(w) + y.dot(&n).sum() + n.dot(&n).sum() + x.clone().reversed_axes()[[2, 1]]
}

#[differentiable]
fn entries(a: &Array2<f64>, v: &Array1<f64>) -> f64 {
    let mut b = a.clone();
    let mut sum = 0.0;
    for i in 0..a.nrows() {
        for j in 0..a.ncols() {
            b[(i, j)] += v[j] * a[[i, 0]];
            sum += b[(i, j)] * v[j] + b[[i, j]];
        }
    }
    let mut w = v.clone();
    w[0] = sum * v[1];
    let made = Array1::from_vec(vec![sum, w[0]]);
    made.dot(&made) + w.sum() / v.len() as f64 + b.mean().unwrap()
}

#[differentiable]
fn functions(v: &Array1<f64>) -> f64 {
    let positive = v.abs() + 0.5;
    (positive.ln() * v.sin() + positive.sqrt() - v.cos() / v.exp() + v.tanh()).sum()
}

#[test]
fn vectors_and_matrices() {
    check::<products, _>(&(m(), v(), arr1(&[0.6, 1.5])));
    check::<entries, _>(&(m(), v()));
    check::<functions, _>(&(v(),));
    let (by_x, by_w, by_y) = products::grad(&m(), &v(), &arr1(&[0.6, 1.5]));
    let shapes: [&[usize]; 3] = [by_x.shape(), by_w.shape(), by_y.shape()];
    assert_eq!(shapes, [&[2, 3][..], &[3], &[2]]);
}

#[derive(Clone, Differentiable)]
struct Layer {
    weights: Array2<f32>,
    bias: Array1<f32>,
}

#[differentiable]
fn network(layers: &[Layer], x: &Array1<f32>) -> f32 {
    let mut h = x.clone();
    for i in 0..layers.len() {
        h = (layers[i].weights.dot(&h) + &layers[i].bias).tanh();
    }
    h.sum()
}

#[test]
fn in_structs_and_in_single_precision() {
    let layer = |k: f32| Layer {
        weights: Array2::from_shape_fn((3, 3), |(i, j)| (k + 2.0 * i as f32 + j as f32).sin()),
        bias: Array1::from_shape_fn(3, |i| 0.1 * k + i as f32 * 0.2),
    };
    check::<network, _>(&(vec![layer(0.3), layer(1.1)], v().mapv(|x| x as f32)));
}

#[differentiable]
fn of_other_ranks(a: &Array3<f64>, b: &ArrayD<f64>, k: f64) -> f64 {
    (a * k - a / 3.0).sum() * b.mean().unwrap() + (b + b).sum()
}

#[test]
fn other_ranks_and_empty_arrays() {
    let a = Array3::from_shape_fn((2, 1, 3), |(i, _, k)| 0.3 + i as f64 - 0.2 * k as f64);
    let b = ArrayD::from_shape_fn(vec![2, 2], |i| i[0] as f64 - 0.4 * i[1] as f64);
    check::<of_other_ranks, _>(&(a, b, 0.8));
    let none = Array2::<f64>::zeros((0, 3));
    let (by_x, by_w, _) =
        products::grad(&Array2::zeros((2, 3)), &Array1::zeros(3), &Array1::zeros(2));
    assert_eq!((by_x.shape(), by_w.len()), (&[2, 3][..], 3));
    let (by_a, ..) = repeated::grad(&none, &arr2(&[[1.0, 2.0, 3.0]]), &arr2(&[[1.0]]));
    assert_eq!(by_a.shape(), [0, 3]);
}

/// Vectors and matrices in one operation, and what is read again of the result.
#[differentiable]
pub(crate) fn bias(a: &Array2<f64>, b: &Array1<f64>) -> Array2<f64> {
    let mut h = a + b;
    h *= b;
    h -= &(b * a * 0.5);
    h /= 3.0;
    h += 1.0;
    h
}

#[differentiable]
fn mapped(a: &Array2<f64>, k: f64) -> Array2<f64> {
    let b = a.mapv(|x| (x * k).sin());
    let c = a.map(|x| x * x * k);
    b + c + a.mapv(f64::cos)
}

#[differentiable]
fn powers(v: &Array1<f64>, p: f64) -> Array1<f64> {
    v.powi(3) + v.abs().powf(p) + 1.0 / (v * v + 1.0)
}

#[differentiable]
fn statistics(a: &Array2<f64>, ddof: f64) -> f64 {
    let b = a.row(0).insert_axis(Axis(1));
    let c = a.clone().into_shape_with_order(6).unwrap();
    let d = c.clone().into_shape_with_order((3, 2)).unwrap();
    let e = a.t().into_shape_with_order(6);
    let mut t = 0.0;
    if let Ok(e) = e {
        t = e[0];
    }
    a.var(ddof) * a.std(ddof) + b.t().dot(&d).sum() + c[4] + c.std(0.0) + t
}

#[test]
fn of_each_entry_and_of_all() {
    check::<bias, _>(&(m(), v()));
    check::<mapped, _>(&(m(), 0.7));
    check::<powers, _>(&(v(), 1.7));
    check::<statistics, _>(&(m(), 1.0));
    let (flat, _) = statistics::grad(&Array2::zeros((2, 3)), 1.0);
    assert!(
        flat.iter().all(|x| x.is_finite()),
        "where nothing varies: {flat}"
    );
}

#[differentiable]
fn by_reference_and_by_value(a: Array1<f64>, b: Array1<f64>) -> f64 {
    let c = &a - &b;
    let d = a * c + &b;
    (d / 2.0).sum() - (1.0 - b).sum()
}

#[test]
fn a_gradient_by_hand() {
    let (a, b) = (arr1(&[1.0, 2.0]), arr1(&[3.0, 5.0]));
    // Σ (a (a − b) + b) / 2 − 1 + b
    let (by_a, by_b) = by_reference_and_by_value::grad(a, b);
    assert_eq!(by_a, arr1(&[-0.5, -0.5]));
    assert_eq!(by_b, arr1(&[1.0, 0.5]));
}

#[test]
fn a_jacobian_has_a_row_for_each_entry() {
    let rows = bias::jacobian(&m(), &v());
    assert_eq!(rows.len(), 6);
    let (by_a, by_b) = &rows[4]; // of entry (1, 1)
    assert_eq!((by_a.shape(), by_b.len()), (&[2, 3][..], 3));
    assert_eq!(by_a.iter().filter(|x| **x != 0.0).count(), 1);
}
