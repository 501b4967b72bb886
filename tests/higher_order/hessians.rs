//! `hvp` and `hessian` against published and hand-written Hessians, and central differences of gradients.

use crate::near;
use differentiable::prelude::*;

#[differentiable(higher_order)]
fn rosenbrock(x: f64, y: f64) -> f64 {
    let a = 1.0 - x;
    let b = y - x * x;
    a * a + 100.0 * b * b
}

#[test]
fn rosenbrocks_hessian() {
    for (x, y) in [(1.0, 1.0), (-1.2, 1.0), (0.0, 0.0), (2.5, -3.0)] {
        let ((xx, xy), (yx, yy)) = rosenbrock::hessian(x, y);
        near(xx, 1200.0 * x * x - 400.0 * y + 2.0, 1e-13);
        near(xy, -400.0 * x, 1e-13);
        near(yx, -400.0 * x, 1e-13);
        near(yy, 200.0, 1e-13);
        let (u, v) = rosenbrock::hvp((x, 0.5), (y, -2.0));
        near(u, 0.5 * xx - 2.0 * xy, 1e-13);
        near(v, 0.5 * yx - 2.0 * yy, 1e-13);
    }
}

const SCALES: [f64; 3] = [0.5, 1.5, -0.7];

/// Loops, branches, an iterator chain, constants, casts, calls of a generic function and of one with
/// `higher_order`.
#[differentiable(higher_order)]
fn chained(x: &[f64], w: f64, #[constant] shift: f64, n: usize) -> f64 {
    let mut s = 0.0;
    let mut kept = vec![0.0; n];
    for i in 1..x.len() {
        let d = x[i] - cube(x[i - 1]) + shift;
        s += if d > 0.0 { d * d * w } else { (d * w).sin() };
        kept[i % n] += d * SCALES[i % 3];
        if kept[i % n] > 40.0 {
            break;
        }
    }
    let tail: f64 = x
        .iter()
        .zip(&kept)
        .map(|(a, b)| (a - b * 2.0).powi(3))
        .sum();
    s + weighted(kept[0], w) * std::f64::consts::PI + tail / x.len() as f64
}

#[differentiable(higher_order)]
fn cube(x: f64) -> f64 {
    x * x * x
}

#[differentiable]
fn weighted<T: differentiable::ad::Scalar>(x: T, w: T) -> T {
    (x * w).exp() / (T::ONE + x * x)
}

/// How the gradient changes, by central differences.
fn differences(x: &[f64], w: f64, v: &[f64], v_w: f64) -> Vec<f64> {
    let h = 1e-5;
    let at = |h: f64| {
        let moved: Vec<f64> = x.iter().zip(v).map(|(x, v)| x + h * v).collect();
        let (mut g, g_w) = chained::grad(&moved, w + h * v_w, 0.1, 3);
        g.push(g_w);
        g
    };
    let (up, down) = (at(h), at(-h));
    let slopes = up.iter().zip(&down).map(|(a, b)| (a - b) / (2.0 * h));
    slopes.collect()
}

#[test]
fn of_slices_and_loops() {
    let (x, w) = ([0.3, 0.7, -1.1, 0.4, 0.9], 0.6);
    let v = [0.2, -0.5, 0.3, 1.0, -0.4];
    let (by_x, by_w) = chained::hvp((&x, &v), (w, 0.7), 0.1, 3);
    let expected = differences(&x, w, &v, 0.7);
    for (a, b) in by_x.iter().chain([&by_w]).zip(&expected) {
        near(*a, *b, 1e-8);
    }
}

