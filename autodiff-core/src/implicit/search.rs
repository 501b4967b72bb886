//! Newton's method for the equations themselves.
//!
//! The function is all that a plain caller has, so the Jacobian of the iteration is one of differences:
//! that changes the path and not the root, which is accepted by its residual. The derivative of the root is the
//! exact one, by [`root`](super::root()).

use super::ImplicitError;
use super::function::{Equation, EquationCode, EquationPullback, ForwardEquationCode};
use super::lu::Lu;
use super::rules::{Kept, Way};
use crate::ad::{Adj, Ct, Differentiable, Mode, NoGrad, Scalar};
use crate::ode::{State, companions};

/// When [`newton`](fn@newton) is done, and when it gives up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonOptions {
    /// The largest number of the residual that is taken for zero; 10⁻¹⁰ if not said otherwise.
    pub tolerance: f64,
    /// How many steps are made; 50 if not said otherwise.
    pub max_iterations: usize,
}

impl Default for NewtonOptions {
    fn default() -> Self {
        NewtonOptions {
            tolerance: 1e-10,
            max_iterations: 50,
        }
    }
}

crate::__setting!(NewtonOptions);

impl NewtonOptions {
    /// A literal in code over the scalar `S`: options are held.
    #[doc(hidden)]
    pub fn __over_new<S: Scalar>(max_iterations: usize, tolerance: S) -> Self {
        NewtonOptions {
            tolerance: tolerance.to_f64(),
            max_iterations,
        }
    }
}

/// A root of `f`, by Newton's method from `start`, with the derivative of [`root`](super::root()).
///
/// The Jacobian of the iteration is of forward differences. Steps are
/// whole; where five in turn do not make the residual smaller, they are halved from the best point on. The numbers of the unknown should be about of size one, or larger.
///
/// ```
/// use differentiable::implicit::{ImplicitError, NewtonOptions, newton};
/// use differentiable::prelude::*;
///
/// /// Where a circle of this radius meets the curve `y = k x²`, on the right.
/// #[differentiable]
/// fn meet(radius: f64, k: f64) -> Result<[f64; 2], ImplicitError> {
///     let off = |p: &[f64; 2]| [p[0] * p[0] + p[1] * p[1] - radius * radius, k * p[0] * p[0] - p[1]];
///     newton(off, &[1.0, 1.0], &NewtonOptions::default())
/// }
///
/// let (point, pullback) = meet::vjp(2f64.sqrt(), 1.0);
/// assert!((point?[0] - 1.0).abs() < 1e-9);
/// let (by_radius, _) = pullback(Some([0.0, 1.0])); // of the height
/// assert!((by_radius - 2.0 * 2f64.sqrt() / 3.0).abs() < 1e-9);
/// # Ok::<(), ImplicitError>(())
/// ```
///
/// # Errors
///
/// [`ImplicitError::NoConvergence`], and [`ImplicitError::Singular`] at a point where the Jacobian has no inverse.
///
/// # Panics
///
/// If `f` has another number of entries than the unknown; the pullback, where the root has no derivative.
pub fn newton<X: State + ?Sized>(
    f: impl Fn(&X) -> X::Owned,
    start: &X,
    options: &NewtonOptions,
) -> Result<X::Owned, ImplicitError> {
    Newton::__over(f, start, options)
}

/// Newton's method, for the values.
pub(super) fn search<S: Scalar, X: State<S> + ?Sized>(
    f: &dyn Fn(&X::Owned) -> X::Owned,
    start: X::Owned,
    options: &NewtonOptions,
) -> Result<X::Owned, ImplicitError> {
    let NewtonOptions {
        tolerance,
        max_iterations,
    } = *options;
    let at = |x: X::Owned| {
        let value = f(&x);
        let residual = Equation::Root.residual::<S, X>(&value, &x);
        Point { x, value, residual }
    };
    let mut here = at(start);
    // The best point, and how many steps ago that was.
    let (mut best, mut ago) = (here.clone(), 0);
    for iterations in 0..max_iterations {
        if here.residual <= tolerance {
            return Ok(here.x);
        }
        let failed = |residual: f64| ImplicitError::NoConvergence {
            iterations,
            residual,
        };
        let jacobian = differences::<S, X>(f, &here.x, &here.value);
        let Ok(lu) = Lu::<f64>::new(X::numbers(&here.x).len(), jacobian) else {
            return Err(match here.residual.is_finite() {
                true => ImplicitError::Singular { iterations },
                false => failed(here.residual),
            });
        };
        let value = X::numbers(&here.value).iter();
        let mut direction: Vec<f64> = value.map(|x| x.to_f64()).collect();
        lu.solve(&mut direction);
        let (mut part, from) = (1.0, here);
        here = loop {
            let mut next = from.x.clone();
            let entries = X::numbers_mut(&mut next).iter_mut();
            entries
                .zip(&direction)
                .for_each(|(x, step)| *x -= S::lit(part * step));
            let next = at(next);
            if next.residual < best.residual {
                (best, ago) = (next.clone(), 0);
                break next;
            }
            // Whole steps, unless several of them were in vain: then back to the best, and shorter ones.
            if ago < PATIENCE && next.residual.is_finite() {
                ago += 1;
                break match ago {
                    PATIENCE => best.clone(),
                    _ => next,
                };
            }
            part *= 0.5;
            if part < 1e-10 {
                return Err(failed(best.residual));
            }
        };
    }
    match best.residual <= tolerance {
        true => Ok(best.x),
        false => Err(ImplicitError::NoConvergence {
            iterations: max_iterations,
            residual: best.residual,
        }),
    }
}

/// How many steps may lead to a larger residual than there was, one after the other.
const PATIENCE: usize = 5;

/// An unknown, and the function there.
#[derive(Clone)]
struct Point<O> {
    x: O,
    value: O,
    residual: f64,
}

/// The Jacobian by forward differences, row by row.
pub(super) fn differences<S: Scalar, X: State<S> + ?Sized>(
    f: &dyn Fn(&X::Owned) -> X::Owned,
    x: &X::Owned,
    value: &X::Owned,
) -> Vec<f64> {
    let n = X::numbers(x).len();
    let mut jacobian = vec![0.0; n * n];
    for j in 0..n {
        let mut moved = x.clone();
        let number = &mut X::numbers_mut(&mut moved)[j];
        let before = number.to_f64();
        *number = S::lit(before + S::EPSILON.sqrt() * before.abs().max(1.0));
        let step = number.to_f64() - before;
        let there = f(&moved);
        let pairs = X::numbers(&there).iter().zip(X::numbers(value));
        for (i, (a, b)) in pairs.enumerate() {
            jacobian[i * n + j] = (a.to_f64() - b.to_f64()) / step;
        }
    }
    jacobian
}

companions! {
    newton (Newton) of EquationCode, EquationPullback, ForwardEquationCode;
    lent options t_options: &NewtonOptions, &(), NoGrad, MO;
    keeps Kept<S, Y::Owned, C> => Result<Y::Owned, ImplicitError>;
    plain |f: (&Y), start| Way::Newton(options).plain::<S, Y>(f, start);
    new(Way::Newton(options))
    pull()
    push(Way::Newton(options))
}
