//! Checks second derivatives against the gradient, as first ones are checked against the value.
//!
//! With a cotangent `u` of the value, `H` the derivative of the pullback `x ↦ Jᵀ(x) u` (the Hessian of `⟨u, f⟩`), and
//! directions `v`, `w` in the space of the arguments:
//!
//! 1. `H v = (Jᵀ(x + h v) u − Jᵀ(x − h v) u) / 2h + O(h²)`,
//! 2. `⟨w, H v⟩ = ⟨v, H w⟩`: a Hessian is symmetric.

use super::{
    Arguments, CheckOptions, Directions, GradientMismatch, Identity, entries, norm, unit_roundoff,
};
use crate::ad::{Differentiable, DifferentiableFn, Dual, Extends, Lift, Over, Scalar, Tangent};

/// The function `F` over duals of `S`.
type Dualed<F, S> = <F as Over<Dual<S>>>::Item;
/// A tangent of a value.
type Change<T> = <T as Differentiable>::Tangent;
/// A value over duals of `S`.
type Lifted<T, S> = <T as Lift<S, Dual<S>>>::Lifted;

/// Checks the products with Hessians of `F`, a function over the scalar `S` with `higher_order`, at `args`: against
/// central differences of its gradient, and for symmetry.
///
/// `args` must be inside the domain, away from kinks. `#[constant]` arguments are held.
///
/// ```
/// use differentiable::ad::check_hvp;
/// use differentiable::prelude::*;
///
/// #[differentiable(higher_order)]
/// fn loss(w: &[f64], x: f64) -> f64 {
///     (w[0] * x + w[1]).sin()
/// }
///
/// check_hvp::<loss, f64, _>(&(vec![0.5, -1.0], 2.0))?;
/// # Ok::<(), differentiable::ad::GradientMismatch>(())
/// ```
///
/// # Errors
/// [`GradientMismatch`] if an identity does not hold, or the value has no float.
pub fn check_hvp<F, S, Args>(args: &Args) -> Result<(), GradientMismatch>
where
    S: Scalar,
    F: DifferentiableFn<Args> + Over<Dual<S>>,
    Args: Arguments + Clone + Lift<S, Dual<S>>,
    Change<F::Output>: Lift<S, Dual<S>>,
    Dualed<F, S>: DifferentiableFn<Lifted<Args, S>>,
    <Dualed<F, S> as DifferentiableFn<Lifted<Args, S>>>::Output:
        Differentiable<Tangent = Lifted<Change<F::Output>, S>>,
{
    check_hvp_with::<F, S, Args>(args, CheckOptions::default())
}

/// [`check_hvp`] with another step, tolerance or number of directions; entries are not checked one by one.
///
/// # Errors
/// As [`check_hvp`].
pub fn check_hvp_with<F, S, Args>(
    args: &Args,
    options: CheckOptions,
) -> Result<(), GradientMismatch>
where
    S: Scalar,
    F: DifferentiableFn<Args> + Over<Dual<S>>,
    Args: Arguments + Clone + Lift<S, Dual<S>>,
    Change<F::Output>: Lift<S, Dual<S>>,
    Dualed<F, S>: DifferentiableFn<Lifted<Args, S>>,
    <Dualed<F, S> as DifferentiableFn<Lifted<Args, S>>>::Output:
        Differentiable<Tangent = Lifted<Change<F::Output>, S>>,
{
    let in_zero = args.zero_tangent();
    let out_zero = F::call(args).zero_tangent();
    if entries(&out_zero) == 0 {
        return Err(GradientMismatch::NothingToCompare);
    }
    let roundoff = unit_roundoff(&in_zero).max(unit_roundoff(&out_zero));
    let (step, tolerance) = (options.step_for(roundoff), options.tolerance_for(roundoff));
    let mut random = Directions::new(options.seed);
    let mut direction = || {
        let mut v = random.like(&in_zero);
        Args::hold(&mut v, &in_zero, F::ACTIVE);
        v
    };
    let mut cotangents = Directions::new(!options.seed);
    for _ in 0..options.directions.max(1) {
        let (v, w, u) = (direction(), direction(), cotangents.like(&out_zero));
        let product = |v: &Change<Args>| {
            let lifted = args.lift_along(v, &mut |x, t| Dual::new(x, [t]));
            let ct = u.lift(&mut <Dual<S> as Extends<S>>::constant);
            let gradient = <Dualed<F, S> as DifferentiableFn<_>>::vjp(&lifted, ct);
            let mut product = <Args as Lift<S, Dual<S>>>::part(&gradient, &|d| d.tangents[0]);
            Args::hold(&mut product, &in_zero, F::ACTIVE);
            product
        };
        let (of_v, of_w) = (product(&v), product(&w));
        let gradient_at = |h: f64| {
            let mut moved = args.clone();
            moved.add_scaled(h, &v);
            let mut gradient = F::vjp(&moved, u.clone());
            Args::hold(&mut gradient, &in_zero, F::ACTIVE);
            gradient
        };
        let minus = |a: Change<Args>, b: Change<Args>| a.add(b.scale(-1.0));
        let difference_at = |h: f64| minus(gradient_at(h), gradient_at(-h)).scale(0.5 / h);
        let size = 1.0 + norm(&of_v) + norm(&F::vjp(args, u.clone()));
        // A shorter step where the function bends too much for this one.
        let fits = |shorter: f64| {
            let off = norm(&minus(difference_at(step * shorter), of_v.clone()));
            off <= tolerance * size / shorter
        };
        if !(fits(1.0) || options.step.is_none() && fits(0.1)) {
            return Err(GradientMismatch::Direction {
                identity: Identity::Second,
                expected: norm(&difference_at(step)),
                found: norm(&of_v),
            });
        }
        let (left, right) = (w.dot(&of_v), v.dot(&of_w));
        let scale = 1.0 + norm(&w) * norm(&of_v) + norm(&v) * norm(&of_w);
        let symmetric = (left - right).abs() <= options.tolerance.unwrap_or(1e4 * roundoff) * scale;
        if !symmetric {
            return Err(GradientMismatch::Direction {
                identity: Identity::Symmetry,
                expected: left,
                found: right,
            });
        }
    }
    Ok(())
}
