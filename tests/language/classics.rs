//! What differentiation by programs is known to get wrong.

use crate::check;
use differentiable::prelude::*;

#[differentiable]
fn power(x: f64, y: f64) -> f64 {
    x.powf(y)
}

#[differentiable]
fn integer_power(x: f64, n: i32) -> f64 {
    x.powi(n)
}

#[test]
fn zero_to_the_zero() {
    assert_eq!(integer_power::grad(0.0, 0), 0.0);
    assert_eq!(integer_power::grad(0.0, 1), 1.0);
    let (value, (d_x, _)) = power::value_and_grad(0.0, 0.0);
    assert_eq!((value, d_x), (1.0, 0.0));
    assert_eq!(power::grad(0.0, 2.0), (0.0, 0.0));
}

#[differentiable]
fn largest(x: f64, y: f64) -> f64 {
    x.max(y)
}

#[test]
fn ties() {
    assert_eq!(largest::grad(2.0, 2.0), (0.5, 0.5));
}

#[differentiable]
fn guarded_root(x: f64) -> f64 {
    if x > 0.0 { x.sqrt() } else { 0.0 }
}

#[differentiable]
fn chosen_late(x: f64) -> f64 {
    let root = x.sqrt();
    let quotient = 1.0 / x;
    if x > 0.0 { root * quotient } else { x * 3.0 }
}

#[differentiable]
fn root_times_zero(x: f64) -> f64 {
    x.sqrt() * 0.0 + x
}

#[test]
fn a_nan_in_the_side_not_taken() {
    assert_eq!(guarded_root::grad(0.0), 0.0);
    assert_eq!(chosen_late::grad(0.0), 3.0); // an infinite slope and an infinite value
    assert_eq!(chosen_late::grad(-1.0), 3.0); // a value that is not a number
    assert_eq!(chosen_late::jvp((-1.0, 1.0)).1, 3.0);
    assert_eq!(root_times_zero::grad(0.0), 1.0);
}

#[differentiable]
fn unused(x: f64, _y: f64, _w: &[f64], n: usize) -> f64 {
    let _dropped = x * x;
    x * n as f64
}

#[test]
fn unused_arguments() {
    assert_eq!(
        unused::grad(2.0, 3.0, &[1.0, 2.0], 4),
        (4.0, 0.0, vec![0.0; 2])
    );
}

#[differentiable]
fn constant_result(_x: f64) -> f64 {
    2.5
}

#[differentiable]
fn identity(x: f64) -> f64 {
    x
}

#[test]
fn results_that_do_not_depend_or_are_the_argument() {
    assert_eq!(constant_result::grad(1.0), 0.0);
    assert_eq!(identity::grad(7.0), 1.0);
}

#[differentiable]
fn by_integers(x: f64, n: usize) -> f64 {
    let steps = if x > 1.0 { n } else { n + 2 };
    let kind = match x {
        v if v > 2.0 => 0,
        _ => 1,
    };
    let mut y = x;
    for i in 0..steps {
        if i & 1 == kind {
            y *= x;
        } else {
            y += (i * i / 2) as f64 * x;
        }
    }
    y
}

#[test]
fn branches_with_integers_as_values() {
    check::<by_integers, _>(&(0.7, 3));
    check::<by_integers, _>(&(1.7, 3));
    check::<by_integers, _>(&(2.7, 3));
}

#[differentiable]
#[allow(unused_assignments)]
fn overwritten(x: f64, y: f64) -> f64 {
    let mut a = x * y;
    a = y;
    let mut b = [x, y];
    b[0] = a * b[1];
    for _ in 0..3 {
        a = x.sin();
        a = a * b[0];
        b[0] = y;
    }
    a * b[0]
}

#[test]
fn values_overwritten_before_use() {
    check::<overwritten, _>(&(0.7, 1.3));
}

#[differentiable]
fn mixed(x: f32, y: f64) -> f64 {
    let z = x * x * 0.5;
    let w = (y as f32) * z;
    w as f64 * y + f64::from(3u8)
}

#[test]
fn single_and_double_precision() {
    let (d_x, d_y): (f32, f64) = mixed::grad(1.5, 0.5);
    assert!((d_x - 1.5 * 0.25).abs() < 1e-6);
    assert!((d_y - 2.0 * 0.5 * 1.125).abs() < 1e-6);
}

#[differentiable]
fn very_long(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = y * 0.999_999 + x * 1e-6;
    }
    y
}

#[differentiable]
fn long_and_kept(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = 0.5 * (y + x / y);
    }
    y
}

#[test]
fn ten_million_trips() {
    // The map is linear with the fixed point x: the slope stays 1.
    assert!((very_long::grad(0.7, 10_000_000) - 1.0).abs() < 1e-8);
    // 8 bytes a trip are kept.
    assert!((long_and_kept::grad(2.0, 10_000_000) - 0.5 / 2f64.sqrt()).abs() < 1e-12);
}

#[differentiable]
fn stops(x: &[f64], limit: f64) -> f64 {
    let mut v = vec![x[0]];
    for i in 1..x.len() {
        assert!(x[i] < limit, "{} is too large", x[i]);
        v.push(v[i - 1] * x[i]);
    }
    v[v.len() - 1]
}

#[test]
fn a_panic_in_a_loop() {
    let args = (vec![0.5, 2.0, 1.5], 9.0);
    let before = stops::grad(&args.0, args.1);
    let stopped = std::panic::catch_unwind(|| stops::grad(&[0.5, 2.0, 100.0], 9.0));
    let message = *stopped.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(message, "100 is too large");
    assert_eq!(stops::grad(&args.0, args.1), before);
    check::<stops, _>(&args);
}
