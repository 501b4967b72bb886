//! Steps of a size that is chosen: the method of Dormand and Prince.

use super::field::{ForwardRateCode, Passed, PassedForward, Plain, RateCode, RatePullback};
use super::options::{OdeError, Options};
use super::record::Record;
use super::solution;
use super::state::State;
use super::tableau::DormandPrince;
use crate::ad::{Acc, Adj, Argument, Ct, Differentiable, Mode, NoGrad};

/// The state at `t1`, by the method of Dormand and Prince of order 5, with steps chosen by their error.
///
/// `f(t, &y)` is the derivative of the state, in the arrangement of the state. What else it depends on, it
/// captures; the solution is differentiated by all of that, by `y0`, `t0` and `t1`. `t1` may be before `t0`.
/// The derivative is that of the steps that were taken, whose sizes are held.
///
/// ```
/// use differentiable::{ode::{OdeError, Options, dopri5}, prelude::*};
///
/// /// The population after a time: logistic growth.
/// #[differentiable]
/// fn population(start: f64, rate: f64, capacity: f64) -> Result<f64, OdeError> {
///     let options = Options { rtol: 1e-10, ..Options::default() };
///     dopri5(|_, y| rate * y * (1.0 - y / capacity), &start, 0.0, 2.0, &options)
/// }
///
/// let (end, pullback) = population::vjp(1.0, 1.5, 10.0);
/// let grown = 3f64.exp();
/// assert!((end? - 10.0 * grown / (9.0 + grown)).abs() < 1e-8);
/// let (_, by_rate, _) = pullback(Some(1.0));
/// assert!((by_rate - 2.0 * 90.0 * grown / (9.0 + grown).powi(2)).abs() < 1e-7);
/// # Ok::<(), OdeError>(())
/// ```
///
/// # Errors
///
/// [`OdeError`], where there is no solution, or none in [`Options::max_steps`].
///
/// # Panics
///
/// If `f` returns another number of entries than the state has.
pub fn dopri5<Y: State + ?Sized>(
    f: impl Fn(f64, &Y) -> Y::Owned,
    y0: &Y,
    t0: f64,
    t1: f64,
    options: &Options,
) -> Result<Y::Owned, OdeError> {
    dopri5_at(f, y0, t0, &[t1], options).map(only)
}

/// The states at `times`, which go from `t0` in one direction; otherwise as [`dopri5`](fn@dopri5).
///
/// Steps do not end there: states are read off the interpolant of order 4, and the result is differentiated by
/// the times too.
///
/// # Errors
///
/// As [`dopri5`](fn@dopri5), and if the times are not finite or not in order.
///
/// # Panics
///
/// As [`dopri5`](fn@dopri5).
pub fn dopri5_at<Y: State + ?Sized>(
    f: impl Fn(f64, &Y) -> Y::Owned,
    y0: &Y,
    t0: f64,
    times: &[f64],
    options: &Options,
) -> Result<Vec<Y::Owned>, OdeError> {
    let field = Plain(f);
    Ok(solution::at::<Y>(&field, y0.owned(), t0, times, options, |_, _| {})?.0)
}

/// The entry of a list of one.
pub(super) fn only<T>(list: Vec<T>) -> T {
    list.into_iter().next().expect("one state for one time")
}

/// Derivatives of the function [`dopri5`](fn@dopri5).
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub enum dopri5 {}

/// Derivatives of the function [`dopri5_at`](fn@dopri5_at).
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub enum dopri5_at {}

#[doc(hidden)]
#[allow(clippy::too_many_arguments, clippy::type_complexity)]
impl dopri5 {
    pub const __WEIGHT: usize = 1;

    pub fn __vjp<MF: Mode, MY: Mode, M0: Mode, M1: Mode, MO: Mode, Y, E, C, P>(
        modes: (MF, MY, M0, M1, MO),
        env: &E,
        code: C,
        y0: &Y,
        t0: f64,
        t1: f64,
        options: &Options,
    ) -> (
        Result<Y::Owned, OdeError>,
        impl FnOnce(
            Option<Ct<Y::Owned>>,
            &E,
            &Y,
            &Options,
            &mut Adj<E, MF>,
            &mut Y::Acc<MY>,
            &mut Adj<f64, M0>,
            &mut Adj<f64, M1>,
            &mut NoGrad,
        ) + Clone
        + use<MF, MY, M0, M1, MO, Y, E, C, P>,
    )
    where
        Y: State + ?Sized,
        E: Differentiable + Clone,
        C: RateCode<Y, E, P>,
        P: RatePullback<Y, E>,
    {
        let (states, pullback) = dopri5_at::__vjp(modes, env, code, y0, t0, &[t1], options);
        let pullback = move |ct: Option<Ct<Y::Owned>>,
                             env: &E,
                             y0: &Y,
                             options: &Options,
                             d_env: &mut Adj<E, MF>,
                             d_y: &mut Y::Acc<MY>,
                             d_t0: &mut Adj<f64, M0>,
                             d_t1: &mut Adj<f64, M1>,
                             d_options: &mut NoGrad| {
            let ct = ct.map(|ct| vec![ct]);
            let d_times = core::slice::from_mut(d_t1);
            pullback(
                ct,
                env,
                y0,
                &[t1],
                options,
                d_env,
                d_y,
                d_t0,
                d_times,
                d_options,
            );
        };
        (states.map(only), pullback)
    }

