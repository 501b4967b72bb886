//! Events: where a function of the solution is zero.

use super::{tight, with_step};
use differentiable::ad::check_grads_with;
use differentiable::ode::{Crossing, OdeError, Options, dopri5_until};
use differentiable::prelude::*;

/// A ball is dropped, bounces `bounces` times, and goes on until `end`: time of the last bounce, height at the end.
#[differentiable]
fn ball(
    height: f64,
    gravity: f64,
    keeps: f64,
    end: f64,
    #[constant] bounces: usize,
) -> Result<[f64; 2], OdeError> {
    let options = no_grad!(tight());
    let fall = |_, y: &[f64; 2]| [y[1], -gravity];
    let above = |_, y: &[f64; 2]| y[0];
    let mut state = [height, 0.0];
    let mut time = 0.0;
    for _ in 0..bounces {
        let (t, y, _) = dopri5_until(fall, above, Crossing::Falling, &state, time, 1e3, &options)?;
        state = [0.0, -keeps * y[1]];
        time = t;
    }
    let (_, y, _) = dopri5_until(fall, above, Crossing::Falling, &state, time, end, &options)?;
    Ok([time, y[0]])
}

#[test]
fn a_bouncing_ball() {
    let (h, g, e): (f64, f64, f64) = (1.25, 10.0, 0.8);
    // √(2 h / g) (1 + 2 e + 2 e²), and the height a time `s` later, at the speed e³ √(2 g h).
    let first = (2.0 * h / g).sqrt();
    let last = first * (1.0 + 2.0 * e + 2.0 * e * e);
    let end = last + 0.1;
    let (value, pullback) = ball::vjp(h, g, e, end, 3);
    let [time, height] = value.unwrap();
    let speed = e.powi(3) * (2.0 * g * h).sqrt();
    assert!((time - last).abs() < 1e-11);
    assert!((height - speed * 0.1 + 0.5 * g * 0.01).abs() < 1e-11);
    let (by_h, by_g, by_e, by_end) = pullback.clone()(Some([1.0, 0.0]));
    assert!((by_h - 0.5 * last / h).abs() < 1e-9 && (by_g + 0.5 * last / g).abs() < 1e-9);
    assert!((by_e - first * (2.0 + 4.0 * e)).abs() < 1e-9 && by_end == 0.0);
    let (by_h, _, _, by_end) = pullback(Some([0.0, 1.0]));
    let falling = speed - g * 0.1;
    assert!((by_end - falling).abs() < 1e-9);
    assert!((by_h - (0.5 * speed / h * 0.1 - falling * 0.5 * last / h)).abs() < 1e-8);

    #[differentiable]
    fn both(height: f64, gravity: f64, keeps: f64, end: f64) -> f64 {
        let [time, at_end] = ball(height, gravity, keeps, end, 2).unwrap();
        time * time + 3.0 * at_end
    }
    check_grads_with::<both, _>(&(h, g, e, 1.5), with_step(1e-5)).unwrap();
}

/// When an oscillator with drag crosses a line that moves, and where: function and event have parameters.
#[differentiable]
fn crossing(y0: &[f64; 2], drag: f64, level: f64, slope: f64, t0: f64) -> f64 {
    let options = no_grad!(tight());
    let rate = |t: f64, y: &[f64; 2]| [y[1], (0.3 * t).sin() - y[0] - drag * y[1]];
    let above = |t: f64, y: &[f64; 2]| y[0] - level - slope * t * t;
    let (t, y, hit) = dopri5_until(rate, above, Crossing::Falling, y0, t0, 20.0, &options).unwrap();
    assert!(hit);
    t * y[1] + 0.5 * t + y[0]
}

#[test]
fn an_event_that_moves() {
    check_grads_with::<crossing, _>(&([1.0, 0.3], 0.1, 0.2, 0.01, 0.4), with_step(1e-5)).unwrap();
}

#[test]
fn directions_of_crossings() {
    let run = |crossing, t1| {
        let turn = |_, y: &[f64; 2]| [y[1], -y[0]];
        let (t, _, hit) =
            dopri5_until(turn, |_, y| y[0], crossing, &[0.0, 1.0], 0.0, t1, &tight()).unwrap();
        (t, hit)
    };
    let pi = std::f64::consts::PI;
    // The zero at the start does not count.
    for (crossing, expected) in [
        (Crossing::Falling, pi),
        (Crossing::Rising, 2.0 * pi),
        (Crossing::Any, pi),
    ] {
        let (t, hit) = run(crossing, 10.0);
        assert!(hit && (t - expected).abs() < 1e-9, "{crossing:?}: {t}");
    }
    assert_eq!(run(Crossing::Rising, 6.0), (6.0, false));
    let (t, hit) = run(Crossing::Any, -5.0);
    assert!(hit && (t + pi).abs() < 1e-9);
    assert_eq!(run(Crossing::Any, 0.0), (0.0, false));
}

#[test]
fn an_event_on_the_way_of_a_time() {
    // The event depends on time alone: its time does not depend on the solution, the state there does.
    #[differentiable]
    fn at(y0: f64, k: f64, when: f64) -> f64 {
        let options = no_grad!(tight());
        let (t, y, _) = dopri5_until(
            |_, y| -k * y,
            |t, _| t - when,
            Crossing::Any,
            &y0,
            0.0,
            9.0,
            &options,
        )
        .unwrap();
        t + y
    }
    let (value, (by_y0, by_k, by_when)) = at::value_and_grad(2.0, 0.5, 1.5);
    let e = (-0.75f64).exp();
    assert!((value - 1.5 - 2.0 * e).abs() < 1e-10);
    assert!(
        (by_y0 - e).abs() < 1e-9
            && (by_k + 3.0 * e).abs() < 1e-9
            && (by_when - 1.0 + e).abs() < 1e-9
    );
}

#[test]
fn errors() {
    let run = |f: fn(f64, &f64) -> f64, g: fn(f64, &f64) -> f64, t1| {
        dopri5_until(f, g, Crossing::Any, &1.0, 0.0, t1, &Options::default()).unwrap_err()
    };
    assert!(matches!(
        run(|_, _| 1.0, |_, y| (1.5 - y).sqrt(), 1.0),
        OdeError::NotFinite { .. }
    ));
    assert!(matches!(
        run(|_, y| y * y, |_, y| y + 1.0, 2.0),
        OdeError::StepTooSmall { .. }
    ));
    assert!(matches!(
        run(|_, y| *y, |_, y| *y, f64::NAN),
        OdeError::Times { index: 1, .. }
    ));
}

#[test]
#[should_panic(expected = "has no derivative")]
fn an_event_that_stays_at_zero_has_no_derivative() {
    #[differentiable]
    fn when(k: f64) -> f64 {
        let options = Options::default();
        // The function of the event jumps: along the solution it does not change.
        let step = |t: f64, y: &f64| if t > 0.5 { 0.0 * y + 1.0 } else { -1.0 };
        let (t, _, _) =
            dopri5_until(|_, y| k * y, step, Crossing::Any, &1.0, 0.0, 1.0, &options).unwrap();
        t
    }
    when::grad(1.0);
}
