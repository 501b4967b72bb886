//! Functions that call themselves.

use crate::check;
use differentiable::prelude::*;

#[differentiable]
fn power(x: f64, n: usize) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

#[differentiable]
fn tree(x: f64, y: f64, depth: usize) -> f64 {
    if depth == 0 {
        return x.sin() * y;
    }
    tree(x * y, y, depth - 1) + tree(x + 0.1, y * 0.9, depth - 1)
}

#[differentiable]
fn halves(x: &[f64]) -> f64 {
    let n = x.len();
    if n == 0 {
        return 0.0;
    }
    if n == 1 {
        return x[0] * x[0];
    }
    halves(&x[..n / 2]) + 2.0 * halves(&x[n / 2..])
}

#[differentiable]
fn generic<const N: usize>(x: [f64; N], n: usize) -> f64 {
    if n == N {
        0.0
    } else {
        x[n] * x[n] + 0.5 * generic::<N>(x, n + 1)
    }
}

#[test]
fn recursion() {
    check::<power, _>(&(1.3, 5));
    assert_eq!(power::grad(2.0, 3), 12.0);
    check::<tree, _>(&(0.4, 1.1, 4));
    check::<halves, _>(&(vec![0.3, 1.2, 0.4, -0.7, 2.0],));
    assert_eq!(generic::grad([1.0, 2.0, 3.0], 0), [2.0, 2.0, 1.5]);
    assert_eq!(power::grad(1.0, 2000), 2000.0);
}
