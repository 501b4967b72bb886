//! Solutions of an annotated right-hand side, with their pullback, outside of annotated functions.

use super::field::Named;
use super::fixed::Grid;
use super::form::{Form, One};
use super::options::{OdeError, Options};
use super::record::{Checkpoints, Record};
use super::solution;
use super::state::State;
use crate::ad::{Differentiable, DifferentiableFn};
use core::marker::PhantomData;

/// The gradient of what depends on a solution: `O` is the state, `P` the tangent of the parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gradient<O, P> {
    /// By the state at the start.
    pub y0: O,
    /// By the parameters of the right-hand side.
    pub params: P,
    /// By the time of the start.
    pub t0: f64,
    /// By the time of the end.
    pub t1: f64,
}

/// [`rk4`](fn@super::rk4) of an annotated function `f(t, &y, &params)`, named as a type: the state at `t1`, and a
/// pullback that takes a cotangent of it.
///
/// ```
/// use differentiable::{ode::{Checkpoints, rk4_vjp}, prelude::*};
///
/// #[derive(Clone, Differentiable)]
/// struct Spring { stiffness: f64, drag: f64 }
///
/// #[differentiable]
/// fn rate(_t: f64, y: &[f64], s: &Spring) -> Vec<f64> {
///     vec![y[1], -s.stiffness * y[0] - s.drag * y[1]]
/// }
///
/// let spring = Spring { stiffness: 4.0, drag: 0.0 };
/// let (y, pullback) = rk4_vjp::<rate, _, _>(&[1.0, 0.0][..], 0.0, 1.0, &spring, 100, Checkpoints::Auto);
/// let gradient = pullback(vec![1.0, 0.0]); // of cos(2 t), and of cos(√k t) by k
/// assert!((y[0] - 2f64.cos()).abs() < 1e-7 && (gradient.y0[0] - 2f64.cos()).abs() < 1e-7);
/// assert!((gradient.params.stiffness + 2f64.sin() / 4.0).abs() < 1e-7);
/// ```
///
/// The parameters are copied for every evaluation: where they are large, call [`rk4`](fn@super::rk4) in an
/// annotated function, with a closure that captures them.
///
/// # Panics
///
/// As [`rk4`](fn@super::rk4).
#[allow(clippy::type_complexity)]
pub fn rk4_vjp<F, Y, P>(
    y0: &Y,
    t0: f64,
    t1: f64,
    params: &P,
    steps: usize,
    checkpoints: Checkpoints,
) -> (
    Y::Owned,
    impl FnOnce(Y::Owned) -> Gradient<Y::Owned, P::Tangent> + Clone + use<F, Y, P>,
)
where
    Y: State + ?Sized,
    P: Differentiable + Clone,
    F: DifferentiableFn<(f64, Y::Owned, P), Output = Y::Owned>,
{
    let function = PhantomData::<fn() -> F>;
    let grid = Grid::new(t0, t1, steps);
    let y0 = y0.owned();
    let mut record = Record::new(checkpoints, size_of_val(Y::numbers(&y0)));
    let field = Named { params, function };
    let end = grid.run::<Y, One>(&field, y0, |step, y| record.push(step, y));
    let params = params.clone();
    let pullback = move |ct: Y::Owned| {
        let field = Named {
            params: &params,
            function,
        };
        let mut found = None;
        let (y0, t0, t1) = grid.reverse::<Y, _>(&record, &field, &[ct], &mut found, true);
        let params = found.unwrap_or_else(|| params.zero_tangent());
        Gradient { y0, params, t0, t1 }
    };
    (end, pullback)
}

/// [`dopri5`](fn@super::dopri5) of an annotated function `f(t, &y, &params)`, named as a type: the state at `t1`,
/// and a pullback that takes a cotangent of it. As [`rk4_vjp`].
///
/// # Errors
///
/// As [`dopri5`](fn@super::dopri5).
///
/// # Panics
///
/// As [`dopri5`](fn@super::dopri5).
#[allow(clippy::type_complexity)]
pub fn dopri5_vjp<F, Y, P>(
    y0: &Y,
    t0: f64,
    t1: f64,
    params: &P,
    options: &Options,
) -> Result<
    (
        Y::Owned,
        impl FnOnce(Y::Owned) -> Gradient<Y::Owned, P::Tangent> + Clone + use<F, Y, P>,
    ),
    OdeError,
>
where
    Y: State + ?Sized,
    P: Differentiable + Clone,
    F: DifferentiableFn<(f64, Y::Owned, P), Output = Y::Owned>,
{
    let function = PhantomData::<fn() -> F>;
    let y0 = y0.owned();
    let mut record = Record::new(options.checkpoints, size_of_val(Y::numbers(&y0)));
    let field = Named { params, function };
    let leaving = |step, y: &Y::Owned| record.push(step, y);
    let (states, places) = solution::at::<f64, Y>(&field, y0, t0, &[t1], options, leaving)?;
    let params = params.clone();
    let pullback = move |ct: Y::Owned| {
        let field = Named {
            params: &params,
            function,
        };
        let mut found = None;
        let reversed =
            solution::reverse::<f64, Y, _>(&record, &field, &places, vec![ct], &mut found);
        let (y0, t0, of_times) = reversed.expect("one cotangent was given");
        let params = found.unwrap_or_else(|| params.zero_tangent());
        Gradient {
            y0,
            params,
            t0,
            t1: of_times[0],
        }
    };
    Ok((<One as Form<f64, Y>>::value(states), pullback))
}
