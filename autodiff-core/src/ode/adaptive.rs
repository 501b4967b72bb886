//! Steps of a size that is chosen: the method of Dormand and Prince.

use super::companions::companions;
use super::field::{ForwardRateCode, Passed, PassedForward, Plain, RateCode, RatePullback};
use super::form::{Form, Many, One};
use super::options::{OdeError, Options};
use super::record::Record;
use super::solution::{self, Place};
use super::state::State;
use super::tableau::DormandPrince;
use crate::ad::{Acc, Adj, Argument, Ct, Differentiable, Mode, NoGrad, Scalar};
use core::marker::PhantomData;
use core::slice;

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
    Dopri5::__over(f, y0, t0, t1, options)
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
    Dopri5At::__over(f, y0, t0, times, options)
}

/// The states at `times`, in the form of the result.
fn found<S: Scalar, Y: State<S> + ?Sized, R: Form<S, Y>>(
    f: impl Fn(S, &Y) -> Y::Owned,
    y0: &Y,
    t0: S,
    times: &[S],
    options: &Options,
) -> Result<R::Value, OdeError> {
    let field = Plain(f);
    let (states, _) = solution::at::<S, Y>(&field, y0.owned(), t0, times, options, |_, _| {})?;
    Ok(R::value(states))
}

/// What a pullback keeps; `R` is the form of the result.
#[derive(Clone)]
struct Kept<S, O, C, R> {
    record: Record<S, O>,
    places: Vec<Place<S>>,
    code: C,
    form: PhantomData<R>,
}

impl<S: Scalar, O: Differentiable<Tangent = O> + Clone, C: Copy, R> Kept<S, O, C, R> {
    fn new<Y, E, P>(
        env: &E,
        code: C,
        y0: &Y,
        t0: S,
        times: &[S],
        options: &Options,
    ) -> (Result<R::Value, OdeError>, Self)
    where
        Y: State<S, Owned = O> + ?Sized,
        C: RateCode<S, Y, E, P>,
        R: Form<S, Y>,
    {
        let y0 = y0.owned();
        let mut record = Record::new(options.checkpoints, size_of_val(Y::numbers(&y0)));
        let field = Passed { env, code };
        let leaving = |step, y: &Y::Owned| record.push(step, y);
        let found = solution::at::<S, Y>(&field, y0, t0, times, options, leaving);
        let (value, places) = match found {
            Ok((states, places)) => (Ok(R::value(states)), places),
            Err(e) => (Err(e), Vec::new()),
        };
        let kept = Kept {
            record,
            places,
            code,
            form: PhantomData,
        };
        (value, kept)
    }

    #[allow(clippy::too_many_arguments)] // the accumulators beside the arguments
    fn pull<MF: Mode, MY: Mode, Y, E, P>(
        self,
        ct: Option<Ct<R::Value>>,
        env: &E,
        y0: &Y,
        d_env: &mut Adj<E, MF>,
        d_y: &mut Y::Acc<MY>,
        d_t0: &mut impl Acc<S>,
        d_times: &mut [impl Acc<S>],
    ) where
        Y: State<S, Owned = O> + ?Sized,
        E: Differentiable,
        C: RateCode<S, Y, E, P>,
        P: RatePullback<S, Y, E>,
        R: Form<S, Y>,
    {
        let (cts, code) = (ct.map(R::cts).unwrap_or_default(), self.code);
        let field = Passed { env, code };
        env.with::<MF>(d_env, |d_env| {
            let (record, places) = (&self.record, &self.places);
            let found = solution::reverse::<S, Y, _>(record, &field, places, cts, d_env);
            let Some((d_y0, d_start, d_read)) = found else {
                return;
            };
            y0.add_to::<MY>(d_y, &d_y0);
            d_t0.acc(d_start);
            for (d, read) in d_times.iter_mut().zip(d_read) {
                d.acc(read);
            }
        });
    }

    #[allow(clippy::type_complexity)]
    fn push<Y, E>(
        (env, t_env): (&E, &E::Tangent),
        code: C,
        (y0, t_y0): (&Y, &Y::Direction),
        (t0, t_t0): (S, S),
        (times, t_times): (&[S], &[S]),
        options: &Options,
    ) -> (Result<R::Value, OdeError>, Option<R::Value>)
    where
        Y: State<S, Owned = O> + ?Sized,
        E: Differentiable,
        C: ForwardRateCode<S, Y, E>,
        R: Form<S, Y>,
    {
        let field = PassedForward { env, t_env, code };
        let mut mesh = Vec::new();
        let leaving = |step, _: &Y::Owned| mesh.push(step);
        let found = solution::at::<S, Y>(&field, y0.owned(), t0, times, options, leaving);
        let (states, places) = match found {
            Ok(found) => found,
            Err(e) => return (Err(e), None),
        };
        let mut tangents: Vec<Y::Owned> = Vec::with_capacity(states.len());
        let y0 = (y0.owned(), Y::along(t_y0));
        solution::push::<S, Y>(&field, &mesh, y0, t_t0, |i, step| {
            while let Some(&(_, theta)) = places.get(tangents.len()).filter(|p| p.0 == i) {
                let t_theta = (t_times[tangents.len()] - t_t0) / mesh[i].1;
                let (weights, slopes) = DormandPrince::dense(theta);
                tangents.push(step.read::<Y>(weights, Some((&slopes, t_theta))).1);
            }
        });
        (Ok(R::value(states)), Some(R::value(tangents)))
    }
}

companions! {
    dopri5 (Dopri5) of RateCode, RatePullback, ForwardRateCode;
    value t0 t_t0: S, M0: Mode;
    value t1 t_t1: S, M1: Mode;
    lent options t_options: &Options, &(), NoGrad, MO;
    keeps Kept<S, Y::Owned, C, One> => Result<Y::Owned, OdeError>;
    plain |f: (S, &Y), y0| found::<S, Y, One>(f, y0, t0, &[t1], options);
    new(t0, &[t1], options)
    pull(t0, slice::from_mut(t1))
    push((t0, t_t0), (&[t1], &[t_t1]), options)

    dopri5_at (Dopri5At) of RateCode, RatePullback, ForwardRateCode;
    value t0 t_t0: S, M0: Mode;
    lent times t_times: &[S], &[S], [Adj<S, MS>], MS;
    lent options t_options: &Options, &(), NoGrad, MO;
    keeps Kept<S, Y::Owned, C, Many> => Result<Vec<Y::Owned>, OdeError>;
    plain |f: (S, &Y), y0| found::<S, Y, Many>(f, y0, t0, times, options);
    new(t0, times, options)
    pull(t0, times)
    push((t0, t_t0), (times, t_times), options)
}
