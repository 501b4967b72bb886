//! The function of an equation with its derivatives, and the linear systems they lead to.

use super::lu::Lu;
use crate::ad::{Ct, Differentiable, On};
use crate::ode::{self, State};

/// Which equation it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Equation {
    /// `F(x) = 0`
    Root,
    /// `G(x) = x`
    FixedPoint,
}

impl Equation {
    /// How far `x` is from a solution.
    pub(super) fn residual<X: State + ?Sized>(self, value: &X::Owned, x: &X::Owned) -> f64 {
        let (value, x) = (X::numbers(value), X::numbers(x));
        let (expected, found) = (x.len(), value.len());
        assert!(
            expected == found,
            "the equation has {found} numbers for {expected} unknowns"
        );
        match self {
            Equation::Root => ode::largest(value),
            Equation::FixedPoint => {
                let off: Vec<f64> = value.iter().zip(x).map(|(g, x)| g - x).collect();
                ode::largest(&off)
            }
        }
    }

    /// The factors of the Jacobian of the function, or for a fixed point of that less the identity.
    fn factors(self, n: usize, mut jacobian: Vec<f64>) -> Lu {
        if self == Equation::FixedPoint {
            (0..n).for_each(|i| jacobian[i * n + i] -= 1.0);
        }
        let what = match self {
            Equation::Root => "the root has no derivative: the Jacobian of the equation there",
            Equation::FixedPoint => "the fixed point has no derivative: I less the Jacobian there",
        };
        match Lu::new(n, jacobian) {
            Ok(lu) => lu,
            Err(reciprocal) if reciprocal.is_nan() => panic!("{what} is not finite"),
            Err(reciprocal) => {
                panic!("{what} is singular (reciprocal condition number {reciprocal:e})")
            }
        }
    }
}

/// The code of an equation that an annotated function passes on, as `ad/callable.rs` has it.
pub trait EquationCode<X: State + ?Sized, E, P>: Copy + Fn(&E, (&X,)) -> (X::Owned, P) {}

impl<X: State + ?Sized, E, P, C: Copy + Fn(&E, (&X,)) -> (X::Owned, P)> EquationCode<X, E, P>
    for C
{
}

/// Its pullback.
pub trait EquationPullback<X: State + ?Sized, E: Differentiable>:
    FnOnce(Ct<X::Owned>, &E, (&X,), &mut Ct<E>, (&mut X::Acc<On>,)) + Clone
{
}

impl<X, E, P> EquationPullback<X, E> for P
where
    X: State + ?Sized,
    E: Differentiable,
    P: FnOnce(Ct<X::Owned>, &E, (&X,), &mut Ct<E>, (&mut X::Acc<On>,)) + Clone,
{
}

/// The code of an equation in forward mode.
pub trait ForwardEquationCode<X: State + ?Sized, E: Differentiable>:
    Copy
    + Fn(
        &E,
        &E::Tangent,
        (&X,),
        (&X::Direction,),
    ) -> (X::Owned, <X::Owned as Differentiable>::Tangent)
{
}

impl<X, E, C> ForwardEquationCode<X, E> for C
where
    X: State + ?Sized,
    E: Differentiable,
    C: Copy
        + Fn(
            &E,
            &E::Tangent,
            (&X,),
            (&X::Direction,),
        ) -> (X::Owned, <X::Owned as Differentiable>::Tangent),
{
}

/// In reverse mode: see `ad/callable.rs`.
pub(super) struct Reverse<'e, E, C> {
    pub env: &'e E,
    pub code: C,
    pub equation: Equation,
}

