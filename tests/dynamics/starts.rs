//! Starts without a name and without a derivative: slices of temporaries and of constants.

use differentiable::ad::check_grads;
use differentiable::implicit::{ImplicitError, NewtonOptions, newton};
use differentiable::ode::rk4;
use differentiable::prelude::*;

#[differentiable]
fn of_an_array(k: f64) -> f64 {
    let y = rk4(
        |_, y: &[f64; 2]| [k * y[0], y[1]],
        &[1.0, 2.0],
        0.0,
        1.0,
        10,
    );
    y[0] * y[1]
}

#[differentiable]
fn of_a_part(k: f64) -> f64 {
    let f = |_, y: &[f64]| vec![k * y[0], y[1]];
    let y = rk4(f, &[3.0, 1.0, 2.0][1..], 0.0, 1.0, 10);
    y[0] * y[1]
}

#[differentiable]
fn of_a_slice(k: f64) -> f64 {
    let start = vec![1.0, 2.0];
    let f = |_, y: &[f64]| vec![k * y[0], y[1]];
    let y = rk4(f, start.as_slice(), 0.0, 1.0, 10);
    y[0] * y[1]
}

#[differentiable]
fn of_a_temporary(k: f64) -> f64 {
    let f = |_, y: &[f64]| vec![k * y[0], y[1]];
    let y = rk4(f, vec![1.0, 2.0].as_slice(), 0.0, 1.0, 10);
    y[0] * y[1]
}

#[differentiable]
fn root(a: f64) -> Result<f64, ImplicitError> {
    let f = |x: &[f64]| vec![x[0] * x[0] - a, x[1] - 2.0 * x[0]];
    let x = newton(f, &[1.0, 2.0][..], &NewtonOptions::default())?;
    Ok(x[0] + x[1])
}

#[test]
fn all_start_from_the_same() {
    let expected = of_an_array::value_and_grad(0.7);
    assert_eq!(of_a_part::value_and_grad(0.7), expected);
    assert_eq!(of_a_slice::value_and_grad(0.7), expected);
    assert_eq!(of_a_temporary::value_and_grad(0.7), expected);
    check_grads::<of_a_part, _>(&(0.7,)).unwrap();
    check_grads::<of_a_slice, _>(&(0.7,)).unwrap();
    check_grads::<of_a_temporary, _>(&(0.7,)).unwrap();
}

#[test]
fn a_root_from_a_slice() {
    let (x, pullback) = root::vjp(2.0);
    assert!((x.unwrap() - 3.0 * 2f64.sqrt()).abs() < 1e-8);
    assert!((pullback(Some(1.0)) - 1.5 / 2f64.sqrt()).abs() < 1e-8);
    check_grads::<root, _>(&(2.0,)).unwrap();
}
