//! The classical Runge–Kutta method.

use differentiable::ad::check_grads;
use differentiable::ode::{Checkpoints, rk4, rk4_path, rk4_with};
use differentiable::prelude::*;

/// `y' = k y`
#[differentiable]
fn growth(y0: f64, k: f64, t0: f64, t1: f64, #[constant] steps: usize) -> f64 {
    rk4(|_, y| k * y, &y0, t0, t1, steps)
}

#[test]
fn growth_is_exponential() {
    let exact = 2.0 * 0.6_f64.exp();
    let (y, (by_y0, by_k, by_t0, by_t1)) = growth::value_and_grad(2.0, 0.5, 0.3, 1.5, 400);
    assert!((y - exact).abs() < 1e-11);
    assert!((by_y0 - exact / 2.0).abs() < 1e-11);
    assert!((by_k - 1.2 * exact).abs() < 1e-10);
    assert!((by_t0 + 0.5 * exact).abs() < 1e-10);
    assert!((by_t1 - 0.5 * exact).abs() < 1e-10);
    check_grads::<growth, _>(&(2.0, 0.5, 0.3, 1.5, 3)).unwrap();
    check_grads::<growth, _>(&(2.0, 0.5, 1.5, 0.3, 7)).unwrap();
}

#[derive(Clone, Debug, Differentiable)]
struct Spring {
    stiffness: f64,
    drag: Vec<f64>,
}

/// Forces that depend on time, a struct, a slice and a local variable.
#[differentiable]
fn driven(y0: &[f64], spring: &Spring, amplitude: f64, end: f64) -> Vec<f64> {
    let doubled = 2.0 * amplitude;
    let rate = |t: f64, y: &[f64]| {
        let force = doubled * (3.0 * t).sin() - spring.stiffness * y[0];
        vec![
            y[1],
            force - spring.drag[0] * y[1] - spring.drag[1] * y[1].powi(3),
        ]
    };
    rk4(rate, y0, 0.0, end, 10)
}

#[differentiable]
fn oscillator(y: &[f64; 2], w: f64) -> [f64; 2] {
    rk4(|_, y| [y[1], -w * w * y[0]], y, 0.0, 1.0, 40)
}

#[differentiable]
fn rate(t: f64, y: &[f64]) -> Vec<f64> {
    vec![y[1] * t, -y[0]]
}

#[differentiable]
fn by_name(y0: &[f64]) -> f64 {
    let y = rk4(rate, y0, 0.0, 1.0, 5);
    y[0] * y[1]
}

/// Every state counts.
#[differentiable]
fn path(y0: &[f64; 2], w: f64, t1: f64, #[constant] steps: usize) -> f64 {
    let path = rk4_path(|t, y| [y[1] * t, -w * y[0]], y0, 0.1, t1, steps);
    let mut sum = 0.0;
    for (i, y) in path.iter().enumerate() {
        sum += y[0] * y[0] * (1.0 + i as f64) + y[1];
    }
    sum
}

/// Bodies in a plane, as an array of arrays.
#[differentiable]
fn bodies(start: &[[f64; 2]], pull: f64) -> Vec<[f64; 2]> {
    let rate = |_: f64, y: &[[f64; 2]]| {
        let mut out = y.to_vec();
        for i in 0..y.len() {
            out[i] = [y[i][1], -pull * y[i][0]];
        }
        out
    };
    rk4(rate, start, 0.0, 1.0, 6)
}

#[test]
fn derivatives_agree_with_differences() {
    let spring = Spring {
        stiffness: 4.0,
        drag: vec![0.3, 0.1],
    };
    check_grads::<driven, _>(&(vec![1.0, -0.5], spring, 0.7, 1.3)).unwrap();
    check_grads::<oscillator, _>(&([1.0, 0.5], 2.0)).unwrap();
    check_grads::<by_name, _>(&(vec![1.0, 0.5],)).unwrap();
    check_grads::<path, _>(&([1.0, 0.5], 2.0, 1.1, 9)).unwrap();
    check_grads::<bodies, _>(&(vec![[1.0, 0.5], [0.3, 0.2], [-1.0, 0.1]], 2.0)).unwrap();
}

#[test]
fn values_are_those_of_the_function() {
    let y0 = [1.0, 0.5];
    let (value, _) = oscillator::vjp(&y0, 2.0);
    assert_eq!(value, oscillator(&y0, 2.0));
    assert_eq!(path::vjp(&y0, 2.0, 1.1, 9).0, path(&y0, 2.0, 1.1, 9));
    assert_eq!(
        path::jvp((&y0, &[1.0, 0.0]), (2.0, 0.0), (1.1, 0.0), 9).0,
        path(&y0, 2.0, 1.1, 9)
    );
}

#[test]
fn the_order_is_four() {
    let error = |steps| {
        let y = rk4(
            |_, y: &[f64; 2]| [y[1], -y[0]],
            &[0.0, 1.0],
            0.0,
            2.0,
            steps,
        );
        (y[0] - 2f64.sin()).hypot(y[1] - 2f64.cos())
    };
    for steps in [10, 20, 40] {
        let order = (error(steps) / error(2 * steps)).log2();
        assert!((order - 4.0).abs() < 0.1, "order {order}");
    }
}

#[differentiable]
fn kept(y0: &[f64; 2], w: f64, #[constant] steps: usize, checkpoints: &Checkpoints) -> [f64; 2] {
    rk4_with(
        |t, y| [y[1] * t, -w * y[0]],
        y0,
        0.0,
        1.0,
        steps,
        checkpoints,
    )
}

#[test]
fn checkpoints_change_no_bit() {
    for steps in [1, 2, 3, 10, 97] {
        let of = |c: Checkpoints| {
            let (value, pullback) = kept::vjp(&[1.0, 0.3], 1.7, steps, &c);
            (value, pullback([0.3, -1.1]))
        };
        let all = of(Checkpoints::Every(1));
        for c in [
            Checkpoints::Auto,
            Checkpoints::Every(4),
            Checkpoints::Every(1000),
        ] {
            assert_eq!(of(c), all, "{c:?}, {steps} steps");
        }
    }
}

#[test]
#[should_panic(expected = "at least one step")]
fn no_step_is_a_panic() {
    rk4(|_, y: &f64| *y, &1.0, 0.0, 1.0, 0);
}

#[test]
#[should_panic(expected = "returned 1 numbers for a state of 2")]
fn a_rate_of_another_length_is_a_panic() {
    rk4(|_, y: &[f64]| vec![y[0]], &[1.0, 2.0][..], 0.0, 1.0, 1);
}

#[test]
fn an_empty_state_stays_empty() {
    assert_eq!(
        rk4(|_, y: &[f64]| y.to_vec(), &[][..], 0.0, 1.0, 3),
        Vec::<f64>::new()
    );
    assert_eq!(driven_by_nothing::grad(&[], 1.0), (vec![], 0.0));
}

#[differentiable]
fn driven_by_nothing(y0: &[f64], k: f64) -> f64 {
    let y = rk4(
        |_, y: &[f64]| y.iter().map(|y| k * y).collect(),
        y0,
        0.0,
        1.0,
        3,
    );
    y.iter().sum()
}
