//! Steps of one size: the classical Runge–Kutta method.
//!
//! With `h = (t1 − t0) / n` and steps that start at `t_i = t0 + i h`, a step's cotangents `t̄_i` and `h̄_i`
//! give those of the ends: `t̄0 += (1 − i/n) t̄_i − h̄_i / n`, `t̄1 += (i/n) t̄_i + h̄_i / n`.

use super::companions::companions;
use super::field::{
    Field, ForwardField, ForwardRateCode, Passed, PassedForward, Plain, RateCode, RatePullback,
    ReverseField,
};
use super::form::{Form, Many, One};
use super::record::{Checkpoints, Record};
use super::state::{self, State};
use super::step::{self, Pushed};
use super::tableau::{Classical, Tableau};
use crate::ad::{Acc, Adj, Argument, Ct, Differentiable, Mode, NoGrad, Scalar};
use core::marker::PhantomData;

/// The interval and how often it is divided.
#[derive(Clone, Copy)]
pub(super) struct Grid<S> {
    t0: S,
    t1: S,
    steps: usize,
}

impl<S: Scalar> Grid<S> {
    pub(super) fn new(t0: S, t1: S, steps: usize) -> Self {
        assert!(steps > 0, "an integration takes at least one step");
        Grid { t0, t1, steps }
    }
    fn h(self) -> S {
        (self.t1 - self.t0) / S::lit(self.steps as f64)
    }
    fn step(self, i: usize) -> (S, S) {
        (self.t0 + S::lit(i as f64) * self.h(), self.h())
    }

    /// Runs; `leaving` is told every step and the state before it.
    pub(super) fn run<Y: State<S> + ?Sized, R: Form<S, Y>>(
        self,
        field: &impl Field<S, Y>,
        y0: Y::Owned,
        mut leaving: impl FnMut((S, S), &Y::Owned),
    ) -> R::Value {
        let (mut rates, mut states) = (Vec::with_capacity(4), Vec::new());
        let end = (0..self.steps).fold(y0, |y, i| {
            leaving(self.step(i), &y);
            let next = step::advanced::<Classical, S, Y>(field, self.step(i), &y, &mut rates);
            if R::ALL {
                states.push(y);
            }
            next
        });
        states.push(end);
        R::value(states)
    }

    fn push<Y: State<S> + ?Sized, R: Form<S, Y>>(
        self,
        field: &impl ForwardField<S, Y>,
        y0: (Y::Owned, Y::Owned),
        t_t0: S,
        t_t1: S,
    ) -> (R::Value, R::Value) {
        let n = S::lit(self.steps as f64);
        let t_h = (t_t1 - t_t0) / n;
        let (mut states, mut tangents) = (Vec::new(), Vec::new());
        let (end, t_end) = (0..self.steps).fold(y0, |y, i| {
            if R::ALL {
                states.push(y.0.clone());
                tangents.push(y.1.clone());
            }
            let (t, h) = self.step(i);
            let start = (t, t_t0 + S::lit(i as f64) * t_h);
            let step = Pushed::new::<Classical, Y>(field, start, (h, t_h), y, 4);
            step.read::<Y>(step::lit(Classical::B), None)
        });
        states.push(end);
        tangents.push(t_end);
        (R::value(states), R::value(tangents))
    }

    /// The cotangents of the state at the start and, if `of_ends`, of both ends, for those of the last states.
    pub(super) fn reverse<Y: State<S> + ?Sized, F: ReverseField<S, Y>>(
        self,
        record: &Record<S, Y::Owned>,
        field: &F,
        cts: &[Y::Owned],
        gradient: &mut F::Gradient,
        of_ends: bool,
    ) -> (Y::Owned, S, S) {
        let (mut d_t0, mut d_t1, n) = (S::ZERO, S::ZERO, S::lit(self.steps as f64));
        let each = |i: usize, d_t: S, d_h: S| {
            let part = S::lit(i as f64) / n;
            d_t0 += (S::ONE - part) * d_t - d_h / n;
            d_t1 += part * d_t + d_h / n;
        };
        let without = self.steps + 1 - cts.len();
        let arriving = |at: usize, ct: &mut Y::Owned| {
            if at >= without {
                state::add::<S, Y>(ct, S::ONE, &cts[at - without]);
            }
        };
        let (zero, points) = (state::zero::<S, Y>(&cts[0]), &mut []);
        let after = |i: usize, ct: &mut Y::Owned| arriving(i + 1, ct);
        let mut d_y =
            record.reverse::<Classical, Y, F>(field, zero, points, gradient, after, each, of_ends);
        arriving(0, &mut d_y);
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
    Rk4With::__over(f, y0, t0, t1, steps, checkpoints)
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
    Rk4Path::__over(f, y0, t0, t1, steps)
}

/// Whether what is added to an accumulator is kept.
fn is_kept<T: Differentiable, A: Acc<T>>(_: &A) -> bool {
    A::ON
}

/// What a pullback keeps; `R` is the form of the result.
#[derive(Clone)]
struct Kept<S, O, C, R> {
    grid: Grid<S>,
    record: Record<S, O>,
    code: C,
    form: PhantomData<R>,
}

impl<S: Scalar, O: Differentiable<Tangent = O> + Clone, C: Copy, R> Kept<S, O, C, R> {
    fn new<Y, E, P>(
        env: &E,
        code: C,
        y0: &Y,
        grid: Grid<S>,
        checkpoints: Checkpoints,
    ) -> (R::Value, Self)
    where
        Y: State<S, Owned = O> + ?Sized,
        C: RateCode<S, Y, E, P>,
        R: Form<S, Y>,
    {
        let y0 = y0.owned();
        let mut record = Record::new(checkpoints, size_of_val(Y::numbers(&y0)));
        let field = Passed { env, code };
        let value = grid.run::<Y, R>(&field, y0, |step, y| record.push(step, y));
        let kept = Kept {
            grid,
            record,
            code,
            form: PhantomData,
        };
        (value, kept)
    }

