//! The saddle point of a function of two points, by a descent of the one within which the other ascends.
//!
//! Both follow gradients: that of the descent is a derivative of the whole ascent, with the gradients that are in
//! it. Each is taken in forward or in reverse mode, which are the two letters of a function's name.

use super::descent::{Modes, argmin};
use super::{EvalError, Evaluation, Fields, Repeats};
use differentiable::prelude::*;
use serde_json::Value;

pub type Point = [f64; 2];

/// What `a` minimises and `b` maximises.
#[differentiable(higher_order)]
pub fn payoff(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] * a[0] + a[1] * a[1]) - (b[0] * b[0] + b[1] * b[1])
}

/// The gradient of the payoff by `b` in forward mode: its slopes along the axes.
fn forward_gradient(a: Point, b: Point) -> Point {
    [[1.0, 0.0], [0.0, 1.0]].map(|along| payoff::jvp((a, [0.0; 2]), (b, along)).1)
}

/// The derivative of a gradient is the Hessian, which is symmetric.
#[derivative(of = forward_gradient, jvp = forward_gradient_along)]
fn forward_gradient_rule(a: Point, b: Point) -> (Point, impl Fn(Point) -> (Point, Point)) {
    let pullback = move |along: Point| payoff::hvp((a, [0.0; 2]), (b, along));
    (forward_gradient(a, b), pullback)
}

fn forward_gradient_along((a, da): (Point, Point), (b, db): (Point, Point)) -> (Point, Point) {
    let (_, change) = payoff::hvp((a, da), (b, db));
    (forward_gradient(a, b), change)
}

/// Where `b` ends on its way up, by gradients in forward mode.
#[differentiable]
pub fn answer_by_forward(a: [f64; 2], #[constant] start: [f64; 2]) -> [f64; 2] {
    argmin(
        start,
        |b| -payoff(a, b),
        |b| {
            let up = forward_gradient(a, b);
            [-up[0], -up[1]]
        },
    )
}

/// The same by gradients in reverse mode.
#[differentiable]
pub fn answer_by_reverse(a: [f64; 2], #[constant] start: [f64; 2]) -> [f64; 2] {
    argmin(
        start,
        |b| -payoff(a, b),
        |b| {
            let (_, up) = payoff::grad(a, b);
            [-up[0], -up[1]]
        },
    )
}

/// The highest payoff that `b` reaches.
#[differentiable]
pub fn highest_by_forward(a: [f64; 2], #[constant] start: [f64; 2]) -> f64 {
    payoff(a, answer_by_forward(a, start))
}

/// The same by gradients in reverse mode.
#[differentiable]
pub fn highest_by_reverse(a: [f64; 2], #[constant] start: [f64; 2]) -> f64 {
    payoff(a, answer_by_reverse(a, start))
}

/// Both points of the saddle.
pub fn saddle(modes: Modes, start: Point) -> [Point; 2] {
    let axes = [[1.0, 0.0], [0.0, 1.0]];
    let by_forward = |a| highest_by_forward(a, start);
    let by_reverse = |a| highest_by_reverse(a, start);
    let a = match modes {
        Modes::ForwardForward => argmin(start, by_forward, |a| {
            axes.map(|along| highest_by_forward::jvp((a, along), start).1)
        }),
        Modes::ForwardReverse => argmin(start, by_reverse, |a| {
            axes.map(|along| highest_by_reverse::jvp((a, along), start).1)
        }),
        Modes::ReverseForward => argmin(start, by_forward, |a| highest_by_forward::grad(a, start)),
        Modes::ReverseReverse => argmin(start, by_reverse, |a| highest_by_reverse::grad(a, start)),
    };
    // In the mode of the descent.
    let b = match modes {
        Modes::ForwardForward | Modes::ForwardReverse => answer_by_forward(a, start),
        Modes::ReverseForward | Modes::ReverseReverse => answer_by_reverse(a, start),
    };
    [a, b]
}

pub fn evaluate(function: &str, input: &Value) -> Result<Evaluation, EvalError> {
    let fields = Fields::of(input)?;
    let repeats = Repeats::of(&fields)?;
    let start = fields.array("start")?;
    let modes = Modes::of("saddle", function)?;
    Ok(repeats.run(
        || saddle(modes, start),
        |points| points.into_iter().flatten().collect(),
    ))
}