#[test]
fn rows_are_products_with_unit_vectors() {
    let (x, w) = ([0.3, 0.7, -1.1, 0.4, 0.9, 0.2, 0.8, -0.3, 0.6, 0.1], 0.6);
    let (rows, last) = chained::hessian(&x, w, 0.1, 3);
    assert_eq!(rows.len(), 10);
    for i in 0..10 {
        let mut unit = [0.0; 10];
        unit[i] = 1.0;
        let (by_x, by_w) = chained::hvp((&x, &unit), (w, 0.0), 0.1, 3);
        assert_eq!(rows[i].0, by_x);
        assert_eq!(rows[i].1, by_w);
        // Symmetric.
        near(last.0[i], by_w, 1e-12);
        for j in 0..10 {
            near(rows[j].0[i], rows[i].0[j], 1e-12);
        }
    }
}

#[test]
fn products_are_symmetric() {
    let (x, w) = ([0.3, 0.7, -1.1, 0.4], 0.6);
    let (u, v) = ([0.2, -0.5, 0.3, 1.0], [1.0, 0.4, -0.2, 0.7]);
    let (hu, hu_w) = chained::hvp((&x, &u), (w, 0.3), 0.1, 3);
    let (hv, hv_w) = chained::hvp((&x, &v), (w, -1.2), 0.1, 3);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    near(dot(&v, &hu) - 1.2 * hu_w, dot(&u, &hv) + 0.3 * hv_w, 1e-12);
}

#[differentiable(higher_order)]
fn held(x: f64, y: f64) -> f64 {
    let scale = stop_gradient(x * x);
    scale * x * y + no_grad!(y.sin()) * x * x
}

#[test]
fn what_is_held_is_held_in_every_order() {
    let (x, y) = (1.5_f64, 0.7_f64);
    // As if both were numbers.
    let ((xx, xy), (yx, yy)) = held::hessian(x, y);
    near(xx, 2.0 * y.sin(), 1e-15);
    near(xy, x * x, 1e-15);
    near(yx, x * x, 1e-15);
    assert_eq!(yy, 0.0);
}

const COUNT: usize = 3;

/// Lengths that are constants.
#[differentiable(higher_order)]
fn counted(x: &[f64; COUNT]) -> f64 {
    let mut squares = [0.0; COUNT];
    let more = vec![1.0; COUNT];
    for i in 0..COUNT {
        squares[i] = x[i] * x[i] * more[i];
    }
    let first: [f64; COUNT] = squares;
    first[0] * first[COUNT - 1]
}

#[test]
fn lengths_stay_lengths() {
    let h = counted::hessian(&[2.0, 5.0, 3.0]);
    assert_eq!(h, [[18.0, 0.0, 24.0], [0.0, 0.0, 0.0], [24.0, 0.0, 8.0]]);
}

#[differentiable(higher_order)]
fn single(x: [f32; 2]) -> f32 {
    0.5 * x[0].exp() * x[1] * x[1]
}

#[test]
fn in_single_precision() {
    let h = single::hessian([0.5, 3.0]);
    let e = 0.5_f32.exp();
    let expected = [[4.5 * e, 3.0 * e], [3.0 * e, e]];
    for (a, b) in h.iter().flatten().zip(expected.iter().flatten()) {
        near(f64::from(*a), f64::from(*b), 1e-6);
    }
}

#[differentiable(higher_order)]
fn at_zero(x: f64, y: f64) -> f64 {
    // The cotangent of `u` is zero here, and changes.
    let u = x.sin() + y.tanh();
    let q = u / (1.0 + y);
    q * q
        + (u * u + 1.0).sqrt()
        + (x * x).exp() * y.powi(2)
        + x.abs() * 0.0
        + x.powf(2.0) * x.cosh()
}

#[test]
fn cotangents_that_are_zero_change() {
    let ((xx, xy), (_, yy)) = at_zero::hessian(0.0, 0.0);
    // u = x + y: u² + (1 + u²/2) + y² + x².
    near(xx, 2.0 + 1.0 + 2.0, 1e-15);
    near(xy, 2.0 + 1.0, 1e-15);
    near(yy, 2.0 + 1.0 + 2.0, 1e-15);
}
