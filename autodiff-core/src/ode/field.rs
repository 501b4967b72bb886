//! The right-hand side, as the solvers call it: with or without derivatives, however it was given.

use super::state::{self, State};
use crate::ad::{Ct, Differentiable, DifferentiableFn, On, Scalar, Tangent};
use core::marker::PhantomData;

/// `f(t, y)`
pub(crate) trait Field<S: Scalar, Y: State<S> + ?Sized> {
    /// The value.
    fn rate(&self, t: S, y: &Y::Owned) -> Y::Owned;
}

/// With pullbacks.
pub(crate) trait ReverseField<S: Scalar, Y: State<S> + ?Sized>: Field<S, Y> {
    type Pullback;
    /// Where the cotangents of everything but `t` and `y` are added up.
    type Gradient;
    fn rate_and_pullback(&self, t: S, y: &Y::Owned) -> (Y::Owned, Self::Pullback);
    /// The cotangents of `t` and `y`.
    fn pull(
        &self,
        pullback: Self::Pullback,
        ct: Y::Owned,
        t: S,
        y: &Y::Owned,
        gradient: &mut Self::Gradient,
    ) -> (S, Y::Owned);
}

/// With tangents.
pub(crate) trait ForwardField<S: Scalar, Y: State<S> + ?Sized>: Field<S, Y> {
    /// The value and its tangent.
    fn push(&self, t: (S, S), y: &Y::Owned, t_y: &Y::Owned) -> (Y::Owned, Y::Owned);
}

/// A function without derivatives.
pub(crate) struct Plain<F>(pub F);

impl<S: Scalar, Y: State<S> + ?Sized, F: Fn(S, &Y) -> Y::Owned> Field<S, Y> for Plain<F> {
    #[inline]
    fn rate(&self, t: S, y: &Y::Owned) -> Y::Owned {
        checked::<S, Y>(y, (self.0)(t, Y::lend(y)))
    }
}

/// The code of a right-hand side that an annotated function passes on, as `ad/callable.rs` has it.
pub trait RateCode<S: Scalar, Y: State<S> + ?Sized, E, P>:
    Copy + Fn(&E, (&S, &Y)) -> (Y::Owned, P)
{
}

impl<S, Y, E, P, C> RateCode<S, Y, E, P> for C
where
    S: Scalar,
    Y: State<S> + ?Sized,
    C: Copy + Fn(&E, (&S, &Y)) -> (Y::Owned, P),
{
}

/// Its pullback.
pub trait RatePullback<S: Scalar, Y: State<S> + ?Sized, E: Differentiable>:
    FnOnce(Ct<Y::Owned>, &E, (&S, &Y), &mut Ct<E>, (&mut S, &mut Y::Acc<On>)) + Clone
{
}

impl<S, Y, E, P> RatePullback<S, Y, E> for P
where
    S: Scalar,
    Y: State<S> + ?Sized,
    E: Differentiable,
    P: FnOnce(Ct<Y::Owned>, &E, (&S, &Y), &mut Ct<E>, (&mut S, &mut Y::Acc<On>)) + Clone,
{
}

/// The code of a right-hand side in forward mode.
pub trait ForwardRateCode<S: Scalar, Y: State<S> + ?Sized, E: Differentiable>:
    Copy
    + Fn(
        &E,
        &E::Tangent,
        (&S, &Y),
        (&S, &Y::Direction),
    ) -> (Y::Owned, <Y::Owned as Differentiable>::Tangent)
{
}

impl<S, Y, E, C> ForwardRateCode<S, Y, E> for C
where
    S: Scalar,
    Y: State<S> + ?Sized,
    E: Differentiable,
    C: Copy
        + Fn(
            &E,
            &E::Tangent,
            (&S, &Y),
            (&S, &Y::Direction),
        ) -> (Y::Owned, <Y::Owned as Differentiable>::Tangent),
{
}

/// A function that an annotated function passes on, in reverse mode: see `ad/callable.rs`.
pub(crate) struct Passed<'e, E, C> {
    pub env: &'e E,
    pub code: C,
}

impl<S, Y, E, C, P> Field<S, Y> for Passed<'_, E, C>
where
    S: Scalar,
    Y: State<S> + ?Sized,
    C: Fn(&E, (&S, &Y)) -> (Y::Owned, P),
{
    #[inline]
    fn rate(&self, t: S, y: &Y::Owned) -> Y::Owned {
        checked::<S, Y>(y, (self.code)(self.env, (&t, Y::lend(y))).0)
    }
}