    pub fn __jvp<Y, E, C>(
        env: &E,
        code: C,
        (): (),
        t_env: &E::Tangent,
        y0: &Y,
        t_y0: &Y::Direction,
        t0: f64,
        t_t0: f64,
        t1: f64,
        t_t1: f64,
        options: &Options,
        (): &(),
    ) -> (Result<Y::Owned, OdeError>, Option<Y::Owned>)
    where
        Y: State + ?Sized,
        E: Differentiable,
        C: ForwardRateCode<Y, E>,
    {
        let (states, tangents) = dopri5_at::__jvp(
            env,
            code,
            (),
            t_env,
            y0,
            t_y0,
            t0,
            t_t0,
            &[t1],
            &[t_t1],
            options,
            &(),
        );
        (states.map(only), tangents.map(only))
    }
}

#[doc(hidden)]
#[allow(clippy::too_many_arguments, clippy::type_complexity)]
impl dopri5_at {
    pub const __WEIGHT: usize = 1;

    pub fn __vjp<MF: Mode, MY: Mode, M0: Mode, MS: Mode, MO: Mode, Y, E, C, P>(
        _: (MF, MY, M0, MS, MO),
        env: &E,
        code: C,
        y0: &Y,
        t0: f64,
        times: &[f64],
        options: &Options,
    ) -> (
        Result<Vec<Y::Owned>, OdeError>,
        impl FnOnce(
            Option<Vec<Ct<Y::Owned>>>,
            &E,
            &Y,
            &[f64],
            &Options,
            &mut Adj<E, MF>,
            &mut Y::Acc<MY>,
            &mut Adj<f64, M0>,
            &mut [Adj<f64, MS>],
            &mut NoGrad,
        ) + Clone
        + use<MF, MY, M0, MS, MO, Y, E, C, P>,
    )
    where
        Y: State + ?Sized,
        E: Differentiable + Clone,
        C: RateCode<Y, E, P>,
        P: RatePullback<Y, E>,
    {
        let mut record = Record::new(options.checkpoints);
        let field = Passed { env, code };
        let leaving = |step, y: &Y::Owned| record.push(step, y);
        let found = solution::at::<Y>(&field, y0.owned(), t0, times, options, leaving);
        let (states, places) = match found {
            Ok((states, places)) => (Ok(states), places),
            Err(e) => (Err(e), Vec::new()),
        };
        let pullback = move |ct: Option<Vec<Ct<Y::Owned>>>,
                             env: &E,
                             y0: &Y,
                             _: &[f64],
                             _: &Options,
                             d_env: &mut Adj<E, MF>,
                             d_y: &mut Y::Acc<MY>,
                             d_t0: &mut Adj<f64, M0>,
                             d_times: &mut [Adj<f64, MS>],
                             _: &mut NoGrad| {
            let cts: Vec<_> = ct.into_iter().flatten().map(Y::from_ct).collect();
            let field = Passed { env, code };
            env.with::<MF>(d_env, |d_env| {
                let found = solution::reverse::<Y, _>(&record, &field, &places, cts, d_env);
                let Some((d_y0, d_start, d_read)) = found else {
                    return;
                };
                y0.add_to::<MY>(d_y, &d_y0);
                d_t0.acc(d_start);
                for (d, read) in d_times.iter_mut().zip(d_read) {
                    d.acc(read);
                }
            });
        };
        (states, pullback)
    }

    pub fn __jvp<Y, E, C>(
        env: &E,
        code: C,
        (): (),
        t_env: &E::Tangent,
        y0: &Y,
        t_y0: &Y::Direction,
        t0: f64,
        t_t0: f64,
        times: &[f64],
        t_times: &[f64],
        options: &Options,
        (): &(),
    ) -> (Result<Vec<Y::Owned>, OdeError>, Option<Vec<Y::Owned>>)
    where
        Y: State + ?Sized,
        E: Differentiable,
        C: ForwardRateCode<Y, E>,
    {
        let field = PassedForward { env, t_env, code };
        let mut mesh = Vec::new();
        let leaving = |step, _: &Y::Owned| mesh.push(step);
        let found = solution::at::<Y>(&field, y0.owned(), t0, times, options, leaving);
        let (states, places) = match found {
            Ok(found) => found,
            Err(e) => return (Err(e), None),
        };
        let mut tangents: Vec<Y::Owned> = Vec::with_capacity(states.len());
        let y0 = (y0.owned(), Y::along(t_y0));
        solution::push::<Y>(&field, &mesh, y0, t_t0, |i, step| {
            while let Some(&(_, theta)) = places.get(tangents.len()).filter(|p| p.0 == i) {
                let t_theta = (t_times[tangents.len()] - t_t0) / mesh[i].1;
                let (weights, slopes) = DormandPrince::dense(theta);
                tangents.push(step.read::<Y>(&weights, Some((&slopes, t_theta))).1);
            }
        });
        (Ok(states), Some(tangents))
    }
}
