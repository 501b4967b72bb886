//! Steps of Dormand and Prince, of a size that is chosen.

use super::{tight, with_step};
use differentiable::ad::check_grads_with;
use differentiable::ode::{Checkpoints, OdeError, Options, dopri5, dopri5_at};
use differentiable::prelude::*;

#[differentiable]
fn logistic(y0: f64, r: f64, k: f64, t0: f64, t1: f64) -> Result<f64, OdeError> {
    let options = no_grad!(tight());
    dopri5(|_, y| r * y * (1.0 - y / k), &y0, t0, t1, &options)
}

/// `k / (1 + (k / y0 − 1) e^(−r t))`, and its gradient.
fn logistic_exactly(y0: f64, r: f64, k: f64, t: f64) -> (f64, [f64; 4]) {
    let e = (-r * t).exp();
    let d = 1.0 + (k / y0 - 1.0) * e;
    let y = k / d;
    let by_y0 = k * k / (y0 * y0) * e / (d * d);
    let by_r = k * (k / y0 - 1.0) * t * e / (d * d);
    let by_k = 1.0 / d - k * e / (y0 * d * d);
    (y, [by_y0, by_r, by_k, r * y * (1.0 - y / k)])
}

#[test]
fn logistic_growth() {
    let (y0, r, k, t0, t1) = (0.3, 1.4, 5.0, -0.5, 2.0);
    let (exact, by) = logistic_exactly(y0, r, k, t1 - t0);
    let (value, pullback) = logistic::vjp(y0, r, k, t0, t1);
    assert!((value.unwrap() - exact).abs() < 1e-10);
    let (by_y0, by_r, by_k, by_t0, by_t1) = pullback(Some(1.0));
    let pairs = [
        (by_y0, by[0]),
        (by_r, by[1]),
        (by_k, by[2]),
        (by_t1, by[3]),
        (by_t0, -by[3]),
    ];
    for (found, exact) in pairs {
        assert!(
            (found - exact).abs() < 1e-9,
            "found {found}, exactly {exact}"
        );
    }
    let (_, t) = logistic::jvp((y0, 0.1), (r, 0.2), (k, 0.3), (t0, 0.4), (t1, 0.5));
    let along = 0.1 * by[0] + 0.2 * by[1] + 0.3 * by[2] + 0.1 * by[3];
    assert!((t.unwrap() - along).abs() < 1e-9);
    check_grads_with::<logistic, _>(&(y0, r, k, t0, t1), with_step(1e-4)).unwrap();
}

/// `y' = A y`, states at given times.
#[differentiable]
fn linear(
    y0: &[f64],
    a: &[[f64; 2]; 2],
    times: &[f64],
    rtol: f64,
) -> Result<Vec<Vec<f64>>, OdeError> {
    let options = no_grad!(Options {
        rtol,
        atol: rtol,
        ..Options::default()
    });
    let rate = |_: f64, y: &[f64]| {
        vec![
            a[0][0] * y[0] + a[0][1] * y[1],
            a[1][0] * y[0] + a[1][1] * y[1],
        ]
    };
    dopri5_at(rate, y0, 0.0, times, &options)
}

/// `e^(A t)` of `A = [[a, w], [−w, a]]`.
fn rotation(a: f64, w: f64, t: f64) -> [[f64; 2]; 2] {
    let (s, c) = (w * t).sin_cos();
    let e = (a * t).exp();
    [[e * c, e * s], [-e * s, e * c]]
}

#[test]
fn a_linear_system_follows_the_matrix_exponential() {
    let (a, w, y0) = (-0.2, 3.0, [1.0, 0.4]);
    let times = [0.0, 0.1, 0.35, 2.0, 2.0, 4.5];
    let matrix = [[a, w], [-w, a]];
    let (states, pullback) = linear::vjp(&y0, &matrix, &times, 1e-11);
    let states = states.unwrap();
    for (t, y) in times.iter().zip(&states) {
        let m = rotation(a, w, *t);
        for i in 0..2 {
            assert!(
                (y[i] - m[i][0] * y0[0] - m[i][1] * y0[1]).abs() < 1e-8,
                "at {t}"
            );
        }
    }
    // Of the first number at 2.0, the second of these times, by everything.
    let mut ct = vec![vec![0.0; 2]; times.len()];
    ct[4][0] = 1.0;
    let (by_y0, by_a, by_times, _) = pullback(Some(ct));
    let m = rotation(a, w, 2.0);
    assert!((by_y0[0] - m[0][0]).abs() < 1e-8 && (by_y0[1] - m[0][1]).abs() < 1e-8);
    // Along `a`: the derivative of e^(A t) by the identity is t e^(A t).
    let by_decay = by_a[0][0] + by_a[1][1];
    assert!((by_decay - 2.0 * states[4][0]).abs() < 1e-7);
    let speed = a * states[4][0] + w * states[4][1];
    assert!((by_times[4] - speed).abs() < 1e-6);
    assert_eq!((by_times[3], by_times[0], by_times[5]), (0.0, 0.0, 0.0));
}

