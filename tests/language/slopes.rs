//! Functions of one number with loops and recursion: the forward run finds the slope, and the pullback multiplies with it.

use crate::check;
use differentiable::prelude::*;

/// The complement of the error function, by a series and a continued fraction.
#[differentiable(higher_order)]
fn erfc(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    let pi = std::f64::consts::PI;
    if x < 2.0 {
        let (mut term, mut sum, mut n) = (x, x, 0);
        while term.abs() > 1e-17 * sum.abs() && n < 200 {
            n += 1;
            term *= -x * x / n as f64;
            sum += term / (2 * n + 1) as f64;
        }
        1.0 - 2.0 / pi.sqrt() * sum
    } else {
        let f = (1..=60).rev().fold(x, |f, k| x + 0.5 * k as f64 / f);
        (-x * x).exp() / (pi.sqrt() * f)
    }
}

/// Kepler's equation for one eccentricity: Newton's method as long as it moves.
#[differentiable(higher_order)]
fn anomaly(mean: f64) -> f64 {
    let mut e = mean;
    for _ in 0..50 {
        let step = (e - 0.3 * e.sin() - mean) / (1.0 - 0.3 * e.cos());
        e -= step;
        if step.abs() < 1e-14 {
            break;
        }
    }
    e
}

/// Arrays, vectors and helpers that return them.
#[differentiable]
fn rod(mut k: f64, n: usize) -> f64 {
    let source = [0.2, -0.4, 0.9];
    let mut u = vec![0.0; n];
    u[0] = k;
    k *= 0.1;
    for t in 0..4 {
        u = step(&u, k);
        for (u, s) in u.iter_mut().zip(&source) {
            *u += s * k * t as f64;
        }
    }
    let picked = [u[0], u[n - 1], k];
    picked.iter().map(|p| p * p).sum()
}

#[differentiable]
fn step(u: &[f64], k: f64) -> Vec<f64> {
    let n = u.len();
    (0..n)
        .map(|i| u[i] + k * (u[(i + 1) % n] - 2.0 * u[i] + u[(i + n - 1) % n]))
        .collect()
}

#[differentiable]
fn many(xs: &[f64], w: f64) -> f64 {
    let mut total = 0.0;
    for x in xs {
        total += erfc(x * w) * anomaly(*x);
    }
    total
}

#[differentiable]
fn programmed(x: f64, program: &[u8]) -> f64 {
    let mut y = x;
    for &op in program {
        y = match op {
            0 => y * y,
            1 if y > 0.0 => y.sqrt(),
            2 => return y + x,
            _ => x - y,
        };
    }
    y
}

/// The largest of some waves: found, and only then differentiated.
#[differentiable]
fn largest(x: f64) -> f64 {
    let mut most = f64::NEG_INFINITY;
    for i in 0..20 {
        most = most.max((x * i as f64).sin());
    }
    most
}

#[differentiable]
fn narrow(x: f32) -> f32 {
    let mut y = x;
    for _ in 0..3 {
        y = y * x + 0.5;
    }
    y
}

/// A number of one type in, one of the other out.
#[differentiable]
fn widened(x: f32) -> f64 {
    let mut y = x as f64;
    for _ in 0..3 {
        y = y * y + 0.25;
    }
    y
}

#[differentiable]
fn roots(x: f64, n: usize) -> f64 {
    let mut s = 1.0;
    for _ in 0..n {
        s += x.sqrt();
    }
    s
}

#[test]
fn functions_of_one_number() {
    for x in [-2.7, -0.4, 0.3, 1.9, 2.4] {
        check::<erfc, _>(&(x,));
        check::<anomaly, _>(&(x,));
        check::<largest, _>(&(x,));
        let slope = -2.0 / std::f64::consts::PI.sqrt() * (-x * x).exp();
        assert!((erfc::grad(x) - slope).abs() < 1e-14);
        assert!((erfc::hessian(x) + 2.0 * x * slope).abs() < 1e-13);
        let e = anomaly(x);
        let (s, c) = e.sin_cos();
        let first = 1.0 / (1.0 - 0.3 * c);
        assert!((anomaly::grad(x) - first).abs() < 1e-13);
        assert!((anomaly::hessian(x) + 0.3 * s * first.powi(3)).abs() < 1e-11);
        for program in [&[][..], &[0, 3, 0], &[1, 0, 2, 0], &[3, 1, 1]] {
            check::<programmed, _>(&(x, program.to_vec()));
        }
    }
}

#[test]
fn with_arrays_and_calls() {
    for n in [1, 2, 5] {
        check::<rod, _>(&(0.7, n));
    }
    check::<many, _>(&(vec![0.2, -1.3, 2.9], 0.8));
    let (value, pullback) = narrow::vjp(0.5);
    assert_eq!(value, narrow(0.5));
    let x = 0.5_f32;
    let slope = 4.0 * x.powi(3) + 0.5 * (2.0 * x + 1.0);
    assert!((pullback(2.0) - 2.0 * slope).abs() < 1e-6);
    // 0.5, 0.5, 0.5, 0.5: each step doubles y, so that its slope is one.
    assert_eq!(widened(0.5), 0.5);
    assert_eq!(widened::grad(0.5), 1.0);
}

/// A cotangent of zero stays zero where the slope is infinite.
#[test]
fn infinite_slopes() {
    assert_eq!(roots::grad(0.0, 3), f64::INFINITY);
    assert_eq!(roots::grad(0.0, 0), 0.0);
    assert_eq!(roots::vjp(0.0, 3).1(0.0), 0.0);
    assert!(roots::grad(f64::NAN, 1).is_nan());
}

/// What is kept of a call is one number beside the argument, whatever the loop computes.
#[test]
fn one_number_is_kept() {
    let (_, pullback) = anomaly::vjp(0.4);
    assert_eq!(size_of_val(&pullback), 2 * size_of::<f64>());
    assert_eq!(pullback(1.0), anomaly::grad(0.4));
}
