//! Solutions that were found elsewhere, and their companions.

use super::function::{
    Equation, EquationCode, EquationPullback, Forward, ForwardEquationCode, Reverse,
};
use super::{ImplicitError, check};
use crate::ad::{Adj, Argument, Ct, Differentiable, Mode};
use crate::ode::State;

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
    check(
        Equation::Root.residual::<X>(&f(x), &x.owned()),
        x,
        tolerance,
    )
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
    check(
        Equation::FixedPoint.residual::<X>(&g(x), &x.owned()),
        x,
        tolerance,
    )
}

/// What a pullback keeps: the solution, if there is one, and the code of the function.
#[derive(Clone)]
pub(super) struct RootPullback<O, C> {
    found: Option<O>,
    code: C,
    equation: Equation,
}

impl<O: Clone, C: Copy> RootPullback<O, C> {
    pub(super) fn new(found: &Result<O, ImplicitError>, code: C, equation: Equation) -> Self {
        RootPullback {
            found: found.as_ref().ok().cloned(),
            code,
            equation,
        }
    }

    pub(super) fn pull<M: Mode, X, E, P>(self, ct: Option<Ct<O>>, env: &E, d_env: &mut Adj<E, M>)
    where
        O: Differentiable,
        X: State<Owned = O> + ?Sized,
        E: Differentiable,
        C: EquationCode<X, E, P>,
        P: EquationPullback<X, E>,
    {
        let RootPullback {
            found,
            code,
            equation,
        } = self;
        let (Some(x), Some(ct), true) = (found, ct, M::ON) else {
            return;
        };
        let reverse = Reverse {
            env,
            code,
            equation,
        };
        env.with::<M>(d_env, |d_env| {
            reverse.pull::<X, P>(&x, X::from_ct(ct), d_env)
        });
    }
}

macro_rules! companions {
    ($(#[doc = $doc:literal] $name:ident: $equation:expr;)*) => { $(
        #[doc = $doc]
        #[allow(non_camel_case_types)]
        #[derive(Debug)]
        pub enum $name {}

        #[doc(hidden)]
        #[allow(clippy::too_many_arguments, clippy::type_complexity)]
        impl $name {
            pub const __WEIGHT: usize = 1;

            pub fn __vjp<MF: Mode, MX: Mode, MT: crate::ad::Inactive, X, E, C, P>(
                _: (MF, MX, MT),
                env: &E,
                code: C,
                x: &X,
                tolerance: f64,
            ) -> (
                Result<X::Owned, ImplicitError>,
                impl FnOnce(
                    Option<Ct<X::Owned>>,
                    &E,
                    &X,
                    &mut Adj<E, MF>,
                    &mut X::Acc<MX>,
                    &mut Adj<f64, MT>,
                ) + Clone
                + use<MF, MX, MT, X, E, C, P>,
            )
            where
                X: State + ?Sized,
                E: Differentiable + Clone,
                C: EquationCode<X, E, P>,
                P: EquationPullback<X, E>,
            {
                let value = code(env, (x,)).0;
                let residual = $equation.residual::<X>(&value, &x.owned());
                let found = check(residual, x, tolerance);
                let held = RootPullback::new(&found, code, $equation);
                let pullback = move |ct: Option<Ct<X::Owned>>,
                                     env: &E,
                                     _: &X,
                                     d_env: &mut Adj<E, MF>,
                                     _: &mut X::Acc<MX>,
                                     _: &mut Adj<f64, MT>| {
                    held.pull::<MF, X, E, P>(ct, env, d_env);
                };
                (found, pullback)
            }

            pub fn __jvp<X, E, C>(
                env: &E,
                code: C,
                (): (),
                t_env: &E::Tangent,
                x: &X,
                _: &X::Direction,
                tolerance: f64,
                _: f64,
            ) -> (Result<X::Owned, ImplicitError>, Option<X::Owned>)
            where
                X: State + ?Sized,
                E: Differentiable,
                C: ForwardEquationCode<X, E>,
            {
                let forward = Forward { env, t_env, code, equation: $equation };
                let owned = x.owned();
                let residual = $equation.residual::<X>(&forward.value::<X>(&owned), &owned);
                let found = check(residual, x, tolerance);
                let tangent = found.as_ref().ok().map(|x| forward.push::<X>(x));
                (found, tangent)
            }
        }
    )* };
}

companions! {
    /// Derivatives of the function [`root`](fn@root).
    root: Equation::Root;
    /// Derivatives of the function [`fixed_point`](fn@fixed_point).
    fixed_point: Equation::FixedPoint;
}
