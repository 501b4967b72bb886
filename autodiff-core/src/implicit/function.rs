//! The function of an equation with its derivatives, and the linear systems they lead to.

use super::lu::Lu;
use crate::ad::{Ct, Differentiable, On, Scalar};
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
    /// `F(x)`, or `G(x) − x`, for the value of the function.
    pub(super) fn off<S: Scalar, X: State<S> + ?Sized>(
        self,
        value: &X::Owned,
        x: &X::Owned,
    ) -> Vec<S> {
        let (value, x) = (X::numbers(value), X::numbers(x));
        let (expected, found) = (x.len(), value.len());
        assert!(
            expected == found,
            "the equation has {found} numbers for {expected} unknowns"
        );
        match self {
            Equation::Root => value.to_vec(),
            Equation::FixedPoint => value.iter().zip(x).map(|(g, x)| *g - *x).collect(),
        }
    }

    /// How far `x` is from a solution.
    pub(super) fn residual<S: Scalar, X: State<S> + ?Sized>(
        self,
        value: &X::Owned,
        x: &X::Owned,
    ) -> f64 {
        ode::largest(&self.off::<S, X>(value, x))
    }

    /// The factors of the Jacobian of the function, or for a fixed point of that less the identity.
    pub(super) fn factors<S: Scalar>(self, n: usize, mut jacobian: Vec<S>) -> Lu<S> {
        if self == Equation::FixedPoint {
            (0..n).for_each(|i| jacobian[i * n + i] -= S::ONE);
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
pub trait EquationCode<S: Scalar, X: State<S> + ?Sized, E, P>:
    Copy + Fn(&E, (&X,)) -> (X::Owned, P)
{
}

impl<S, X, E, P, C> EquationCode<S, X, E, P> for C
where
    S: Scalar,
    X: State<S> + ?Sized,
    C: Copy + Fn(&E, (&X,)) -> (X::Owned, P),
{
}

/// Its pullback.
pub trait EquationPullback<S: Scalar, X: State<S> + ?Sized, E: Differentiable>:
    FnOnce(Ct<X::Owned>, &E, (&X,), &mut Ct<E>, (&mut X::Acc<On>,)) + Clone
{
}

impl<S, X, E, P> EquationPullback<S, X, E> for P
where
    S: Scalar,
    X: State<S> + ?Sized,
    E: Differentiable,
    P: FnOnce(Ct<X::Owned>, &E, (&X,), &mut Ct<E>, (&mut X::Acc<On>,)) + Clone,
{
}

/// The code of an equation in forward mode.
pub trait ForwardEquationCode<S: Scalar, X: State<S> + ?Sized, E: Differentiable>:
    Copy
    + Fn(
        &E,
        &E::Tangent,
        (&X,),
        (&X::Direction,),
    ) -> (X::Owned, <X::Owned as Differentiable>::Tangent)
{
}

impl<S, X, E, C> ForwardEquationCode<S, X, E> for C
where
    S: Scalar,
    X: State<S> + ?Sized,
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
    /// The pullback of the function at `x`, which adds to the cotangents of what it captures.
    fn at<S, X, P>(&self, x: &X::Owned) -> impl Fn(X::Owned, &mut Ct<E>) -> X::Owned
    where
        S: Scalar,
        X: State<S> + ?Sized,
        C: EquationCode<S, X, E, P>,
        P: EquationPullback<S, X, E>,
    {
        let (_, pullback) = (self.code)(self.env, (X::lend(x),));
        move |ct: X::Owned, d_env: &mut Ct<E>| {
            let mut d_x = ode::zero::<S, X>(x);
            let acc = X::accumulator(&mut d_x);
            (pullback.clone())(X::ct(ct), self.env, (X::lend(x),), d_env, (acc,));
            d_x
        }
    }

    /// The Jacobian of the function, row by row.
    pub(super) fn jacobian<S, X, P>(&self, x: &X::Owned) -> Vec<S>
    where
        S: Scalar,
        X: State<S> + ?Sized,
        C: EquationCode<S, X, E, P>,
        P: EquationPullback<S, X, E>,
    {
        let (pull, mut dropped) = (self.at::<S, X, P>(x), self.env.zero_adj(On));
        rows::<S, X>(x, &mut |ct| pull(ct, &mut dropped))
    }

    /// Adds the derivative by what the function captures, for a cotangent of the solution `x`.
    pub(super) fn pull<S, X, P>(&self, x: &X::Owned, ct: X::Owned, d_env: &mut Ct<E>)
    where
        S: Scalar,
        X: State<S> + ?Sized,
        C: EquationCode<S, X, E, P>,
        P: EquationPullback<S, X, E>,
    {
        if ode::is_zero::<S, X>(&ct) {
            return;
        }
        let pull = self.at::<S, X, P>(x);
        // What is captured gets its share at the end only.
        let mut dropped = self.env.zero_adj(On);
        let mut product = |ct: X::Owned| pull(ct, &mut dropped);
        let iterated = match self.equation {
            Equation::Root => None,
            Equation::FixedPoint => iterate::<S, X>(&ct, &mut product),
        };
        let mut adjoint = iterated.unwrap_or_else(|| {
            let n = X::numbers(x).len();
            let jacobian = rows::<S, X>(x, &mut product);
            let mut adjoint = ct;
            let numbers = X::numbers_mut(&mut adjoint);
            self.equation.factors(n, jacobian).solve_transposed(numbers);
            numbers.iter_mut().for_each(|x| *x = -*x);
            adjoint
        });
        // `−0.0 + 0.0`
        X::numbers_mut(&mut adjoint)
            .iter_mut()
            .for_each(|x| *x += S::ZERO);
        pull(adjoint, d_env);
    }
}

/// The rows of a matrix: its products with unit vectors from the left.
fn rows<S: Scalar, X: State<S> + ?Sized>(
    x: &X::Owned,
    product: &mut dyn FnMut(X::Owned) -> X::Owned,
) -> Vec<S> {
    let n = X::numbers(x).len();
    let mut rows = Vec::with_capacity(n * n);
    for i in 0..n {
        let mut unit = ode::zero::<S, X>(x);
        X::numbers_mut(&mut unit)[i] = S::ONE;
        rows.extend_from_slice(X::numbers(&product(unit)));
    }
    rows
}

/// `λ = x̄ + G_xᵀ λ` by iteration, until no number of `λ` changes; `None` where that is not soon.
///
/// Tangents count as numbers do.
fn iterate<S: Scalar, X: State<S> + ?Sized>(
    ct: &X::Owned,
    product: &mut impl FnMut(X::Owned) -> X::Owned,
) -> Option<X::Owned> {
    let mut adjoint = ct.clone();
    let mut change = ct.clone();
    for _ in 0..100 {
        change = product(change);
        if !ode::is_finite::<S, X>(&change) {
            return None;
        }
        let mut changed = false;
        let entries = X::numbers_mut(&mut adjoint).iter_mut();
        for (x, change) in entries.zip(X::numbers(&change)) {
            let next = *x + *change;
            changed |= !(next - *x).is_zero();
            *x = next;
        }
        if !changed {
            return Some(adjoint);
        }
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
    pub(super) fn value<S, X>(&self, x: &X::Owned) -> X::Owned
    where
        S: Scalar,
        X: State<S> + ?Sized,
        C: ForwardEquationCode<S, X, E>,
    {
        let still = ode::zero::<S, X>(x);
        (self.code)(self.env, self.t_env, (X::lend(x),), (X::direction(&still),)).0
    }

    fn along<S, X>(&self, x: &X::Owned, t_env: &E::Tangent, t_x: &X::Owned) -> X::Owned
    where
        S: Scalar,
        X: State<S> + ?Sized,
        C: ForwardEquationCode<S, X, E>,
    {
        (self.code)(self.env, t_env, (X::lend(x),), (X::direction(t_x),)).1
    }

    /// The Jacobian of the function, row by row.
    pub(super) fn jacobian<S, X>(&self, x: &X::Owned) -> Vec<S>
    where
        S: Scalar,
        X: State<S> + ?Sized,
        C: ForwardEquationCode<S, X, E>,
    {
        let n = X::numbers(x).len();
        let (held, mut jacobian) = (self.env.zero_tangent(), vec![S::ZERO; n * n]);
        for j in 0..n {
            let mut unit = ode::zero::<S, X>(x);
            X::numbers_mut(&mut unit)[j] = S::ONE;
            let column = self.along::<S, X>(x, &held, &unit);
            for (i, x) in X::numbers(&column).iter().enumerate() {
                jacobian[i * n + j] = *x;
            }
        }
        jacobian
    }

    /// The tangent of the solution `x`.
    pub(super) fn push<S, X>(&self, x: &X::Owned) -> X::Owned
    where
        S: Scalar,
        X: State<S> + ?Sized,
        C: ForwardEquationCode<S, X, E>,
    {
        let mut tangent = self.along::<S, X>(x, self.t_env, &ode::zero::<S, X>(x));
        if ode::is_zero::<S, X>(&tangent) {
            return tangent;
        }
        let n = X::numbers(x).len();
        let jacobian = self.jacobian::<S, X>(x);
        let numbers = X::numbers_mut(&mut tangent);
        self.equation.factors(n, jacobian).solve(numbers);
        numbers.iter_mut().for_each(|x| *x = -*x + S::ZERO);
        tangent
    }
}
