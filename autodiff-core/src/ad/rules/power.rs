//! Powers.
//!
//! | op | derivative by the base | derivative by the exponent |
//! |---|---|---|
//! | `x.powi(n)` | `n · xⁿ⁻¹`, 0 for `n = 0` | – |
//! | `a.powf(b)` | `b · aᵇ⁻¹`, 0 for `b = 0` | `aᵇ · ln a`, 0 for `a = 0, b ≥ 0` |

use super::unless_zero;
use crate::ad::{Acc, Ct, Differentiable, Scalar};

/// The rule of `powi`.
#[diagnostic::on_unimplemented(message = "`powi` of `{Self}` has no derivative rule")]
pub trait PowiRule: Differentiable {
    /// Adds to the cotangent of the base.
    fn pull<D: Acc<Self>>(x: &Self, n: i32, ct: &Ct<Self>, d: &mut D);
    /// The tangent of the power.
    fn push(x: &Self, n: i32, out: &Self, t: &Self::Tangent) -> Self::Tangent;
}

#[inline(always)]
pub(in crate::ad) fn powi_map<T: Scalar>(x: T, n: i32, t: T) -> T {
    let slope = match n {
        // Also at 0, ±∞ and NaN, where `0 · x⁻¹` would be NaN.
        0 => return T::ZERO,
        i32::MIN => T::lit(f64::from(n)) * (x.powi(n) / x),
        _ => T::lit(f64::from(n)) * x.powi(n - 1),
    };
    unless_zero(t, t * slope)
}

impl<T: Scalar> PowiRule for T {
    #[inline(always)]
    fn pull<D: Acc<T>>(x: &T, n: i32, ct: &T, d: &mut D) {
        d.acc(powi_map(*x, n, *ct))
    }
    #[inline(always)]
    fn push(x: &T, n: i32, _: &T, t: &T) -> T {
        powi_map(*x, n, *t)
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

#[inline(always)]
fn powf_base<T: Scalar>(a: T, b: T, t: T) -> T {
    // Also where `aᵇ⁻¹` is infinite.
    if b.is_zero() || b == T::ZERO && a == T::ZERO {
        return T::ZERO;
    }
    unless_zero(t, t * (b * a.powf(b - T::ONE)))
}

#[inline(always)]
fn powf_exponent<T: Scalar>(a: T, b: T, out: T, t: T) -> T {
    // `0ᵇ` is 0 for all `b > 0`, so its derivative is 0 and not `0 · ln 0`.
    if a == T::ZERO && b >= T::ZERO {
        return T::ZERO;
    }
    unless_zero(t, t * (out * a.ln()))
}

impl<T: Scalar> PowfRule<T> for T {
    #[inline(always)]
    fn pull_l<D: Acc<T>>(a: &T, b: &T, _: &T, ct: &T, d: &mut D) {
        d.acc(powf_base(*a, *b, *ct))
    }
    #[inline(always)]
    fn pull_r<D: Acc<T>>(a: &T, b: &T, out: &T, ct: &T, d: &mut D) {
        d.acc(powf_exponent(*a, *b, *out, *ct))
    }
    #[inline(always)]
    fn push_l(a: &T, b: &T, _: &T, t: &T) -> T {
        powf_base(*a, *b, *t)
    }
    #[inline(always)]
    fn push_r(a: &T, b: &T, out: &T, t: &T) -> T {
        powf_exponent(*a, *b, *out, *t)
    }
}
