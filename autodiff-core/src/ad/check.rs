//! Checks a derivative against the function itself.
//!
//! With a direction `v` in the space of the arguments and `u` in that of the value, three identities
//! hold for a function `f` with Jacobian `J`:
//!
//! 1. `⟨u, J v⟩ = ⟨u, f(x + h v) − f(x − h v)⟩ / 2h + O(h²)`: the pushforward is right,
//! 2. `⟨Jᵀ u, v⟩` equals the same difference: the pullback is right,
//! 3. `⟨u, J v⟩ = ⟨Jᵀ u, v⟩`, up to rounding: the two modes agree.
//!
//! They are checked along random directions, and then entry by entry.

use super::basis::{basis, entries};
use super::{Differentiable, DifferentiableFn, Tangent};
use core::fmt;

mod arguments;
mod directions;
mod second;
mod steps;

pub use arguments::Arguments;
use directions::{Directions, unit_roundoff};
pub use second::{check_hvp, check_hvp_with};
use steps::{Estimate, Estimates};

/// How [`check_grads_with`] checks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckOptions {
    /// The step of the differences; if `None`, chosen from the precision of the arguments, with shorter
    /// ones where it disagrees.
    pub step: Option<f64>,
    /// The error allowed relative to the size of the terms; from the precision if `None`.
    pub tolerance: Option<f64>,
    /// How many random directions are tried.
    pub directions: usize,
    /// How many entries of the arguments are checked one by one, at most.
    pub entries: usize,
    /// The seed of the random directions.
    pub seed: u64,
}

impl CheckOptions {
    /// The step of differences of numbers with this relative error: balances the truncation error `h²` against the
    /// rounding error `ε / h`.
    fn step_for(&self, roundoff: f64) -> f64 {
        self.step.unwrap_or_else(|| roundoff.cbrt())
    }
    /// The error allowed to such a difference.
    fn tolerance_for(&self, roundoff: f64) -> f64 {
        let of_step = || 300.0 * roundoff.cbrt().powi(2);
        self.tolerance.unwrap_or_else(of_step)
    }
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            step: None,
            tolerance: None,
            directions: 4,
            entries: 256,
            seed: 0,
        }
    }
}

/// A derivative that is not that of the function.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GradientMismatch {
    /// One entry of the gradient is wrong.
    #[error(
        "{identity}: entry {entry} of argument {argument}: expected {expected:e}, found {found:e} \
         (times a random cotangent of the value; `check_grads_with` takes another step)"
    )]
    Entry {
        /// What does not hold.
        identity: Identity,
        /// The argument, counted from 0.
        argument: usize,
        /// The entry within the argument, in the order of its fields, counted from 0.
        entry: usize,
        /// By finite differences; for [`Identity::Adjoint`], by the pushforward.
        expected: f64,
        /// By the mode that was checked.
        found: f64,
    },
    /// The derivative along a random direction is wrong, and no single entry checked explains it.
    #[error(
        "{identity}: along a random direction: expected {expected:e}, found {found:e} \
         (times a random cotangent of the value; `check_grads_with` takes another step)"
    )]
    Direction {
        /// What does not hold.
        identity: Identity,
        /// By finite differences; for [`Identity::Adjoint`], by the pushforward. For [`Identity::Second`] the norm.
        expected: f64,
        /// By the mode that was checked.
        found: f64,
    },
    /// The value of the function has no float whose derivative could be compared: it is an `Err`, a
    /// `None`, an empty list or an integer.
    #[error("the value at these arguments has no float: there is no derivative to compare")]
    NothingToCompare,
    /// The pushforward computes another value than the function.
    #[error(
        "the value computed along with the tangent differs from that of the function by {distance:e}"
    )]
    Value {
        /// The norm of the difference.
        distance: f64,
    },
}