#[test]
fn states_at_times_agree_with_differences() {
    let args = (
        vec![1.0, 0.4],
        [[-0.2, 1.0], [-2.0, 0.1]],
        vec![0.3, 0.31, 1.0, 1.7],
        1e-11,
    );
    #[differentiable]
    fn sum(y0: &[f64], a: &[[f64; 2]; 2], times: &[f64], #[constant] rtol: f64) -> f64 {
        let states = linear(y0, a, times, rtol).unwrap();
        states.iter().map(|y| y[0] * y[0] + 0.3 * y[1]).sum()
    }
    check_grads_with::<sum, _>(&args, with_step(1e-4)).unwrap();
}

#[test]
fn backwards_in_time() {
    let there = |t: f64| rotation(-0.2, 3.0, t);
    let states = linear(
        &[1.0, 0.0],
        &[[-0.2, 3.0], [-3.0, -0.2]],
        &[-0.5, -1.0],
        1e-11,
    )
    .unwrap();
    assert!((states[1][0] - there(-1.0)[0][0]).abs() < 1e-8);
    assert!((states[0][1] - there(-0.5)[1][0]).abs() < 1e-8);
}

#[test]
fn nowhere_to_go() {
    let (value, pullback) = logistic::vjp(0.3, 1.4, 5.0, 0.7, 0.7);
    assert_eq!(value.unwrap(), 0.3);
    let (by_y0, by_r, _, by_t0, by_t1) = pullback(Some(1.0));
    let rate = 1.4 * 0.3 * (1.0 - 0.3 / 5.0);
    assert_eq!((by_y0, by_r), (1.0, 0.0));
    assert!((by_t1 - rate).abs() < 1e-12 && (by_t0 + rate).abs() < 1e-12);
    assert_eq!(
        linear(&[1.0, 0.0], &[[0.0; 2]; 2], &[], 1e-3).unwrap(),
        Vec::<Vec<f64>>::new()
    );
    assert_eq!(
        linear::vjp(&[1.0, 0.0], &[[0.0; 2]; 2], &[], 1e-3).1(Some(vec![])).0,
        [0.0, 0.0]
    );
}

#[test]
fn the_order_is_five_and_that_of_the_interpolant_four() {
    let spring = |_: f64, y: &[f64; 2]| [y[1], -y[0]];
    let run = |h: f64, times: &[f64]| {
        let options = Options {
            rtol: 1e3,
            atol: 1e3,
            first_step: Some(h),
            max_step: Some(h),
            ..Options::default()
        };
        let states = dopri5_at(spring, &[0.0, 1.0], 0.0, times, &options).unwrap();
        let errors = states.iter().zip(times);
        errors
            .map(|(y, t)| (y[0] - t.sin()).hypot(y[1] - t.cos()))
            .collect::<Vec<_>>()
    };
    for h in [0.5, 0.25, 0.125] {
        let order = (run(h, &[2.0])[0] / run(h / 2.0, &[2.0])[0]).log2();
        assert!((order - 5.0).abs() < 0.3, "order {order}");
        // In the middle of the first step: one order more, as of one step.
        let order = (run(h, &[0.5 * h, 2.0])[0] / run(h / 2.0, &[0.25 * h, 2.0])[0]).log2();
        assert!((order - 5.0).abs() < 0.5, "order {order} inside");
    }
}

#[test]
fn errors_follow_the_tolerance() {
    for rtol in [1e-4, 1e-6, 1e-8, 1e-10] {
        let states = linear(&[1.0, 0.0], &[[0.0, 1.0], [-1.0, 0.0]], &[10.0], rtol).unwrap();
        let error = (states[0][0] - 10f64.cos()).hypot(states[0][1] + 10f64.sin());
        assert!(error < 100.0 * rtol, "{error} at {rtol}");
    }
}

#[differentiable]
fn kept(y0: &[f64; 2], w: f64, options: &Options) -> Result<[f64; 2], OdeError> {
    dopri5(
        |t: f64, y| [y[1] * t.cos(), -w * y[0]],
        y0,
        0.0,
        10.0,
        options,
    )
}

