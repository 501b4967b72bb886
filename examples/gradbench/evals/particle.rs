//! A charged particle between two others, steered onto the origin.
//!
//! The force on it is a gradient, and the descent to the best control follows the derivative of its whole path.
//! Each is taken in forward or in reverse mode, which are the two letters of a function's name.

use super::descent::{Modes, argmin};
use super::{EvalError, Evaluation, Fields, Repeats};
use differentiable::prelude::*;
use serde_json::Value;

type Point = [f64; 2];

const TIME_STEP: f64 = 0.1;
/// A particle that is still above the axis then is taken to stay there.
const LONGEST: usize = 100_000;

/// Of the field of both charges; the control moves one of them.
#[differentiable(higher_order)]
pub fn potential(at: [f64; 2], control: f64) -> f64 {
    let (x, y) = (at[0] - 10.0, at[1] - (10.0 - control));
    1.0 / (x * x + y * y).sqrt() + 1.0 / (x * x + at[1] * at[1]).sqrt()
}

/// The gradient of the potential by the point in forward mode: its slopes along the axes.
fn forward_gradient(at: Point, control: f64) -> Point {
    [[1.0, 0.0], [0.0, 1.0]].map(|along| potential::jvp((at, along), (control, 0.0)).1)
}

/// The derivative of a gradient is the Hessian, which is symmetric.
#[derivative(of = forward_gradient, jvp = forward_gradient_along)]
fn forward_gradient_rule(at: Point, control: f64) -> (Point, impl Fn(Point) -> (Point, f64)) {
    let pullback = move |along: Point| potential::hvp((at, along), (control, 0.0));
    (forward_gradient(at, control), pullback)
}

fn forward_gradient_along(at: (Point, Point), control: (f64, f64)) -> (Point, Point) {
    let (change, _) = potential::hvp(at, control);
    (forward_gradient(at.0, control.0), change)
}

/// The square of the distance from the origin at which the particle meets the axis: Euler's method, with the
/// last step cut where it meets. Infinite if it does not.
#[differentiable]
pub fn miss(control: f64, gradient: impl Fn([f64; 2], f64) -> [f64; 2]) -> f64 {
    let mut at = [0.0, 8.0];
    let mut speed = [0.75, 0.0];
    let mut steps = 0;
    while at[1] + TIME_STEP * speed[1] > 0.0 {
        if steps == LONGEST {
            return f64::INFINITY;
        }
        steps += 1;
        let up = gradient(at, control);
        for i in 0..2 {
            at[i] += TIME_STEP * speed[i];
            speed[i] -= TIME_STEP * up[i];
        }
    }
    let left = -at[1] / speed[1];
    let x = at[0] + left * speed[0];
    x * x
}

/// With forces in forward mode.
#[differentiable]
pub fn miss_by_forward(control: f64) -> f64 {
    miss(control, forward_gradient)
}

/// With forces in reverse mode.
#[differentiable]
pub fn miss_by_reverse(control: f64) -> f64 {
    miss(control, |at, control| potential::grad(at, control).0)
}

/// The control that brings the particle to the origin.
pub fn steer(modes: Modes, start: f64) -> f64 {
    let (start, by_forward) = ([start], |w: [f64; 1]| miss_by_forward(w[0]));
    let by_reverse = |w: [f64; 1]| miss_by_reverse(w[0]);
    let [control] = match modes {
        Modes::ForwardForward => {
            argmin(start, by_forward, |[w]| [miss_by_forward::jvp((w, 1.0)).1])
        }
        Modes::ForwardReverse => {
            argmin(start, by_reverse, |[w]| [miss_by_reverse::jvp((w, 1.0)).1])
        }
        Modes::ReverseForward => argmin(start, by_forward, |[w]| [miss_by_forward::grad(w)]),
        Modes::ReverseReverse => argmin(start, by_reverse, |[w]| [miss_by_reverse::grad(w)]),
    };
    control
}

pub fn evaluate(function: &str, input: &Value) -> Result<Evaluation, EvalError> {
    let fields = Fields::of(input)?;
    let repeats = Repeats::of(&fields)?;
    let start = fields.number("w")?;
    let modes = Modes::of("particle", function)?;
    if !miss_by_reverse(start).is_finite() {
        return Err(EvalError::Value {
            field: "w".into(),
            expected: "a control with which the particle meets the axis".into(),
            found: start.to_string(),
        });
    }
    Ok(repeats.run(|| steer(modes, start), Value::from))
}