impl<S, Y, E, C, P> ReverseField<S, Y> for Passed<'_, E, C>
where
    S: Scalar,
    Y: State<S> + ?Sized,
    E: Differentiable,
    C: Fn(&E, (&S, &Y)) -> (Y::Owned, P),
    P: RatePullback<S, Y, E>,
{
    type Pullback = P;
    type Gradient = Ct<E>;
    #[inline]
    fn rate_and_pullback(&self, t: S, y: &Y::Owned) -> (Y::Owned, P) {
        let (rate, pullback) = (self.code)(self.env, (&t, Y::lend(y)));
        (checked::<S, Y>(y, rate), pullback)
    }
    #[inline]
    fn pull(
        &self,
        pullback: P,
        ct: Y::Owned,
        t: S,
        y: &Y::Owned,
        gradient: &mut Ct<E>,
    ) -> (S, Y::Owned) {
        let (mut d_t, mut d_y) = (S::ZERO, state::zero::<S, Y>(y));
        pullback(
            Y::ct(ct),
            self.env,
            (&t, Y::lend(y)),
            gradient,
            (&mut d_t, Y::accumulator(&mut d_y)),
        );
        (d_t, d_y)
    }
}

/// The same in forward mode.
pub(crate) struct PassedForward<'e, E: Differentiable, C> {
    pub env: &'e E,
    pub t_env: &'e E::Tangent,
    pub code: C,
}

impl<S, Y, E, C> Field<S, Y> for PassedForward<'_, E, C>
where
    S: Scalar,
    Y: State<S> + ?Sized,
    E: Differentiable,
    C: ForwardRateCode<S, Y, E>,
{
    #[inline]
    fn rate(&self, t: S, y: &Y::Owned) -> Y::Owned {
        self.push((t, S::ZERO), y, &state::zero::<S, Y>(y)).0
    }
}

impl<S, Y, E, C> ForwardField<S, Y> for PassedForward<'_, E, C>
where
    S: Scalar,
    Y: State<S> + ?Sized,
    E: Differentiable,
    C: ForwardRateCode<S, Y, E>,
{
    #[inline]
    fn push(&self, t: (S, S), y: &Y::Owned, t_y: &Y::Owned) -> (Y::Owned, Y::Owned) {
        let directions = (&t.1, Y::direction(t_y));
        let (rate, t_rate) = (self.code)(self.env, self.t_env, (&t.0, Y::lend(y)), directions);
        (checked::<S, Y>(y, rate), t_rate)
    }
}

/// An annotated function, taken as a type, with parameters.
pub(crate) struct Named<'p, F, P> {
    pub params: &'p P,
    pub function: PhantomData<fn() -> F>,
}

impl<Y, F, P> Field<f64, Y> for Named<'_, F, P>
where
    Y: State + ?Sized,
    P: Differentiable + Clone,
    F: DifferentiableFn<(f64, Y::Owned, P), Output = Y::Owned>,
{
    #[inline]
    fn rate(&self, t: f64, y: &Y::Owned) -> Y::Owned {
        checked::<f64, Y>(y, F::call(&(t, y.clone(), self.params.clone())))
    }
}

impl<Y, F, P> ReverseField<f64, Y> for Named<'_, F, P>
where
    Y: State + ?Sized,
    P: Differentiable + Clone,
    F: DifferentiableFn<(f64, Y::Owned, P), Output = Y::Owned>,
{
    type Pullback = ();
    type Gradient = Option<P::Tangent>;
    #[inline]
    fn rate_and_pullback(&self, t: f64, y: &Y::Owned) -> (Y::Owned, ()) {
        (Field::<f64, Y>::rate(self, t, y), ())
    }
    #[inline]
    fn pull(
        &self,
        (): (),
        ct: Y::Owned,
        t: f64,
        y: &Y::Owned,
        gradient: &mut Option<P::Tangent>,
    ) -> (f64, Y::Owned) {
        let (d_t, d_y, d_p) = F::vjp(&(t, y.clone(), self.params.clone()), ct);
        *gradient = gradient.take().add(Some(d_p));
        (d_t, d_y)
    }
}

/// A rate has as many numbers as its state.
#[inline(always)]
fn checked<S: Scalar, Y: State<S> + ?Sized>(y: &Y::Owned, rate: Y::Owned) -> Y::Owned {
    let (expected, found) = (Y::numbers(y).len(), Y::numbers(&rate).len());
    assert!(
        expected == found,
        "the right-hand side returned {found} numbers for a state of {expected}"
    );
    rate
}
