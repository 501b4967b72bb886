//! Steps of one size: the classical Runge–Kutta method.
//!
//! With `h = (t1 − t0) / n` and steps that start at `t_i = t0 + i h`, a step's cotangents `t̄_i` and `h̄_i`
//! give those of the ends: `t̄0 += (1 − i/n) t̄_i − h̄_i / n`, `t̄1 += (i/n) t̄_i + h̄_i / n`.

use super::field::{
    Field, ForwardField, ForwardRateCode, Passed, PassedForward, Plain, RateCode, RatePullback,
    ReverseField,
};
use super::record::{Checkpoints, Record};
use super::state::{self, State};
use super::step::{self, Pushed};
use super::tableau::{Classical, Tableau};
use crate::ad::{Acc, Adj, Argument, Ct, Differentiable, Mode, NoGrad};

/// The interval and how often it is divided.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    t0: f64,
    t1: f64,
    steps: usize,
}

impl Grid {
    pub(super) fn new(t0: f64, t1: f64, steps: usize) -> Self {
        assert!(steps > 0, "an integration takes at least one step");
        Grid { t0, t1, steps }
    }
    fn h(self) -> f64 {
        (self.t1 - self.t0) / self.steps as f64
    }
    fn step(self, i: usize) -> (f64, f64) {
        (self.t0 + i as f64 * self.h(), self.h())
    }

    /// Runs; `leaving` is told every step and the state before it.
    pub(super) fn run<Y: State + ?Sized>(
        self,
        field: &impl Field<Y>,
        y0: Y::Owned,
        mut leaving: impl FnMut((f64, f64), &Y::Owned),
    ) -> Y::Owned {
        let mut rates = Vec::with_capacity(4);
        (0..self.steps).fold(y0, |y, i| {
            leaving(self.step(i), &y);
            step::advanced::<Classical, Y>(field, self.step(i), &y, &mut rates)
        })
    }

    fn push<Y: State + ?Sized>(
        self,
        t_t0: f64,
        t_t1: f64,
        field: &impl ForwardField<Y>,
        y0: (Y::Owned, Y::Owned),
        mut leaving: impl FnMut(&(Y::Owned, Y::Owned)),
    ) -> (Y::Owned, Y::Owned) {
        let n = self.steps as f64;
        let t_h = (t_t1 - t_t0) / n;
        (0..self.steps).fold(y0, |y, i| {
            leaving(&y);
            let (t, h) = self.step(i);
            let start = (t, t_t0 + i as f64 * t_h);
            let step = Pushed::new::<Classical, Y>(field, start, (h, t_h), y, 4);
            step.read::<Y>(Classical::B, None)
        })
    }

    /// The cotangents of the state at the start and of both ends.
    pub(super) fn reverse<Y: State + ?Sized, F: ReverseField<Y>>(
        self,
        record: &Record<Y::Owned>,
        field: &F,
        end: Y::Owned,
        arriving: impl FnMut(usize, &mut Y::Owned),
        gradient: &mut F::Gradient,
    ) -> (Y::Owned, f64, f64) {
        let (mut d_t0, mut d_t1, n) = (0.0, 0.0, self.steps as f64);
        let each = |i: usize, d_t: f64, d_h: f64| {
            let part = i as f64 / n;
            d_t0 += (1.0 - part) * d_t - d_h / n;
            d_t1 += part * d_t + d_h / n;
        };
        let points = &mut [];
        let d_y = record.reverse::<Classical, Y, F>(field, end, points, gradient, arriving, each);
        (d_y, d_t0, d_t1)
    }
}

/// The state at `t1`, by `steps` steps of the classical Runge–Kutta method of order 4.
///
/// `f(t, &y)` is the derivative of the state, in the arrangement of the state. What else it depends on, it
/// captures; the solution is differentiated by all of that, by `y0`, `t0` and `t1`. `t1` may be before `t0`.
/// The reverse pass keeps the state at about the root of the number of steps; [`rk4_with`](fn@rk4_with) changes that.
///
/// ```
/// use differentiable::{ode::rk4, prelude::*};
///
/// #[differentiable]
/// fn height(start: f64, gravity: f64, drag: f64) -> f64 {
///     let fall = |_, y: &[f64; 2]| [y[1], -gravity - drag * y[1] * y[1].abs()];
///     rk4(fall, &[start, 0.0], 0.0, 1.0, 20)[0]
/// }
///
/// let (_, by_gravity, _) = height::grad(10.0, 9.81, 0.0);
/// assert!((by_gravity + 0.5).abs() < 1e-12); // of 10 − ½ g t²
/// ```
///
/// # Panics
///
/// If `steps` is 0, or `f` returns another number of entries than the state has.
pub fn rk4<Y: State + ?Sized>(
    f: impl Fn(f64, &Y) -> Y::Owned,
    y0: &Y,
    t0: f64,
    t1: f64,
    steps: usize,
) -> Y::Owned {
    rk4_with(f, y0, t0, t1, steps, &Checkpoints::Auto)
}

