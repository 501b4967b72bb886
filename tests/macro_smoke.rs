use differentiable::prelude::*;

#[differentiable]
fn f1(x1: f64, x2: f64) -> f64 {
    x1.ln() + x1 * x2 - x2.sin()
}

#[differentiable]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * y[i];
    }
    s
}

#[test]
fn scalar() {
    let (v, (a, b)) = f1::value_and_grad(2.0, 5.0);
    assert_eq!(v, f1(2.0, 5.0));
    assert!((a - (0.5 + 5.0)).abs() < 1e-14);
    assert!((b - (2.0 - 5f64.cos())).abs() < 1e-14);
    let (_, t) = f1::jvp((2.0, 1.0), (5.0, 0.5));
    assert!((t - (a + 0.5 * b)).abs() < 1e-14);
    let (_, p) = f1::vjp(2.0, 5.0);
    assert_eq!(p(2.0).0, 2.0 * a);
}

#[test]
fn loops() {
    let (x, y) = (vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]);
    let (v, (dx, dy)) = dot::value_and_grad(&x, &y);
    assert_eq!(v, 32.0);
    assert_eq!((dx, dy), (y.clone(), x.clone()));
    let (_, t) = dot::jvp((&x, &y), (&y, &x));
    assert_eq!(t, 77.0 + 14.0);
}
