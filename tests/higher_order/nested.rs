//! Gradients inside of differentiable functions, to any depth, without perturbation confusion.

use differentiable::prelude::*;

#[differentiable(higher_order)]
fn sum(x: f64, y: f64) -> f64 {
    x + y
}

/// `x · d/dy (x + y)`: its derivative is 1. An implementation that mixed the two levels would say 2.
#[differentiable(higher_order)]
fn classic(x: f64) -> f64 {
    let (_, slope) = sum::grad(x, 1.0);
    x * slope
}

#[test]
fn no_perturbation_confusion() {
    assert_eq!(classic(3.0), 3.0);
    assert_eq!(classic::grad(3.0), 1.0);
    assert_eq!(classic::jvp((3.0, 1.0)), (3.0, 1.0));
    assert_eq!(classic::hessian(3.0), 0.0);
}

#[differentiable(higher_order)]
fn energy(x: &[f64], k: f64) -> f64 {
    let mut e = 0.0;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1];
        e += 0.5 * k * d * d + (k * d).sin() * x[i];
    }
    e
}

/// The squared force: its gradient is `2 H f`.
#[differentiable(higher_order)]
fn force(x: &[f64], k: f64) -> f64 {
    let (f, by_k) = energy::grad(x, k);
    let mut s = by_k * k;
    for i in 0..f.len() {
        s += f[i] * f[i];
    }
    s
}

#[test]
fn the_gradient_of_a_gradient() {
    let (x, k) = (vec![0.3, 0.9, -0.4, 0.1], 1.7);
    check_grads_of_force(&x, k);
    // By hand: 2 H f + k ∂²E/∂k∂x and the like.
    let (f, by_k) = energy::grad(&x, k);
    let twice: Vec<f64> = f.iter().map(|f| 2.0 * f).collect();
    let (hx, hk) = energy::hvp((&x, &twice), (k, k));
    let (gx, gk) = force::grad(&x, k);
    for (a, b) in gx.iter().zip(&hx) {
        assert!((a - b).abs() < 1e-12);
    }
    assert!((gk - hk - by_k).abs() < 1e-12);
}

fn check_grads_of_force(x: &[f64], k: f64) {
    differentiable::ad::check_grads::<force, _>(&(x.to_vec(), k)).unwrap();
}

#[differentiable(higher_order)]
fn third(x: f64) -> f64 {
    force_of(x) * x
}

#[differentiable(higher_order)]
fn quartic(x: f64) -> f64 {
    x.powi(4)
}

#[differentiable(higher_order)]
fn force_of(x: f64) -> f64 {
    let (v, g) = quartic::value_and_grad(x);
    v + g
}

#[differentiable(higher_order)]
fn deeper(x: f64) -> f64 {
    force_of::grad(x)
}

#[test]
fn three_levels() {
    // x⁴ + 4x³, its derivative 4x³ + 12x², then 12x² + 24x, then 24x + 24.
    assert_eq!(force_of(2.0), 48.0);
    assert_eq!(deeper(2.0), 80.0);
    assert_eq!(deeper::grad(2.0), 96.0);
    assert_eq!(deeper::hessian(2.0), 72.0);
    assert_eq!(deeper::hvp((2.0, 0.5)), 36.0);
    assert_eq!(third::grad(2.0), 48.0 + 2.0 * 80.0);
}