/// [`rk4`](fn@rk4) with a choice of the states that are kept for the reverse pass.
///
/// # Panics
///
/// As [`rk4`](fn@rk4).
pub fn rk4_with<Y: State + ?Sized>(
    f: impl Fn(f64, &Y) -> Y::Owned,
    y0: &Y,
    t0: f64,
    t1: f64,
    steps: usize,
    checkpoints: &Checkpoints,
) -> Y::Owned {
    // Without a reverse pass there is nothing to keep.
    let _ = checkpoints;
    Grid::new(t0, t1, steps).run::<Y>(&Plain(f), y0.owned(), |_, _| {})
}

/// The states at `t0`, after each step, and so on to `t1`: `steps + 1` of them. Otherwise as [`rk4`](fn@rk4).
///
/// # Panics
///
/// As [`rk4`](fn@rk4).
pub fn rk4_path<Y: State + ?Sized>(
    f: impl Fn(f64, &Y) -> Y::Owned,
    y0: &Y,
    t0: f64,
    t1: f64,
    steps: usize,
) -> Vec<Y::Owned> {
    let mut path = Vec::with_capacity(steps + 1);
    let end = Grid::new(t0, t1, steps).run::<Y>(&Plain(f), y0.owned(), |_, y| path.push(y.clone()));
    path.push(end);
    path
}

/// Derivatives of the function [`rk4`](fn@rk4).
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub enum rk4 {}

/// Derivatives of the function [`rk4_with`](fn@rk4_with).
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub enum rk4_with {}

/// Derivatives of the function [`rk4_path`](fn@rk4_path).
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub enum rk4_path {}

#[doc(hidden)]
#[allow(clippy::too_many_arguments, clippy::type_complexity)]
impl rk4 {
    pub const __WEIGHT: usize = 1;

    pub fn __vjp<MF: Mode, MY: Mode, M0: Mode, M1: Mode, MN: Mode, Y, E, C, P>(
        (f, y, a, b, n): (MF, MY, M0, M1, MN),
        env: &E,
        code: C,
        y0: &Y,
        t0: f64,
        t1: f64,
        steps: usize,
    ) -> (
        Y::Owned,
        impl FnOnce(
            Ct<Y::Owned>,
            &E,
            &Y,
            &mut Adj<E, MF>,
            &mut Y::Acc<MY>,
            &mut Adj<f64, M0>,
            &mut Adj<f64, M1>,
            &mut NoGrad,
        ) + Clone
        + use<MF, MY, M0, M1, MN, Y, E, C, P>,
    )
    where
        Y: State + ?Sized,
        E: Differentiable + Clone,
        C: RateCode<Y, E, P>,
        P: RatePullback<Y, E>,
    {
        let modes = (f, y, a, b, n, crate::ad::Off);
        let (end, pullback) =
            rk4_with::__vjp(modes, env, code, y0, t0, t1, steps, &Checkpoints::Auto);
        let pullback = move |ct: Ct<Y::Owned>,
                             env: &E,
                             y0: &Y,
                             d_env: &mut Adj<E, MF>,
                             d_y: &mut Y::Acc<MY>,
                             d_t0: &mut Adj<f64, M0>,
                             d_t1: &mut Adj<f64, M1>,
                             d_n: &mut NoGrad| {
            pullback(
                ct,
                env,
                y0,
                &Checkpoints::Auto,
                d_env,
                d_y,
                d_t0,
                d_t1,
                d_n,
                &mut NoGrad,
            )
        };
        (end, pullback)
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
        steps: usize,
        (): (),
    ) -> (Y::Owned, Y::Owned)
    where
        Y: State + ?Sized,
        E: Differentiable,
        C: ForwardRateCode<Y, E>,
    {
        let field = PassedForward { env, t_env, code };
        let y0 = (y0.owned(), Y::along(t_y0));
        Grid::new(t0, t1, steps).push::<Y>(t_t0, t_t1, &field, y0, |_| {})
    }
}

#[doc(hidden)]
#[allow(clippy::too_many_arguments, clippy::type_complexity)]
impl rk4_with {
    pub const __WEIGHT: usize = 1;