/// An identity that a derivative satisfies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The pullback agrees with finite differences.
    Reverse,
    /// The pushforward agrees with finite differences.
    Forward,
    /// The pullback is the transpose of the pushforward.
    Adjoint,
    /// The product with the Hessian agrees with finite differences of the gradient.
    Second,
    /// The Hessian is symmetric.
    Symmetry,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Identity::Reverse => "reverse mode disagrees with central differences",
            Identity::Forward => "forward mode disagrees with central differences",
            Identity::Adjoint => "reverse mode is not the transpose of forward mode",
            Identity::Second => {
                "the product with the Hessian disagrees with central differences of the gradient"
            }
            Identity::Symmetry => "the Hessian is not symmetric",
        })
    }
}

/// Checks both modes of `F` at `args` against central differences and against one another.
///
/// `args` must be inside the domain, away from kinks. `#[constant]` arguments are held.
///
/// ```
/// use differentiable::ad::check_grads;
/// use differentiable::prelude::*;
///
/// #[differentiable]
/// fn loss(w: &[f64], x: f64) -> f64 {
///     (w[0] * x + w[1]).sin()
/// }
///
/// check_grads::<loss, _>(&(vec![0.5, -1.0], 2.0))?;
/// # Ok::<(), differentiable::ad::GradientMismatch>(())
/// ```
pub fn check_grads<F, Args>(args: &Args) -> Result<(), GradientMismatch>
where
    F: DifferentiableFn<Args>,
    Args: Arguments + Clone,
{
    check_grads_with::<F, Args>(args, CheckOptions::default())
}

/// [`check_grads`] with another step, tolerance or number of directions.
pub fn check_grads_with<F, Args>(args: &Args, options: CheckOptions) -> Result<(), GradientMismatch>
where
    F: DifferentiableFn<Args>,
    Args: Arguments + Clone,
{
    let value = F::call(args);
    let out_zero = value.zero_tangent();
    let in_zero = args.zero_tangent();
    if entries(&out_zero) == 0 {
        return Err(GradientMismatch::NothingToCompare);
    }
    let roundoff = unit_roundoff(&in_zero).max(unit_roundoff(&out_zero));
    let check = Check::<'_, F, Args> {
        args,
        step: options.step_for(roundoff),
        refine: options.step.is_none(),
        difference_tolerance: options.tolerance_for(roundoff),
        adjoint_tolerance: options.tolerance.unwrap_or(1e3 * roundoff),
        roundoff,
        rounding: lost(
            F::call(args),
            &value,
            roundoff.cbrt(),
            &Directions::new(1).like(&out_zero),
        ),
        value: &value,
        function: core::marker::PhantomData,
    };
    let mut random = Directions::new(options.seed);
    let sizes = Args::sizes(&in_zero);
    let total = entries(&in_zero);
    for _ in 0..options.directions.max(1) {
        let u = random.like(&out_zero);
        let pulled = F::vjp(args, u.clone());
        let mut direction = random.like(&in_zero);
        Args::hold(&mut direction, &in_zero, F::ACTIVE);
        let whole = check.along(&direction, &u, &pulled)?;
        // Entries are visited at even distances when there are more than asked for.
        let wanted = options.entries.min(total);
        for k in 0..wanted {
            let entry = k * total / wanted;
            let (argument, place) = locate(&sizes, entry);
            if F::ACTIVE.get(argument) == Some(&false) {
                continue;
            }
            if let Some(wrong) = check.along(&basis(&in_zero, entry), &u, &pulled)? {
                let Wrong {
                    identity,
                    expected,
                    found,
                } = wrong;
                return Err(GradientMismatch::Entry {
                    identity,
                    argument,
                    entry: place,
                    expected,
                    found,
                });
            }
        }
        if let Some(Wrong {
            identity,
            expected,
            found,
        }) = whole
        {
            return Err(GradientMismatch::Direction {
                identity,
                expected,
                found,
            });
        }
    }
    Ok(())
}

struct Wrong {
    identity: Identity,
    expected: f64,
    found: f64,
}