    #[allow(clippy::too_many_arguments)] // the accumulators beside the arguments
    fn pull<MF: Mode, MY: Mode, Y, E, P>(
        self,
        ct: Ct<R::Value>,
        env: &E,
        y0: &Y,
        d_env: &mut Adj<E, MF>,
        d_y: &mut Y::Acc<MY>,
        d_t0: &mut impl Acc<S>,
        d_t1: &mut impl Acc<S>,
    ) where
        Y: State<S, Owned = O> + ?Sized,
        E: Differentiable,
        C: RateCode<S, Y, E, P>,
        P: RatePullback<S, Y, E>,
        R: Form<S, Y>,
    {
        let (cts, code) = (R::cts(ct), self.code);
        let field = Passed { env, code };
        let of_ends = is_kept(d_t0) || is_kept(d_t1);
        env.with::<MF>(d_env, |d_env| {
            let (y, t0, t1) = self
                .grid
                .reverse::<Y, _>(&self.record, &field, &cts, d_env, of_ends);
            y0.add_to::<MY>(d_y, &y);
            d_t0.acc(t0);
            d_t1.acc(t1);
        });
    }

    fn push<Y, E>(
        (env, t_env): (&E, &E::Tangent),
        code: C,
        (y0, t_y0): (&Y, &Y::Direction),
        grid: Grid<S>,
        (t_t0, t_t1): (S, S),
    ) -> (R::Value, R::Value)
    where
        Y: State<S, Owned = O> + ?Sized,
        E: Differentiable,
        C: ForwardRateCode<S, Y, E>,
        R: Form<S, Y>,
    {
        let field = PassedForward { env, t_env, code };
        grid.push::<Y, R>(&field, (y0.owned(), Y::along(t_y0)), t_t0, t_t1)
    }
}

companions! {
    rk4 (Rk4) of RateCode, RatePullback, ForwardRateCode;
    value t0 t_t0: S, M0: Mode;
    value t1 t_t1: S, M1: Mode;
    value steps t_steps: usize, MN: Mode;
    keeps Kept<S, Y::Owned, C, One> => Y::Owned;
    plain |f: (S, &Y), y0| Grid::new(t0, t1, steps).run::<Y, One>(&Plain(f), y0.owned(), |_, _| {});
    new(Grid::new(t0, t1, steps), Checkpoints::Auto)
    pull(t0, t1)
    push(Grid::new(t0, t1, steps), (t_t0, t_t1))

    rk4_with (Rk4With) of RateCode, RatePullback, ForwardRateCode;
    value t0 t_t0: S, M0: Mode;
    value t1 t_t1: S, M1: Mode;
    value steps t_steps: usize, MN: Mode;
    lent checkpoints t_checkpoints: &Checkpoints, &(), NoGrad, MC;
    keeps Kept<S, Y::Owned, C, One> => Y::Owned;
    plain |f: (S, &Y), y0| Grid::new(t0, t1, steps).run::<Y, One>(&Plain(f), y0.owned(), |_, _| {});
    new(Grid::new(t0, t1, steps), *checkpoints)
    pull(t0, t1)
    push(Grid::new(t0, t1, steps), (t_t0, t_t1))

    rk4_path (Rk4Path) of RateCode, RatePullback, ForwardRateCode;
    value t0 t_t0: S, M0: Mode;
    value t1 t_t1: S, M1: Mode;
    value steps t_steps: usize, MN: Mode;
    keeps Kept<S, Y::Owned, C, Many> => Vec<Y::Owned>;
    plain |f: (S, &Y), y0| Grid::new(t0, t1, steps).run::<Y, Many>(&Plain(f), y0.owned(), |_, _| {});
    new(Grid::new(t0, t1, steps), Checkpoints::Auto)
    pull(t0, t1)
    push(Grid::new(t0, t1, steps), (t_t0, t_t1))
}