impl<E: Differentiable, C> Reverse<'_, E, C> {
    /// Adds the derivative by what the function captures, for a cotangent of the solution `x`.
    pub(super) fn pull<X, P>(&self, x: &X::Owned, ct: X::Owned, d_env: &mut Ct<E>)
    where
        X: State + ?Sized,
        C: EquationCode<X, E, P>,
        P: EquationPullback<X, E>,
    {
        if ode::is_zero::<X>(&ct) {
            return;
        }
        let (_, pullback) = (self.code)(self.env, (X::lend(x),));
        let pull = |pullback: P, ct: X::Owned, d_env: &mut Ct<E>| {
            let mut d_x = ode::zero::<X>(x);
            let acc = X::accumulator(&mut d_x);
            pullback(X::ct(ct), self.env, (X::lend(x),), d_env, (acc,));
            d_x
        };
        // What is captured gets its share at the end only.
        let mut dropped = self.env.zero_adj(On);
        let mut product = |ct: X::Owned| pull(pullback.clone(), ct, &mut dropped);
        let iterated = match self.equation {
            Equation::Root => None,
            Equation::FixedPoint => iterate::<X>(&ct, &mut product),
        };
        let mut adjoint = iterated.unwrap_or_else(|| {
            let n = X::numbers(x).len();
            let mut jacobian = Vec::with_capacity(n * n);
            for i in 0..n {
                let mut unit = ode::zero::<X>(x);
                X::numbers_mut(&mut unit)[i] = 1.0;
                jacobian.extend_from_slice(X::numbers(&product(unit)));
            }
            let mut adjoint = ct;
            let numbers = X::numbers_mut(&mut adjoint);
            self.equation.factors(n, jacobian).solve_transposed(numbers);
            numbers.iter_mut().for_each(|x| *x = -*x);
            adjoint
        });
        // `−0.0 + 0.0`
        X::numbers_mut(&mut adjoint)
            .iter_mut()
            .for_each(|x| *x += 0.0);
        pull(pullback, adjoint, d_env);
    }
}

/// `λ = x̄ + G_xᵀ λ` by iteration; `None` where it does not converge soon.
///
/// With `ρ` the ratio of two changes, what is left is about `ρ / (1 − ρ)` of the last one: at most nine times it.
fn iterate<X: State + ?Sized>(
    ct: &X::Owned,
    product: &mut impl FnMut(X::Owned) -> X::Owned,
) -> Option<X::Owned> {
    let mut adjoint = ct.clone();
    let mut change = ct.clone();
    let mut before = f64::INFINITY;
    for _ in 0..100 {
        change = product(change);
        ode::add::<X>(&mut adjoint, 1.0, &change);
        let size = ode::largest(X::numbers(&change));
        let rate = size / before;
        let least = 1e-16 * ode::largest(X::numbers(&adjoint));
        if size == 0.0 || rate < 0.9 && size <= least {
            return Some(adjoint);
        }
        if !size.is_finite() {
            return None;
        }
        before = size;
    }
    None
}

/// In forward mode.
pub(super) struct Forward<'e, E: Differentiable, C> {
    pub env: &'e E,
    pub t_env: &'e E::Tangent,
    pub code: C,
    pub equation: Equation,
}

impl<E: Differentiable, C> Forward<'_, E, C> {
    /// The value of the function.
    pub(super) fn value<X>(&self, x: &X::Owned) -> X::Owned
    where
        X: State + ?Sized,
        C: ForwardEquationCode<X, E>,
    {
        let still = ode::zero::<X>(x);
        (self.code)(self.env, self.t_env, (X::lend(x),), (X::direction(&still),)).0
    }

    /// The tangent of the solution `x`.
    pub(super) fn push<X>(&self, x: &X::Owned) -> X::Owned
    where
        X: State + ?Sized,
        C: ForwardEquationCode<X, E>,
    {
        let along = |t_env: &E::Tangent, t_x: &X::Owned| {
            (self.code)(self.env, t_env, (X::lend(x),), (X::direction(t_x),)).1
        };
        let mut tangent = along(self.t_env, &ode::zero::<X>(x));
        if ode::is_zero::<X>(&tangent) {
            return tangent;
        }
        let n = X::numbers(x).len();
        let (held, mut jacobian) = (self.env.zero_tangent(), vec![0.0; n * n]);
        for j in 0..n {
            let mut unit = ode::zero::<X>(x);
            X::numbers_mut(&mut unit)[j] = 1.0;
            let column = along(&held, &unit);
            for (i, x) in X::numbers(&column).iter().enumerate() {
                jacobian[i * n + j] = *x;
            }
        }
        let numbers = X::numbers_mut(&mut tangent);
        self.equation.factors(n, jacobian).solve(numbers);
        numbers.iter_mut().for_each(|x| *x = -*x + 0.0);
        tangent
    }
}