    pub fn __vjp<MF: Mode, MY: Mode, M0: Mode, M1: Mode, MN: Mode, MC: Mode, Y, E, C, P>(
        _: (MF, MY, M0, M1, MN, MC),
        env: &E,
        code: C,
        y0: &Y,
        t0: f64,
        t1: f64,
        steps: usize,
        checkpoints: &Checkpoints,
    ) -> (
        Y::Owned,
        impl FnOnce(
            Ct<Y::Owned>,
            &E,
            &Y,
            &Checkpoints,
            &mut Adj<E, MF>,
            &mut Y::Acc<MY>,
            &mut Adj<f64, M0>,
            &mut Adj<f64, M1>,
            &mut NoGrad,
            &mut NoGrad,
        ) + Clone
        + use<MF, MY, M0, M1, MN, MC, Y, E, C, P>,
    )
    where
        Y: State + ?Sized,
        E: Differentiable + Clone,
        C: RateCode<Y, E, P>,
        P: RatePullback<Y, E>,
    {
        let grid = Grid::new(t0, t1, steps);
        let mut record = Record::new(*checkpoints);
        let field = Passed { env, code };
        let end = grid.run::<Y>(&field, y0.owned(), |step, y| record.push(step, y));
        let pullback = move |ct: Ct<Y::Owned>,
                             env: &E,
                             y0: &Y,
                             _: &Checkpoints,
                             d_env: &mut Adj<E, MF>,
                             d_y: &mut Y::Acc<MY>,
                             d_t0: &mut Adj<f64, M0>,
                             d_t1: &mut Adj<f64, M1>,
                             _: &mut NoGrad,
                             _: &mut NoGrad| {
            let field = Passed { env, code };
            env.with::<MF>(d_env, |d_env| {
                let end = Y::from_ct(ct);
                let (y, t0, t1) = grid.reverse::<Y, _>(&record, &field, end, |_, _| {}, d_env);
                y0.add_to::<MY>(d_y, &y);
                d_t0.acc(t0);
                d_t1.acc(t1);
            });
        };
        (end, pullback)
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
        steps: usize,
        (): (),
        _: &Checkpoints,
        (): &(),
    ) -> (Y::Owned, Y::Owned)
    where
        Y: State + ?Sized,
        E: Differentiable,
        C: ForwardRateCode<Y, E>,
    {
        rk4::__jvp(
            env,
            code,
            (),
            t_env,
            y0,
            t_y0,
            t0,
            t_t0,
            t1,
            t_t1,
            steps,
            (),
        )
    }
}

#[doc(hidden)]
#[allow(clippy::too_many_arguments, clippy::type_complexity)]
impl rk4_path {
    pub const __WEIGHT: usize = 1;

    pub fn __vjp<MF: Mode, MY: Mode, M0: Mode, M1: Mode, MN: Mode, Y, E, C, P>(
        _: (MF, MY, M0, M1, MN),
        env: &E,
        code: C,
        y0: &Y,
        t0: f64,
        t1: f64,
        steps: usize,
    ) -> (
        Vec<Y::Owned>,
        impl FnOnce(
            Ct<Vec<Y::Owned>>,
            &E,
            &Y,
            &mut Adj<E, MF>,
            &mut Y::Acc<MY>,
            &mut Adj<f64, M0>,
            &mut Adj<f64, M1>,
            &mut NoGrad,
        ) + Clone
        + use<MF, MY, M0, M1, MN, Y, E, C, P>,
    )
    where
        Y: State + ?Sized,
        E: Differentiable + Clone,
        C: RateCode<Y, E, P>,
        P: RatePullback<Y, E>,
    {
        let grid = Grid::new(t0, t1, steps);
        let mut record = Record::new(Checkpoints::Auto);
        let mut path = Vec::with_capacity(steps + 1);
        let field = Passed { env, code };
        let end = grid.run::<Y>(&field, y0.owned(), |step, y| {
            record.push(step, y);
            path.push(y.clone());
        });
        path.push(end);
        let pullback = move |ct: Ct<Vec<Y::Owned>>,
                             env: &E,
                             y0: &Y,
                             d_env: &mut Adj<E, MF>,
                             d_y: &mut Y::Acc<MY>,
                             d_t0: &mut Adj<f64, M0>,
                             d_t1: &mut Adj<f64, M1>,
                             _: &mut NoGrad| {
            let cts: Vec<Y::Owned> = ct.into_iter().map(Y::from_ct).collect();
            let field = Passed { env, code };
            env.with::<MF>(d_env, |d_env| {
                let arriving = |i: usize, ct: &mut Y::Owned| state::add::<Y>(ct, 1.0, &cts[i + 1]);
                let end = state::zero::<Y>(&cts[0]);
                let (mut y, t0, t1) = grid.reverse::<Y, _>(&record, &field, end, arriving, d_env);
                state::add::<Y>(&mut y, 1.0, &cts[0]);
                y0.add_to::<MY>(d_y, &y);
                d_t0.acc(t0);
                d_t1.acc(t1);
            });
        };
        (path, pullback)
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
        steps: usize,
        (): (),
    ) -> (Vec<Y::Owned>, Vec<Y::Owned>)
    where
        Y: State + ?Sized,
        E: Differentiable,
        C: ForwardRateCode<Y, E>,
    {
        let field = PassedForward { env, t_env, code };
        let (mut path, mut tangents) = (Vec::new(), Vec::new());
        let y0 = (y0.owned(), Y::along(t_y0));
        let (end, t_end) =
            Grid::new(t0, t1, steps).push::<Y>(t_t0, t_t1, &field, y0, |(y, t_y)| {
                path.push(y.clone());
                tangents.push(t_y.clone());
            });
        path.push(end);
        tangents.push(t_end);
        (path, tangents)
    }
}
