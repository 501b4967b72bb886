//! Events: the time at which a function of the solution is zero.
//!
//! With `z` for all that the interpolant `y(θ)` of the step depends on, the event is where
//! `G(θ, z) = g(t_i + θ h_i, y(θ; z)) = 0`. By the implicit function theorem
//!
//! ```text
//! dθ = −G_z dz / G_θ,        G_θ = h_i g_t + g_y · y'(θ)
//! ```
//!
//! which is `dt_e = −(g_t dt + g_y · dy) / (g_t + g_y · f)`: the time of the event moves with everything that
//! the solution depends on, and the state there moves along the solution, `dy_e = dy + f dt_e`. What jumps at the
//! event is ordinary code behind it: together they are the saltation matrix of hybrid systems.

use super::control::Stepper;
use super::field::{Field, ForwardRateCode, Passed, PassedForward, Plain, RateCode, RatePullback};
use super::options::{Crossing, OdeError, Options};
use super::record::Record;
use super::solution;
use super::state::{self, State};
use super::step::combined;
use super::tableau::DormandPrince;
use crate::ad::{Acc, Adj, Argument, Ct, Differentiable, Mode, NoGrad, On, Scalar};

/// At how many places of a step the sign of the function of an event is looked at.
const PLACES: usize = 8;

/// Where a solution ended.
#[derive(Clone)]
struct Stop<S, O> {
    /// In the step, where it is.
    theta: S,
    t: S,
    y: O,
    /// Of an event, how fast the solution changes there.
    slope: Option<O>,
}

/// The first event, or the state at `t1`, which is the end of the last step that `leaving` is told.
fn until<S: Scalar, Y: State<S> + ?Sized>(
    field: &impl Field<S, Y>,
    event: &impl Fn(S, &Y::Owned) -> S,
    crossing: Crossing,
    y0: Y::Owned,
    (t0, t1): (S, S),
    options: &Options,
    mut leaving: impl FnMut((S, S), &Y::Owned),
) -> Result<Stop<S, Y::Owned>, OdeError> {
    options.check()?;
    let end = t1.to_f64();
    for (index, time) in [t0.to_f64(), end].into_iter().enumerate() {
        if !time.is_finite() {
            return Err(OdeError::Times { index, time });
        }
    }
    let value = |t: S, y: &Y::Owned| {
        let g = event(t, y).to_f64();
        if g.is_nan() {
            Err(OdeError::NotFinite { t: t.to_f64() })
        } else {
            Ok(g)
        }
    };
    let mut before = value(t0, &y0)?;
    let mut stepper = solution::start::<S, Y, _>(field, y0, t0, end, options)?;
    let ends = |stepper: &Stepper<'_, S, Y, _>, (t, h): (S, S)| {
        let theta = (t1 - t) / h;
        let y = stepper.point(h, theta);
        let slope = None;
        Ok(Stop {
            theta,
            t: t1,
            y,
            slope,
        })
    };
    if end == t0.to_f64() {
        let step = stepper.step()?;
        let moving = stepper.moving(step);
        leaving(moving, &stepper.y);
        return ends(&stepper, moving);
    }
    let mut first = true;
    loop {
        let step = stepper.step()?;
        let (t, h) = stepper.moving(step);
        leaving((t, h), &stepper.y);
        let place = |theta: S| (t + theta * h, stepper.point(h, theta));
        let at = |theta: f64| {
            let (s, y) = place(S::lit(theta));
            value(s, &y)
        };
        let mut values = [0.0; PLACES];
        for (i, g) in values.iter_mut().enumerate() {
            *g = at((i + 1) as f64 / PLACES as f64)?;
        }
        // A solution may start at an event, which rounding has moved: it has to leave it first.
        if first && before.abs() <= 1e-9 * state::largest(&values) {
            before = 0.0;
        }
        first = false;
        for (i, g) in values.into_iter().enumerate() {
            if crossing.between(before, g) {
                let (mut low, mut high) = (i as f64, (i + 1) as f64);
                loop {
                    let middle = 0.5 * (low + high);
                    if middle <= low || middle >= high {
                        break;
                    }
                    match crossing.between(before, at(middle / PLACES as f64)?) {
                        true => high = middle,
                        false => low = middle,
                    }
                }
                let time = |theta: f64| (t + S::lit(theta) * h).to_f64();
                let theta = with_tangents(high / PLACES as f64, &time, &|theta| {
                    let (s, y) = place(theta);
                    event(s, &y)
                });
                let (t, y) = place(theta);
                let (zero, slopes) = (state::zero::<S, Y>(&y), DormandPrince::dense(theta).1);
                let slope = Some(combined::<S, Y>(&zero, S::ONE, slopes, &stepper.rates));
                return Ok(Stop { theta, t, y, slope });
            }
            before = g;
        }
        if step.1 == end - step.0 {
            return ends(&stepper, (t, h));
        }
        stepper.advance(step);
    }
}

