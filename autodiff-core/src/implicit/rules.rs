//! Solutions that were found elsewhere, and their companions.

use super::ImplicitError;
use super::function::{
    Equation, EquationCode, EquationPullback, Forward, ForwardEquationCode, Reverse,
};
use super::search::{NewtonOptions, differences, search};
use crate::ad::{Adj, Argument, Ct, Differentiable, Inactive, Mode, Scalar};
use crate::ode::{State, companions};
use core::marker::PhantomData;

/// `x`, as the root of `f` that it is: differentiated by everything that `f` captures.
///
/// `x` comes from a solver of any kind; its own derivative plays no part, so it is best found inside of
/// [`no_grad!`](crate::no_grad). `f` has as many entries as `x`.
///
/// ```
/// use differentiable::{implicit::root, prelude::*};
///
/// /// The solution of A x = b, two by two.
/// #[differentiable]
/// fn solution(a: &[[f64; 2]; 2], b: &[f64; 2]) -> [f64; 2] {
///     let x = no_grad!({
///         let det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
///         [(a[1][1] * b[0] - a[0][1] * b[1]) / det, (a[0][0] * b[1] - a[1][0] * b[0]) / det]
///     });
///     let off = |x: &[f64; 2]| [
///         a[0][0] * x[0] + a[0][1] * x[1] - b[0],
///         a[1][0] * x[0] + a[1][1] * x[1] - b[1],
///     ];
///     root(off, &x, 1e-12).unwrap()
/// }
///
/// let (x, pullback) = solution::vjp(&[[2.0, 1.0], [1.0, 3.0]], &[3.0, 5.0]);
/// let (by_a, by_b) = pullback([1.0, 0.0]); // λ = A⁻ᵀ (1, 0), and −λ xᵀ
/// assert!((by_b[0] - 0.6).abs() < 1e-15 && (by_a[0][1] + 0.6 * x[1]).abs() < 1e-15);
/// ```
///
/// # Errors
///
/// [`ImplicitError::NotARoot`] if a number of `f(x)` is larger than `tolerance`, or NaN.
///
/// # Panics
///
/// If `f` has another number of entries than `x`. The pullback panics where the Jacobian of `f` is singular.
pub fn root<X: State + ?Sized>(
    f: impl Fn(&X) -> X::Owned,
    x: &X,
    tolerance: f64,
) -> Result<X::Owned, ImplicitError> {
    Root::__over(f, x, tolerance)
}

/// `x`, as the fixed point of `g` that it is: differentiated by everything that `g` captures.
///
/// As [`root`](fn@root) of `g(x) − x`, whose derivative takes no matrix where `g` contracts.
///
/// ```
/// use differentiable::{implicit::fixed_point, prelude::*};
///
/// /// The solution of x = cos(k x).
/// #[differentiable]
/// fn cosine(k: f64) -> f64 {
///     let x = no_grad!((0..200).fold(0.5, |x: f64, _| (k * x).cos()));
///     fixed_point(|x| (k * x).cos(), &x, 1e-12).unwrap()
/// }
///
/// let (x, by_k) = cosine::value_and_grad(0.8);
/// let sine = (0.8 * x).sin();
/// assert!((by_k + x * sine / (1.0 + 0.8 * sine)).abs() < 1e-14);
/// ```
///
/// # Errors
///
/// [`ImplicitError::NotARoot`] if a number of `g(x) − x` is larger than `tolerance`, or NaN.
///
/// # Panics
///
/// If `g` has another number of entries than `x`. The pullback panics where the Jacobian of `g` has the
/// eigenvalue 1.
pub fn fixed_point<X: State + ?Sized>(
    g: impl Fn(&X) -> X::Owned,
    x: &X,
    tolerance: f64,
) -> Result<X::Owned, ImplicitError> {
    FixedPoint::__over(g, x, tolerance)
}

/// Where a solution comes from.
#[derive(Clone, Copy)]
pub(super) enum Way<'a> {
    /// It is given, and checked with a tolerance.
    Given(Equation, f64),
    /// Newton's method finds it from what is given.
    Newton(&'a NewtonOptions),
}