#[test]
fn checkpoints_change_no_bit() {
    let of = |checkpoints| {
        let options = Options {
            checkpoints,
            ..tight()
        };
        let (value, pullback) = kept::vjp(&[1.0, 0.3], 1.7, &options);
        (value, pullback(Some([0.3, -1.1])))
    };
    let all = of(Checkpoints::Every(1));
    assert_eq!(all.0, kept(&[1.0, 0.3], 1.7, &tight()));
    for c in [
        Checkpoints::Auto,
        Checkpoints::Every(10),
        Checkpoints::Every(100_000),
    ] {
        assert_eq!(of(c), all, "{c:?}");
    }
}

#[test]
fn what_cannot_be_solved_says_why() {
    let run =
        |f: fn(f64, &f64) -> f64, t1: f64, options: &Options| dopri5(f, &1.0, 0.0, t1, options);
    let o = Options::default();
    // y' = y² ends at t = 1.
    let ends = run(|_, y| y * y, 2.0, &o).unwrap_err();
    assert!(
        matches!(ends, OdeError::StepTooSmall { t, .. } if (t - 1.0).abs() < 1e-3),
        "{ends}"
    );
    let few = Options { max_steps: 5, ..o };
    let stiff = run(|_, y| -1e6 * (y - 1.0) + y.sin(), 10.0, &few).unwrap_err();
    assert!(matches!(stiff, OdeError::TooManySteps { max_steps: 5, .. }));
    assert_eq!(
        run(|_, _| f64::NAN, 1.0, &o),
        Err(OdeError::NotFinite { t: 0.0 })
    );
    let later = run(|t, _| (0.5 - t).sqrt(), 1.0, &o).unwrap_err();
    assert!(
        matches!(later, OdeError::NotFinite { t } if (t - 0.5).abs() < 1e-6),
        "{later}"
    );
    let bad = |options| run(|_, y| *y, 1.0, &options).unwrap_err().to_string();
    assert_eq!(bad(Options { rtol: -1.0, ..o }), "`rtol` cannot be -1");
    assert_eq!(
        bad(Options {
            rtol: 0.0,
            atol: 0.0,
            ..o
        }),
        "`atol` cannot be 0"
    );
    assert_eq!(
        bad(Options {
            max_step: Some(0.0),
            ..o
        }),
        "`max_step` cannot be 0"
    );
    let times = |times: &[f64]| dopri5_at(|_, y: &f64| *y, &1.0, 0.0, times, &o).unwrap_err();
    assert_eq!(
        times(&[1.0, 0.5]),
        OdeError::Times {
            index: 1,
            time: 0.5
        }
    );
    assert_eq!(
        times(&[-0.1, 0.5]),
        OdeError::Times {
            index: 0,
            time: -0.1
        }
    );
    assert!(matches!(
        times(&[f64::INFINITY]),
        OdeError::Times { index: 0, .. }
    ));
}

#[test]
fn an_error_has_no_derivative() {
    let (value, pullback) = logistic::vjp(f64::NAN, 1.0, 1.0, 0.0, 1.0);
    assert_eq!(value, Err(OdeError::NotFinite { t: 0.0 }));
    assert_eq!(pullback(None), (0.0, 0.0, 0.0, 0.0, 0.0));
    let of = logistic::jvp(
        (f64::NAN, 1.0),
        (1.0, 0.0),
        (1.0, 0.0),
        (0.0, 0.0),
        (1.0, 0.0),
    );
    assert_eq!(of.1, None);
}

/// A state of nothing, and one that stays where it is.
#[test]
fn nothing_and_rest() {
    let o = Options::default();
    let none = dopri5(|_, y: &[f64]| y.to_vec(), &[][..], 0.0, 1.0, &o);
    assert_eq!(none, Ok(vec![]));
    let rest = dopri5(|_, _: &[f64; 2]| [0.0, 0.0], &[1.0, 2.0], 0.0, 1e6, &o);
    assert_eq!(rest, Ok([1.0, 2.0]));
    let from_zero = dopri5(
        |_, _: &f64| 1.0,
        &0.0,
        0.0,
        3.0,
        &Options { atol: 0.0, ..o },
    );
    assert!((from_zero.unwrap() - 3.0).abs() < 1e-12);
}

#[test]
fn small_checks() {
    #[differentiable]
    fn forced(y0: f64, k: f64) -> f64 {
        let options = no_grad!(tight());
        dopri5(
            |t: f64, y: &f64| (k * t).sin() - y * y,
            &y0,
            0.2,
            1.2,
            &options,
        )
        .unwrap()
    }
    check_grads_with::<forced, _>(&(1.0, 2.0), with_step(1e-4)).unwrap();
}
