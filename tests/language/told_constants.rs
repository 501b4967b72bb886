//! Constants of the file and of the standard library, whose types the macro reads, and names that mean something else.

use crate::check;
use differentiable::prelude::*;
use std::f64::consts::{FRAC_1_SQRT_2 as HALF_ROOT, PI, TAU};

const GRAVITY: f64 = 9.81;
pub(crate) const WEIGHTS: [f64; 3] = [0.2, -0.4, 0.9];
static LEVELS: &[f64] = &[0.5, 1.5];
const COUNT: usize = 3;
const SINGLE: f32 = 0.75;
type Rate = f64;
const RATE: Rate = 0.3;

#[differentiable]
fn of_the_file(x: f64, n: usize) -> f64 {
    let mut y = x * GRAVITY + PI.sqrt();
    for i in 0..n {
        y = y * HALF_ROOT / TAU + WEIGHTS[i % COUNT] * x;
        y += (LEVELS[i % 2] - RATE) * y.sin();
    }
    y / (2.0 * PI).sqrt()
}

#[differentiable]
fn single(x: f32) -> f32 {
    x * SINGLE + SINGLE.sqrt() / x
}

#[test]
fn from_the_file() {
    check::<of_the_file, _>(&(0.7, 5));
    let slope = single::grad(0.6);
    assert!((slope - (0.75 - 0.75_f32.sqrt() / 0.36)).abs() < 1e-5);
}

/// Constants inside and constant parameters go before those of the file.
#[differentiable]
fn hidden<const COUNT: usize>(x: &[f32; COUNT], y: f64) -> f64 {
    const RATE: f32 = 0.5;
    static GRAVITY: f32 = 3.0;
    let turned = x[0] * GRAVITY * RATE;
    f64::from(turned) * y + y.powi(COUNT as i32)
}

#[test]
fn other_things_of_the_name() {
    let (by_x, by_y) = hidden::grad(&[0.25, 2.0], 0.4);
    assert_eq!(by_x, [0.4_f32 * 1.5, 0.0]);
    assert_eq!(by_y, 0.25 * 1.5 + 2.0 * 0.4);
}

mod all {
    use differentiable::prelude::*;
    use std::f32::consts::*;

    /// The one of the file hides that of `*`.
    const E: f64 = 2.5;

    #[differentiable]
    pub fn from_a_module(x: f32, y: f64) -> f64 {
        f64::from(x * PI + LN_2) * y * E
    }

    pub mod inner {
        use super::*;

        #[differentiable]
        pub fn from_around(y: f64) -> f64 {
            y * E + y.sin() / E
        }
    }
}

#[test]
fn imported_by_a_star() {
    let (by_x, by_y) = all::from_a_module::grad(0.3, 0.8);
    let slope = std::f32::consts::PI * (0.8 * 2.5);
    assert!((by_x - slope).abs() < 1e-6);
    let value = f64::from(0.3 * std::f32::consts::PI + std::f32::consts::LN_2) * 2.5;
    assert!((by_y - value).abs() < 1e-12);
    check::<all::inner::from_around, _>(&(0.9,));
}