/// The zero of `g` at the value `theta`, with the tangents that it has where the coefficients of `g` have tangents.
///
/// Newton's method, with the slope held, makes the tangents of one layer right in each step: those of the value are
/// nilpotent. The slope is one of differences, so that there are some steps more.
fn with_tangents<S: Scalar>(theta: f64, time: &dyn Fn(f64) -> f64, g: &dyn Fn(S) -> S) -> S {
    let mut root = S::lit(theta);
    if S::LAYERS == 0 {
        return root;
    }
    let there = |theta: f64| g(S::lit(theta)).to_f64();
    let step = S::EPSILON.cbrt();
    let slope = (there(theta + step) - there(theta - step)) / (2.0 * step);
    let slope = S::lit(checked_rate(slope, time(theta)));
    for _ in 0..S::LAYERS + 4 {
        let off = g(root);
        root -= (off - S::lit(off.to_f64())) / slope;
    }
    root
}

/// How fast the function of the event changes along the solution; there is no derivative where it does not.
fn checked_rate<S: Scalar>(rate: S, t: S) -> S {
    assert!(
        rate != S::ZERO && rate.is_finite(),
        "the event at t = {t} has no derivative: its function changes at the rate {rate} along the solution there"
    );
    rate
}

/// The first zero of `event(t, &y)` along the solution, by [`dopri5`](fn@super::dopri5): its time, the state there
/// and `true`; or `t1`, the state at `t1` and `false`, if there is none.
///
/// Both time and state are differentiated: by everything that `f` and `event` capture, `y0`, `t0` and `t1`. What
/// happens at the event is code behind the call, and the solution goes on by another call. A zero at `t0` does
/// not count: a ball that has bounced is not at the floor again.
///
/// The sign is looked at eight times a step: two zeros in between are missed. [`Options::max_step`] helps.
///
/// ```
/// use differentiable::{ode::{Crossing, OdeError, Options, dopri5_until}, prelude::*};
///
/// /// The time at which a ball hits the floor for the second time.
/// #[differentiable]
/// fn second_bounce(height: f64, gravity: f64, bounce: f64) -> Result<f64, OdeError> {
///     let options = Options::default();
///     let fall = |_, y: &[f64; 2]| [y[1], -gravity];
///     let above = |_, y: &[f64; 2]| y[0];
///     let start = [height, 0.0];
///     let (t, y, _) = dopri5_until(fall, above, Crossing::Falling, &start, 0.0, 9.0, &options)?;
///     let start = [0.0, -bounce * y[1]];
///     let (t, _, _) = dopri5_until(fall, above, Crossing::Falling, &start, t, 9.0, &options)?;
///     Ok(t)
/// }
///
/// let (time, pullback) = second_bounce::vjp(1.25, 10.0, 0.8);
/// assert!((time? - 0.5 * (1.0 + 2.0 * 0.8)).abs() < 1e-12); // √(2 h / g) (1 + 2 b)
/// let (by_height, _, by_bounce) = pullback(Some(1.0));
/// assert!((by_height - 0.5 * 1.3 / 1.25).abs() < 1e-9 && (by_bounce - 1.0).abs() < 1e-9);
/// # Ok::<(), OdeError>(())
/// ```
///
/// # Errors
///
/// As [`dopri5`](fn@super::dopri5).
///
/// # Panics
///
/// As [`dopri5`](fn@super::dopri5); the pullback panics where the solution only touches the event.
pub fn dopri5_until<Y: State + ?Sized>(
    f: impl Fn(f64, &Y) -> Y::Owned,
    event: impl Fn(f64, &Y) -> f64,
    crossing: Crossing,
    y0: &Y,
    t0: f64,
    t1: f64,
    options: &Options,
) -> Result<(f64, Y::Owned, bool), OdeError> {
    Dopri5Until::__over(f, event, crossing, y0, t0, t1, options)
}

super::over_any_scalar! { dopri5_until Dopri5Until }

