//! Gradients inside of differentiable functions, to any depth, without perturbation confusion.

use crate::near;
use differentiable::ad::{Scalar, check_grads};
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
fn product(x: f64, y: f64) -> f64 {
    x * y * y
}

/// `x · d/dy (x y²)` at `y = x`, which is `2 x³`.
#[differentiable]
fn captured(x: f64) -> f64 {
    let (_, slope) = product::grad(x, x);
    x * slope
}

#[test]
fn both_levels_depend_on_one_variable() {
    assert_eq!(captured::grad(2.0), 24.0);
    assert_eq!(captured::jvp((2.0, 1.0)), (16.0, 24.0));
}

#[differentiable(higher_order)]
fn energy(x: &[f64], k: f64, n: usize) -> f64 {
    let mut e = 0.0;
    for i in 1..n {
        let d = x[i] - x[i - 1];
        e += 0.5 * k * d * d + (k * d).sin() * x[i];
    }
    e
}

/// Of the force: its gradient is made of products with the Hessian.
#[differentiable(higher_order)]
fn force(x: &[f64], k: f64) -> f64 {
    let (f, by_k) = energy::grad(x, k, x.len());
    let mut s = by_k * k;
    for i in 0..f.len() {
        s += f[i] * f[i];
    }
    s
}

#[test]
fn the_gradient_of_a_gradient() {
    let (x, k) = (vec![0.3, 0.9, -0.4, 0.1], 1.7);
    check_grads::<force, _>(&(x.clone(), k)).unwrap();
    // By hand: 2 H f + k ∂²E/∂k∂x, and the same by k.
    let (f, by_k) = energy::grad(&x, k, 4);
    let twice: Vec<f64> = f.iter().map(|f| 2.0 * f).collect();
    let (hx, hk) = energy::hvp((&x, &twice), (k, k), 4);
    let (gx, gk) = force::grad(&x, k);
    for (a, b) in gx.iter().zip(&hx) {
        near(*a, *b, 1e-12);
    }
    near(gk, hk + by_k, 1e-12);
    // And once more, against differences.
    let v = [0.1, -0.4, 0.2, 0.7];
    let (h, _) = force::hvp((&x, &v), (k, 0.0));
    let at = |s: f64| {
        let moved: Vec<f64> = x.iter().zip(&v).map(|(x, v)| x + s * v).collect();
        force::grad(&moved, k).0
    };
    for ((up, down), h) in at(1e-5).iter().zip(at(-1e-5)).zip(&h) {
        near(*h, (up - down) / 2e-5, 1e-7);
    }
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

#[differentiable(higher_order)]
fn third(x: f64) -> f64 {
    force_of(x) * x
}

#[test]
fn levels_upon_levels() {
    // x⁴ + 4x³, its derivative 4x³ + 12x², then 12x² + 24x, then 24x + 24.
    assert_eq!(force_of(2.0), 48.0);
    assert_eq!(deeper(2.0), 80.0);
    assert_eq!(deeper::grad(2.0), 96.0);
    assert_eq!(deeper::hessian(2.0), 72.0);
    assert_eq!(deeper::hvp((2.0, 0.5)), 36.0);
    assert_eq!(third::grad(2.0), 48.0 + 2.0 * 80.0);
}

#[differentiable(higher_order)]
fn saddle(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (x, y) = (a[0] * a[0] + a[1] * a[1], b[0] * b[0] + b[1] * b[1]);
    x - y
}

/// The players move along their gradients, one down and one up: the value after ten steps, by where the
/// first one starts. Each coordinate of `a` shrinks by 0.8 in a step, and `b` does too.
#[differentiable]
fn played(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (mut a, mut b) = (a, b);
    for _ in 0..10 {
        let (down, up) = saddle::grad(a, b);
        for i in 0..2 {
            a[i] -= 0.1 * down[i];
            b[i] += 0.1 * up[i];
        }
    }
    saddle(a, b)
}

#[test]
fn a_saddle() {
    let (a, b) = ([1.0, 2.0], [0.5, -1.0]);
    let (by_a, by_b) = played::grad(a, b);
    let shrunk = 0.8_f64.powi(20);
    for i in 0..2 {
        near(by_a[i], 2.0 * shrunk * a[i], 1e-13);
        near(by_b[i], -2.0 * shrunk * b[i], 1e-13);
    }
}

/// The potential of a particle between two charges.
#[differentiable(higher_order)]
fn potential(at: [f64; 2], w: f64) -> f64 {
    let (x, y) = (at[0], at[1]);
    let (r1, r2) = (x * x + (y + w) * (y + w), (x - 10.0) * (x - 10.0) + y * y);
    1.0 / r1.sqrt() + 1.0 / r2.sqrt()
}

/// Where a particle is after its flight, squared; `w` is what is controlled.
#[differentiable(higher_order)]
fn flight(w: f64) -> f64 {
    let (mut at, mut speed) = ([0.0, 8.0], [0.75, 0.0]);
    for _ in 0..40 {
        let (f, _) = potential::grad(at, w);
        for i in 0..2 {
            speed[i] -= 0.1 * f[i];
            at[i] += 0.1 * speed[i];
        }
    }
    at[1] * at[1]
}

#[test]
fn a_particle() {
    check_grads::<flight, _>(&(0.3,)).unwrap();
    let h = 1e-5;
    let difference = (flight::grad(0.3 + h) - flight::grad(0.3 - h)) / (2.0 * h);
    near(flight::hessian(0.3), difference, 1e-7);
}

#[differentiable(higher_order)]
fn norm<T: Scalar>(x: &[T]) -> T {
    let mut s = T::ONE;
    for i in 0..x.len() {
        s += x[i] * x[i];
    }
    s.sqrt()
}

/// The gradient of a generic function.
#[differentiable(higher_order)]
fn turned(x: &[f64], k: f64) -> f64 {
    let g = norm::grad(x);
    let mut s = k;
    for i in 0..g.len() {
        s *= g[i] + k;
    }
    s
}

#[test]
fn of_generic_functions() {
    let x = vec![0.4, -0.8, 1.3];
    let v = [1.0, 0.5, -0.3];
    let at = |s: f64| {
        let moved: Vec<f64> = x.iter().zip(&v).map(|(x, v)| x + s * v).collect();
        turned(&moved, 0.9)
    };
    let (gradient, _) = turned::grad(&x, 0.9);
    let along: f64 = gradient.iter().zip(&v).map(|(g, v)| g * v).sum();
    near(along, (at(1e-5) - at(-1e-5)) / 2e-5, 1e-9);
    let (h, _) = turned::hvp((&x, &v), (0.9, 0.0));
    let gradient_at = |s: f64| {
        let moved: Vec<f64> = x.iter().zip(&v).map(|(x, v)| x + s * v).collect();
        turned::grad(&moved, 0.9).0
    };
    for ((up, down), h) in gradient_at(1e-5).iter().zip(gradient_at(-1e-5)).zip(&h) {
        near(*h, (up - down) / 2e-5, 1e-8);
    }
}
