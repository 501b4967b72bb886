//! Lesson 1: the derivative of an ordinary function.
//!
//! `#[differentiable]` leaves the function as it is and adds `grad`, `value_and_grad`, `vjp` and
//! `jvp` beside it.

use differentiable::prelude::*;

/// How far a ball flies that is thrown from the ground, without air.
#[differentiable]
fn distance(speed: f64, angle: f64) -> f64 {
    speed * speed * (2.0 * angle).sin() / 9.81
}

/// Loops, branches and slices are ordinary Rust too.
#[differentiable]
fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    let mut sum = 0.0;
    let mut power = 1.0;
    for i in 0..coefficients.len() {
        sum += coefficients[i] * power;
        power *= x;
    }
    sum
}

fn main() {
    let (speed, angle) = (20.0, 0.6);
    let (value, (by_speed, by_angle)) = distance::value_and_grad(speed, angle);
    println!("distance {value:.3} m");
    println!("one m/s faster: {by_speed:+.3} m; one radian steeper: {by_angle:+.3} m");

    // Forward mode: the change of the value along one direction, here 1 m/s and −0.1 rad.
    let (_, change) = distance::jvp((speed, 1.0), (angle, -0.1));
    println!("both together: {change:+.3} m");

    // The gradient climbs to the angle that throws farthest, 45°.
    let mut best = angle;
    for _ in 0..100 {
        best += 0.01 * distance::grad(speed, best).1;
    }
    println!("best angle {:.2}°", best.to_degrees());

    // 1 + 2x + 3x² at 2: the derivative by the coefficients is (1, x, x²), by x it is 2 + 6x.
    let (by_coefficients, by_x) = polynomial::grad(&[1.0, 2.0, 3.0], 2.0);
    println!("polynomial: {by_coefficients:?} and {by_x}");
}