#[doc(hidden)]
#[allow(clippy::too_many_arguments, clippy::type_complexity)]
impl<S: Scalar> Dopri5Until<S> {
    pub fn __over<Y: State<S> + ?Sized>(
        f: impl Fn(S, &Y) -> Y::Owned,
        event: impl Fn(S, &Y) -> S,
        crossing: Crossing,
        y0: &Y,
        t0: S,
        t1: S,
        options: &Options,
    ) -> Result<(S, Y::Owned, bool), OdeError> {
        let event = |t, y: &Y::Owned| event(t, Y::lend(y));
        let (field, y0) = (Plain(f), y0.owned());
        let stop = until::<S, Y>(&field, &event, crossing, y0, (t0, t1), options, |_, _| {})?;
        Ok((stop.t, stop.y, stop.slope.is_some()))
    }

    pub fn __vjp<
        MF: Mode,
        MG: Mode,
        MC: Mode,
        MY: Mode,
        M0: Mode,
        M1: Mode,
        MO: Mode,
        Y,
        E,
        C,
        P,
        EG,
        CG,
        PG,
    >(
        _: (MF, MG, MC, MY, M0, M1, MO),
        env: &E,
        code: C,
        env_g: &EG,
        code_g: CG,
        crossing: Crossing,
        y0: &Y,
        t0: S,
        t1: S,
        options: &Options,
    ) -> (
        Result<(S, Y::Owned, bool), OdeError>,
        impl FnOnce(
            Option<(S, Ct<Y::Owned>, NoGrad)>,
            &E,
            &EG,
            &Y,
            &Options,
            &mut Adj<E, MF>,
            &mut Adj<EG, MG>,
            &mut NoGrad,
            &mut Y::Acc<MY>,
            &mut Adj<S, M0>,
            &mut Adj<S, M1>,
            &mut NoGrad,
        ) + Clone
        + use<S, MF, MG, MC, MY, M0, M1, MO, Y, E, C, P, EG, CG, PG>,
    )
    where
        Y: State<S> + ?Sized,
        E: Differentiable + Clone,
        C: RateCode<S, Y, E, P>,
        P: RatePullback<S, Y, E>,
        EG: Differentiable + Clone,
        CG: Copy + Fn(&EG, (&S, &Y)) -> (S, PG),
        PG: FnOnce(S, &EG, (&S, &Y), &mut Ct<EG>, (&mut S, &mut Y::Acc<On>)) + Clone,
    {
        let y0 = y0.owned();
        let mut record = Record::new(options.checkpoints, size_of_val(Y::numbers(&y0)));
        let field = Passed { env, code };
        let event = |t, y: &Y::Owned| code_g(env_g, (&t, Y::lend(y))).0;
        let leaving = |step, y: &Y::Owned| record.push(step, y);
        let found = until::<S, Y>(&field, &event, crossing, y0, (t0, t1), options, leaving);
        let kept = found.as_ref().ok().cloned();
        let pullback = move |ct: Option<(S, Ct<Y::Owned>, NoGrad)>,
                             env: &E,
                             env_g: &EG,
                             y0: &Y,
                             _: &Options,
                             d_env: &mut Adj<E, MF>,
                             d_env_g: &mut Adj<EG, MG>,
                             _: &mut NoGrad,
                             d_y: &mut Y::Acc<MY>,
                             d_t0: &mut Adj<S, M0>,
                             d_t1: &mut Adj<S, M1>,
                             _: &mut NoGrad| {
            let (Some(Stop { theta, t, y, slope }), Some((ct_t, ct, _))) = (kept, ct) else {
                return;
            };
            let mut ct = Y::from_ct(ct);
            if ct_t.is_zero() && state::is_zero::<S, Y>(&ct) {
                return;
            }
            let field = Passed { env, code };
            let at = [(record.steps() - 1, theta)];
            let Some(slope) = slope else {
                env.with::<MF>(d_env, |d_env| {
                    let found = solution::reverse::<S, Y, _>(&record, &field, &at, vec![ct], d_env);
                    let Some((d_y0, d_start, d_read)) = found else {
                        return;
                    };
                    y0.add_to::<MY>(d_y, &d_y0);
                    d_t0.acc(d_start);
                    d_t1.acc(d_read[0] + ct_t);
                });
                return;
            };
            let (_, pullback) = code_g(env_g, (&t, Y::lend(&y)));
            let pull = |pullback: PG, ct: S, d_env_g: &mut Ct<EG>| {
                let (mut d_t, mut d_y) = (S::ZERO, state::zero::<S, Y>(&y));
                let accs = (&mut d_t, Y::accumulator(&mut d_y));
                pullback(ct, env_g, (&t, Y::lend(&y)), d_env_g, accs);
                (d_t, d_y)
            };
            let (g_t, g_y) = pull(pullback.clone(), S::ONE, &mut env_g.zero_adj(On));
            let rate = checked_rate(g_t + state::dot::<S, Y>(&g_y, &slope), t);
            // In units of time, not of θ: both cotangents move along the solution.
            let along = -(ct_t + state::dot::<S, Y>(&ct, &slope)) / rate;
            let mut moved_t = S::ZERO;
            env_g.with::<MG>(d_env_g, |d_env_g| {
                let (d_t, d_y) = pull(pullback, along, d_env_g);
                moved_t = d_t;
                state::add::<S, Y>(&mut ct, S::ONE, &d_y);
            });
            env.with::<MF>(d_env, |d_env| {
                let found = solution::reverse::<S, Y, _>(&record, &field, &at, vec![ct], d_env);
                let Some((d_y0, d_start, d_read)) = found else {
                    return;
                };
                y0.add_to::<MY>(d_y, &d_y0);
                // At a fixed θ, which `d_read` is of, time moves with the start only.
                d_t0.acc(d_start + d_read[0] + ct_t + moved_t);
            });
        };
        let value = found.map(|s| (s.t, s.y, s.slope.is_some()));
        (value, pullback)
    }

