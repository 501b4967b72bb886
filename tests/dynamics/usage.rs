//! Solvers where programs call them: by their path, in methods, loops and generic functions.

use super::with_step;
use differentiable::ad::check_grads_with;
use differentiable::implicit;
use differentiable::ode::{self, Options};
use differentiable::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Pendulum {
    length: f64,
    drag: f64,
    #[constant]
    accuracy: f64,
}

#[differentiable]
impl Pendulum {
    fn slope(&self, t: f64, y: &[f64; 2]) -> [f64; 2] {
        [
            y[1],
            -9.81 / self.length * y[0].sin() - self.drag * y[1] + 0.1 * t,
        ]
    }

    /// The angles at the ends of equal parts of the time.
    fn angles(&self, start: &[f64; 2], time: f64, parts: usize) -> Vec<f64> {
        let options = no_grad!(Options {
            rtol: self.accuracy,
            atol: self.accuracy,
            ..Options::default()
        });
        let mut y = *start;
        let mut angles = Vec::new();
        let part = time / parts as f64;
        for i in 0..parts {
            let from = i as f64 * part;
            y = ode::dopri5(
                |t, y: &[f64; 2]| self.slope(t, y),
                &y,
                from,
                from + part,
                &options,
            )
            .unwrap();
            angles.push(y[0]);
        }
        angles
    }
}

#[differentiable]
fn swings(pendulum: &Pendulum, start: &[f64; 2], time: f64) -> f64 {
    let angles = pendulum.angles(start, time, 3);
    angles.iter().map(|a| a * a).sum()
}

#[test]
fn in_a_loop_of_a_method() {
    let pendulum = Pendulum {
        length: 1.3,
        drag: 0.2,
        accuracy: 1e-11,
    };
    check_grads_with::<swings, _>(&(pendulum, [0.5, -0.2], 2.0), with_step(1e-4)).unwrap();
}

/// A boundary value problem by shooting: the speed at the start with which the end is reached.
#[differentiable]
fn shot(goal: f64, drag: f64) -> f64 {
    let miss = |v: &f64| {
        let y = ode::rk4(
            |_, y: &[f64; 2]| [y[1], -9.81 - drag * y[1]],
            &[0.0, *v],
            0.0,
            1.0,
            20,
        );
        y[0] - goal
    };
    implicit::newton(miss, &1.0, &implicit::NewtonOptions::default()).unwrap()
}

#[test]
fn a_solution_inside_of_an_equation() {
    let (v, (by_goal, _)) = shot::value_and_grad(2.0, 1e-9);
    assert!((v - 2.0 - 0.5 * 9.81).abs() < 1e-6 && (by_goal - 1.0).abs() < 1e-6);
    check_grads_with::<shot, _>(&(2.0, 0.4), with_step(1e-4)).unwrap();
}

/// The other way round: an equation in every evaluation of the right-hand side.
#[differentiable]
fn algebraic(y0: f64, k: f64) -> f64 {
    // z³ + z = k y
    let rate = |_: f64, y: &f64| {
        let z = implicit::newton(
            |z| z * z * z + z - k * y,
            &0.0,
            &implicit::NewtonOptions::default(),
        )
        .unwrap();
        -z
    };
    ode::rk4(rate, &y0, 0.0, 1.0, 10)
}

#[test]
fn an_equation_inside_of_a_solution() {
    check_grads_with::<algebraic, _>(&(1.0, 1.5), with_step(1e-4)).unwrap();
}

/// A right-hand side that is passed on.
#[differentiable]
fn integrated(f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    ode::dopri5(|t, _: &f64| f(t), &0.0, a, b, &Options::default()).unwrap()
}

#[differentiable]
fn area(k: f64, b: f64) -> f64 {
    integrated(|t| (k * t).cos(), 0.0, b)
}

#[test]
fn a_function_that_is_passed_on() {
    let (by_k, by_b) = area::grad(2.0, 1.0); // of sin(k b) / k
    assert!((by_b - 2f64.cos()).abs() < 1e-6);
    assert!((by_k - (2f64.cos() / 2.0 - 2f64.sin() / 4.0)).abs() < 1e-6);
}

/// Only some of the arguments have a derivative.
#[differentiable]
fn partly(y0: &[f64], #[constant] a: f64, k: f64, #[constant] n: usize) -> f64 {
    let path = ode::rk4_path(|_, y: &[f64]| vec![a * k * y[0], y[0]], y0, 0.0, 1.0, n);
    let mut all = 0.0;
    for y in path.iter() {
        all += y[1];
    }
    all
}

#[test]
fn constants_are_held() {
    let (by_y0, by_k) = partly::grad(&[1.0, 0.0], 0.7, 1.1, 8);
    let at = |y: f64, k: f64| partly(&[y, 0.0], 0.7, k, 8);
    assert!((by_y0[0] - (at(1.001, 1.1) - at(0.999, 1.1)) / 2e-3).abs() < 1e-6);
    assert!((by_k - (at(1.0, 1.101) - at(1.0, 1.099)) / 2e-3).abs() < 1e-5);
}