impl Way<'_> {
    fn equation(self) -> Equation {
        match self {
            Way::Given(equation, _) => equation,
            Way::Newton(_) => Equation::Root,
        }
    }

    /// The solution of a function without derivatives.
    pub(super) fn plain<S: Scalar, X: State<S> + ?Sized>(
        self,
        f: impl Fn(&X) -> X::Owned,
        x: &X,
    ) -> Result<X::Owned, ImplicitError> {
        let f = |x: &X::Owned| f(X::lend(x));
        self.find::<S, X>(&f, x, &|x| {
            let found = differences::<S, X>(&f, x, &f(x));
            found.into_iter().map(S::lit).collect()
        })
    }

    /// The solution, where the function has this Jacobian. Of what is given, and of the path to the solution, the
    /// values count only: its tangents are those of the solution.
    fn find<S: Scalar, X: State<S> + ?Sized>(
        self,
        f: &dyn Fn(&X::Owned) -> X::Owned,
        x: &X,
        jacobian: &dyn Fn(&X::Owned) -> Vec<S>,
    ) -> Result<X::Owned, ImplicitError> {
        let mut x = x.owned();
        let numbers = X::numbers_mut(&mut x).iter_mut();
        numbers.for_each(|x| *x = S::lit(x.to_f64()));
        let x = match self {
            Way::Newton(options) => search::<S, X>(f, x, options)?,
            Way::Given(equation, tolerance) => {
                let residual = equation.residual::<S, X>(&f(&x), &x);
                if residual.is_nan() || residual > tolerance {
                    return Err(ImplicitError::NotARoot {
                        residual,
                        tolerance,
                    });
                }
                x
            }
        };
        Ok(match S::LAYERS {
            0 => x,
            layers => self.moving::<S, X>(f, x, jacobian, layers),
        })
    }

    /// The solution with its tangents. Newton's method, with the Jacobian held at the values, makes those of one layer
    /// right in each step, as the tangents of the Jacobian are nilpotent; one of differences takes some steps more.
    fn moving<S: Scalar, X: State<S> + ?Sized>(
        self,
        f: &dyn Fn(&X::Owned) -> X::Owned,
        mut x: X::Owned,
        jacobian: &dyn Fn(&X::Owned) -> Vec<S>,
        layers: usize,
    ) -> X::Owned {
        let mut factors = None;
        for _ in 0..layers + 4 {
            let mut off = self.equation().off::<S, X>(&f(&x), &x);
            off.iter_mut().for_each(|off| *off -= S::lit(off.to_f64()));
            if off.iter().all(|off| off.is_zero()) {
                break;
            }
            let lu = factors.get_or_insert_with(|| {
                let jacobian = jacobian(&x);
                self.equation().factors(off.len(), jacobian)
            });
            lu.solve(&mut off);
            let mut moved = false;
            for (x, step) in X::numbers_mut(&mut x).iter_mut().zip(off) {
                let next = *x - step;
                moved |= !(next - *x).is_zero();
                *x = next;
            }
            if !moved {
                break;
            }
        }
        x
    }
}

/// What a pullback keeps: the solution, if there is one, and the code of the function.
#[derive(Clone)]
pub(super) struct Kept<S, O, C> {
    found: Option<O>,
    code: C,
    equation: Equation,
    scalar: PhantomData<S>,
}

impl<S: Scalar, O: Differentiable<Tangent = O> + Clone, C: Copy> Kept<S, O, C> {
    pub(super) fn new<X, E, P>(
        env: &E,
        code: C,
        x: &X,
        way: Way<'_>,
    ) -> (Result<O, ImplicitError>, Self)
    where
        X: State<S, Owned = O> + ?Sized,
        E: Differentiable,
        C: EquationCode<S, X, E, P>,
        P: EquationPullback<S, X, E>,
    {
        let equation = way.equation();
        let reverse = Reverse {
            env,
            code,
            equation,
        };
        let f = |x: &O| code(env, (X::lend(x),)).0;
        let found = way.find::<S, X>(&f, x, &|x| reverse.jacobian::<S, X, P>(x));
        let kept = Kept {
            found: found.as_ref().ok().cloned(),
            code,
            equation,
            scalar: PhantomData,
        };
        (found, kept)
    }

    pub(super) fn pull<MF: Mode, MX: Mode, X, E, P>(
        self,
        ct: Option<Ct<O>>,
        env: &E,
        _: &X,
        d_env: &mut Adj<E, MF>,
        _: &mut X::Acc<MX>,
    ) where
        X: State<S, Owned = O> + ?Sized,
        E: Differentiable,
        C: EquationCode<S, X, E, P>,
        P: EquationPullback<S, X, E>,
    {
        let Kept {
            found,
            code,
            equation,
            ..
        } = self;
        let (Some(x), Some(ct), true) = (found, ct, MF::ON) else {
            return;
        };
        let reverse = Reverse {
            env,
            code,
            equation,
        };
        env.with::<MF>(d_env, |d_env| {
            reverse.pull::<S, X, P>(&x, X::from_ct(ct), d_env)
        });
    }

    pub(super) fn push<X, E>(
        (env, t_env): (&E, &E::Tangent),
        code: C,
        (x, _): (&X, &X::Direction),
        way: Way<'_>,
    ) -> (Result<O, ImplicitError>, Option<O>)
    where
        X: State<S, Owned = O> + ?Sized,
        E: Differentiable,
        C: ForwardEquationCode<S, X, E>,
    {
        let equation = way.equation();
        let forward = Forward {
            env,
            t_env,
            code,
            equation,
        };
        let f = |x: &O| forward.value::<S, X>(x);
        let found = way.find::<S, X>(&f, x, &|x| forward.jacobian::<S, X>(x));
        let tangent = found.as_ref().ok().map(|x| forward.push::<S, X>(x));
        (found, tangent)
    }
}

companions! {
    root (Root) of EquationCode, EquationPullback, ForwardEquationCode;
    value tolerance t_tolerance: S, MT: Inactive;
    keeps Kept<S, Y::Owned, C> => Result<Y::Owned, ImplicitError>;
    plain |f: (&Y), x| Way::Given(Equation::Root, tolerance.to_f64()).plain::<S, Y>(f, x);
    new(Way::Given(Equation::Root, tolerance.to_f64()))
    pull()
    push(Way::Given(Equation::Root, tolerance.to_f64()))

    fixed_point (FixedPoint) of EquationCode, EquationPullback, ForwardEquationCode;
    value tolerance t_tolerance: S, MT: Inactive;
    keeps Kept<S, Y::Owned, C> => Result<Y::Owned, ImplicitError>;
    plain |f: (&Y), x| Way::Given(Equation::FixedPoint, tolerance.to_f64()).plain::<S, Y>(f, x);
    new(Way::Given(Equation::FixedPoint, tolerance.to_f64()))
    pull()
    push(Way::Given(Equation::FixedPoint, tolerance.to_f64()))
}