    pub fn __jvp<Y, E, C, EG, CG>(
        env: &E,
        code: C,
        (): (),
        t_env: &E::Tangent,
        env_g: &EG,
        code_g: CG,
        (): (),
        t_env_g: &EG::Tangent,
        crossing: Crossing,
        (): (),
        y0: &Y,
        t_y0: &Y::Direction,
        t0: S,
        t_t0: S,
        t1: S,
        t_t1: S,
        options: &Options,
        (): &(),
    ) -> (
        Result<(S, Y::Owned, bool), OdeError>,
        Option<(S, Y::Owned, ())>,
    )
    where
        Y: State<S> + ?Sized,
        E: Differentiable,
        C: ForwardRateCode<S, Y, E>,
        EG: Differentiable,
        CG: Copy + Fn(&EG, &EG::Tangent, (&S, &Y), (&S, &Y::Direction)) -> (S, S),
    {
        let field = PassedForward { env, t_env, code };
        let still = env_g.zero_tangent();
        let at = |t_env: &EG::Tangent, t: (S, S), y: &Y::Owned, t_y: &Y::Owned| {
            let directions = (&t.1, Y::direction(t_y));
            code_g(env_g, t_env, (&t.0, Y::lend(y)), directions)
        };
        let event = |t, y: &Y::Owned| at(&still, (t, S::ZERO), y, &state::zero::<S, Y>(y)).0;
        let mut mesh = Vec::new();
        let leaving = |step, _: &Y::Owned| mesh.push(step);
        let start = y0.owned();
        let stop = match until::<S, Y>(&field, &event, crossing, start, (t0, t1), options, leaving)
        {
            Ok(stop) => stop,
            Err(e) => return (Err(e), None),
        };
        let (mut tangent, last) = (None, mesh.len() - 1);
        let y0 = (y0.owned(), Y::along(t_y0));
        solution::push::<S, Y>(&field, &mesh, y0, t_t0, |i, step| {
            if i < last {
                return;
            }
            let h = mesh[i].1;
            let (weights, slopes) = DormandPrince::dense(stop.theta);
            let Some(slope) = &stop.slope else {
                let t_theta = (t_t1 - t_t0) / h;
                let t_y = step.read::<Y>(weights, Some((&slopes, t_theta))).1;
                tangent = Some((t_t1, t_y, ()));
                return;
            };
            let rate = at(&still, (stop.t, S::ONE), &stop.y, slope).1;
            let (_, mut t_y) = step.read::<Y>(weights, None);
            let change = at(t_env_g, (stop.t, t_t0), &stop.y, &t_y).1;
            let along = -change / checked_rate(rate, stop.t);
            state::add::<S, Y>(&mut t_y, along, slope);
            tangent = Some((t_t0 + along, t_y, ()));
        });
        (Ok((stop.t, stop.y, stop.slope.is_some())), tangent)
    }
}
