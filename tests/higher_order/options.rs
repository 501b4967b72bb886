//! `Option` and `Result` in functions with derivatives of higher order.

use differentiable::ad::{check_grads, check_hvp};
use differentiable::prelude::*;

#[differentiable(higher_order)]
fn roots(a: f64, b: f64, c: f64) -> Option<(f64, f64)> {
    let d = b * b - 4.0 * a * c;
    if d < 0.0 {
        return None;
    }
    let q = -0.5 * (b + b.signum() * d.sqrt());
    Some((q / a, c / q))
}

#[differentiable(higher_order)]
fn first_root(a: f64, b: f64) -> Option<f64> {
    let (x, y) = roots(a, b, 0.3)?;
    Some(x * y + x)
}

#[differentiable(higher_order)]
fn quotient(a: f64, b: f64) -> Result<f64, String> {
    if b == 0.0 {
        return Err("divided by zero".to_string());
    }
    Ok(a / b)
}

/// An error of a type of its own, which is the same over any scalar.
#[derive(Debug, Clone, PartialEq)]
enum NoRoot {
    Flat,
    TooFar { steps: usize },
}

#[differentiable(higher_order)]
fn cubic_root(a: f64) -> Result<f64, NoRoot> {
    if a == 0.0 {
        return Err(NoRoot::Flat);
    }
    let mut x = 1.0;
    for _ in 0..50 {
        let y = x * x * x + a * x - 1.0;
        if y.abs() < 1e-14 {
            return Ok(x);
        }
        x -= y / (3.0 * x * x + a);
    }
    Err(NoRoot::TooFar { steps: 50 })
}

#[differentiable(higher_order)]
fn both_roots(a: f64) -> Result<f64, NoRoot> {
    let x = cubic_root(a)?;
    Ok(x * cubic_root(a * x)?)
}

#[differentiable(higher_order)]
fn rooted(a: f64, b: f64) -> f64 {
    both_roots(a).unwrap_or(0.0) * b + both_roots(a - 1.0).unwrap_or(b * b)
}

#[differentiable(higher_order)]
fn all(a: f64, b: f64) -> f64 {
    let roots = match roots(a, b, 0.7) {
        Some((x, y)) => x.exp() + y * y,
        None => 0.5 * a,
    };
    let first = if let Some(x) = first_root(a, b) { x } else { b };
    let ratio = match quotient(a, b) {
        Ok(q) => q,
        Err(_) => a * a,
    };
    roots * first + ratio
}

#[test]
fn results_of_other_functions() {
    for args in [(1.0, -3.0), (2.0, 0.1), (0.4, 2.5)] {
        check_grads::<all, _>(&args).unwrap();
        check_hvp::<all, f64, _>(&args).unwrap();
    }
    for args in [(1.5, -3.0), (2.0, 0.1), (0.4, 2.5)] {
        check_grads::<rooted, _>(&args).unwrap();
        check_hvp::<rooted, f64, _>(&args).unwrap();
    }
    assert_eq!(both_roots(0.0), Err(NoRoot::Flat));
    assert_eq!(both_roots(f64::NAN), Err(NoRoot::TooFar { steps: 50 }));
    assert_eq!(quotient(1.0, 0.0), Err("divided by zero".to_string()));
    let (value, pullback) = first_root::vjp(1.0, -3.0);
    let (by_a, by_b) = pullback(Some(1.0));
    let at = |a, b| first_root(a, b).unwrap();
    assert_eq!(value, Some(at(1.0, -3.0)));
    assert!((by_a - (at(1.0 + 1e-6, -3.0) - at(1.0 - 1e-6, -3.0)) / 2e-6).abs() < 1e-8);
    assert!((by_b - (at(1.0, -3.0 + 1e-6) - at(1.0, -3.0 - 1e-6)) / 2e-6).abs() < 1e-8);
}