struct Check<'a, F: DifferentiableFn<Args>, Args: Differentiable> {
    args: &'a Args,
    value: &'a F::Output,
    step: f64,
    /// Whether shorter steps are tried where this one disagrees.
    refine: bool,
    difference_tolerance: f64,
    adjoint_tolerance: f64,
    /// The relative error of rounding once, and the error that the value has from it.
    roundoff: f64,
    rounding: f64,
    function: core::marker::PhantomData<F>,
}

type OutTangent<F, Args> = <<F as DifferentiableFn<Args>>::Output as Differentiable>::Tangent;

impl<F: DifferentiableFn<Args>, Args: Differentiable + Clone> Check<'_, F, Args> {
    /// Checks the three identities for `v`, `u` and the pullback `pulled` of `u`.
    fn along(
        &self,
        v: &Args::Tangent,
        u: &OutTangent<F, Args>,
        pulled: &Args::Tangent,
    ) -> Result<Option<Wrong>, GradientMismatch> {
        let at = |step: f64| {
            let mut args = self.args.clone();
            args.add_scaled(step, v);
            F::call(&args)
        };
        let difference_at = |h: f64| at(h).difference(&at(-h)).scale(0.5 / h);
        let difference = difference_at(self.step);
        let (value, pushed) = F::jvp(self.args, v);

        let off = value.difference(self.value);
        let distance = norm(&off);
        let scale = 1.0 + norm(&difference) + self.rounding / self.roundoff;
        if distance.is_nan() || distance > self.difference_tolerance * scale {
            return Err(GradientMismatch::Value { distance });
        }

        let expected = u.dot(&difference);
        let forward = u.dot(&pushed);
        let reverse = pulled.dot(v);
        let wrong = |identity, expected: f64, found: f64, tolerance: f64| {
            let close = (expected - found).abs() <= tolerance;
            (!close).then_some(Wrong {
                identity,
                expected,
                found,
            })
        };
        // Relative to the terms of the inner products: their cancellation is no error of the
        // derivative.
        let size = norm(u) * norm(&difference).max(norm(&pushed));
        let near = self.difference_tolerance * (1.0 + size);
        let nearer = self.adjoint_tolerance * (1.0 + size.max(norm(pulled) * norm(v)));
        let against = |expected: f64, error: f64| {
            wrong(Identity::Forward, expected, forward, near + error)
                .or_else(|| wrong(Identity::Reverse, expected, reverse, near + error))
        };
        let mut found = against(expected, 0.0);
        // The step may be too long for the function, or too short for the rounding of its value.
        if found.is_some() && self.refine {
            let moved = lost(self.args.clone(), self.args, self.step, v);
            let rounding = norm(u) * self.rounding + norm(pulled) * moved;
            let estimates = Estimates::new(self.step, rounding, |h| u.dot(&difference_at(h)));
            let fits = |e: &Estimate| {
                let shorter = e.step <= self.step && against(e.value, 0.0).is_none();
                // Of a longer step, or of a noisy value, only the most accurate estimate counts.
                let most = self.difference_tolerance.sqrt() * (1.0 + size);
                let best = e.error <= 2.0 * estimates.least && e.error <= most;
                shorter || best && against(e.value, 4.0 * e.error).is_none()
            };
            if estimates.all.iter().any(fits) {
                found = None;
            }
        }
        Ok(found.or_else(|| wrong(Identity::Adjoint, forward, reverse, nearer)))
    }
}

/// The norm of what rounding takes from a change of a value; `same` is equal to it.
fn lost<T: Differentiable>(mut same: T, value: &T, step: f64, change: &T::Tangent) -> f64 {
    same.add_scaled(step, change);
    norm(&same.difference(value).add(change.clone().scale(-step)))
}

fn norm(t: &impl Tangent) -> f64 {
    t.dot(t).sqrt()
}

/// The argument an entry belongs to, and its place within it.
fn locate(sizes: &[usize], mut entry: usize) -> (usize, usize) {
    for (argument, &size) in sizes.iter().enumerate() {
        if entry < size {
            return (argument, entry);
        }
        entry -= size;
    }
    unreachable!("the sizes of the arguments add up to the number of entries")
}
