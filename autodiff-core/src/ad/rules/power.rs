//! Powers.
//!
//! | op | derivative by the base | derivative by the exponent |
//! |---|---|---|
//! | `x.powi(n)` | `n · xⁿ⁻¹`, 0 for `n = 0` | – |
//! | `a.powf(b)` | `b · aᵇ⁻¹`, 0 for `b = 0` | `aᵇ · ln a`, 0 for `a = 0, b ≥ 0` |

use super::formulas::of_scalars as formulas;
use crate::ad::{Acc, Ct, Differentiable, Scalar};

/// The rule of `powi`.
#[diagnostic::on_unimplemented(message = "`powi` of `{Self}` has no derivative rule")]
pub trait PowiRule: Differentiable {
    /// Adds to the cotangent of the base.
    fn pull<D: Acc<Self>>(x: &Self, n: i32, ct: &Ct<Self>, d: &mut D);
    /// The tangent of the power.
    fn push(x: &Self, n: i32, out: &Self, t: &Self::Tangent) -> Self::Tangent;
}

impl<T: Scalar> PowiRule for T {
    #[inline(always)]
    fn pull<D: Acc<T>>(x: &T, n: i32, ct: &T, d: &mut D) {
        d.acc(formulas::powi(*ct, *x, n))
    }
    #[inline(always)]
    fn push(x: &T, n: i32, _: &T, t: &T) -> T {
        formulas::powi(*t, *x, n)
    }
}

/// Derivatives of `powi`.
pub mod powi {
    use super::*;

    /// Adds to the cotangent of the base.
    #[inline(always)]
    pub fn pull<A: PowiRule, D: Acc<A>>(x: &A, n: i32, ct: &Ct<A>, d: &mut D) {
        A::pull(x, n, ct, d)
    }
    /// The tangent of the power.
    #[inline(always)]
    pub fn push<A: PowiRule>(x: &A, n: i32, out: &A, t: &A::Tangent) -> A::Tangent {
        A::push(x, n, out, t)
    }
}

super::binary_rule!(powf PowfRule "`powf` of `{Self}` and `{B}` has no derivative rule");

impl<T: Scalar> PowfRule<T> for T {
    #[inline(always)]
    fn pull_l<D: Acc<T>>(a: &T, b: &T, _: &T, ct: &T, d: &mut D) {
        d.acc(formulas::powf_base(*ct, *a, *b))
    }
    #[inline(always)]
    fn pull_r<D: Acc<T>>(a: &T, b: &T, out: &T, ct: &T, d: &mut D) {
        d.acc(formulas::powf_exponent(*ct, *a, *b, *out))
    }
    #[inline(always)]
    fn push_l(a: &T, b: &T, _: &T, t: &T) -> T {
        formulas::powf_base(*t, *a, *b)
    }
    #[inline(always)]
    fn push_r(a: &T, b: &T, out: &T, t: &T) -> T {
        formulas::powf_exponent(*t, *a, *b, *out)
    }
}
