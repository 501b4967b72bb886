//! Right-hand sides that pass the state on to a function, without the types of their parameters.

use crate::check;
use differentiable::ad::check_hvp;
use differentiable::implicit::{NewtonOptions, newton};
use differentiable::ode::{Crossing, Options, dopri5_until, rk4};
use differentiable::prelude::*;

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Spring {
    k: f64,
    drag: f64,
}

#[differentiable(higher_order)]
impl Spring {
    fn rate(&self, _t: f64, y: &[f64]) -> Vec<f64> {
        vec![y[1], -self.k * y[0].sin() - self.drag * y[1]]
    }
    /// The closure is given to a function that is no solver of ours.
    fn step(&self, y: &[f64], h: f64) -> Vec<f64> {
        let rate = of(|t, y| self.rate(t, y), y);
        vec![y[0] + h * rate[0], y[1] + h * rate[1]]
    }
}

#[differentiable(higher_order)]
fn of(f: impl Fn(f64, &[f64]) -> Vec<f64>, y: &[f64]) -> Vec<f64> {
    f(0.0, y)
}

#[differentiable(higher_order)]
fn swing(spring: &Spring, start: &[f64]) -> f64 {
    let y = spring.step(start, 0.1);
    let end = rk4(|t, y| spring.rate(t, y), &y, 0.0, 0.5, 3);
    end[0] * end[1]
}

#[differentiable(higher_order)]
fn lands(_t: f64, y: &[f64; 2]) -> f64 {
    y[0]
}

#[differentiable(higher_order)]
fn falls(y: &[f64; 2], g: f64) -> [f64; 2] {
    [y[1], -g * (1.0 + 0.1 * y[1])]
}

#[differentiable(higher_order)]
fn landing(start: &[f64; 2], g: f64) -> f64 {
    let options = no_grad!(Options {
        rtol: 1e-11,
        atol: 1e-11,
        ..Default::default()
    });
    let found = dopri5_until(
        |_, y| falls(y, g),
        |t, y| lands(t, y),
        Crossing::Falling,
        start,
        0.0,
        9.0,
        &options,
    );
    match found {
        Ok((t, y, _)) => t * y[1],
        Err(_) => 0.0,
    }
}

#[differentiable(higher_order)]
fn residual(y: &[f64; 2], x: &[f64]) -> [f64; 2] {
    [
        y[0].powi(3) + x[0] * y[0] - 1.0 + 0.1 * y[1],
        y[1] + x[1] * y[0].sin(),
    ]
}

#[differentiable(higher_order)]
fn solved(x: &[f64]) -> f64 {
    let options = NewtonOptions {
        tolerance: 1e-13,
        ..Default::default()
    };
    match newton(|y| residual(y, x), &[1.0, 0.0], &options) {
        Ok(y) => y[0] * y[1],
        Err(_) => 0.0,
    }
}

/// A solver of the user's with the name of one of ours, whose state is a value.
mod own {
    use differentiable::prelude::*;

    #[differentiable(higher_order)]
    pub fn rk4(f: impl Fn(f64, f64) -> f64, start: f64, t0: f64, t1: f64, steps: usize) -> f64 {
        let h = (t1 - t0) / steps as f64;
        let (mut y, mut t) = (start, t0);
        for _ in 0..steps {
            y += h * f(t, y);
            t += h;
        }
        y
    }

    #[differentiable(higher_order)]
    pub fn rate(t: f64, y: f64, k: f64) -> f64 {
        t - k * y * y
    }
}

#[differentiable(higher_order)]
fn by_value(start: f64, k: f64) -> f64 {
    own::rk4(|t, y| own::rate(t, y, k), start, 0.0, 1.0, 10)
}

#[test]
fn states_are_passed_on() {
    let spring = Spring { k: 1.3, drag: 0.2 };
    check::<swing, _>(&(spring.clone(), vec![0.7, 0.3]));
    check_hvp::<swing, _, _>(&(spring, vec![0.7, 0.3])).unwrap();
    check::<solved, _>(&(vec![0.7, 0.3],));
    check_hvp::<solved, _, _>(&(vec![0.7, 0.3],)).unwrap();
    check::<by_value, _>(&(0.7, 0.3));
    let args = ([0.4, 1.0], 2.0);
    check::<landing, _>(&args);
    check_hvp::<landing, _, _>(&args).unwrap();
}
