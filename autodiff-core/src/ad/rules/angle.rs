//! `atan2` and `hypot`.
//!
//! | op | derivative by `a` | derivative by `b` |
//! |---|---|---|
//! | `a.atan2(b)` | `b / (a² + b²)` | `-a / (a² + b²)` |
//! | `a.hypot(b)` | `a / hypot`, 0 at the origin | `b / hypot`, 0 at the origin |

use super::unless_zero;
use crate::ad::{Acc, Ct, Differentiable, Scalar};

super::binary_rule!(atan2 Atan2Rule "`atan2` of `{Self}` and `{B}` has no derivative rule");
super::binary_rule!(hypot HypotRule "`hypot` of `{Self}` and `{B}` has no derivative rule");

/// `x / (x² + y²)`, scaled so that neither square overflows or vanishes.
#[inline(always)]
fn over_square_norm<T: Scalar>(x: T, y: T) -> T {
    // A constant, also where `x` and `y` have tangents: it cancels out.
    let scale = T::lit(x.to_f64().abs().max(y.to_f64().abs()));
    let (u, v) = (x / scale, y / scale);
    u / (x * u + y * v)
}

impl<T: Scalar> Atan2Rule<T> for T {
    #[inline(always)]
    fn pull_l<D: Acc<T>>(a: &T, b: &T, _: &T, ct: &T, d: &mut D) {
        d.acc(unless_zero(*ct, *ct * over_square_norm(*b, *a)))
    }
    #[inline(always)]
    fn pull_r<D: Acc<T>>(a: &T, b: &T, _: &T, ct: &T, d: &mut D) {
        d.acc(unless_zero(*ct, *ct * -over_square_norm(*a, *b)))
    }
    #[inline(always)]
    fn push_l(a: &T, b: &T, _: &T, t: &T) -> T {
        unless_zero(*t, *t * over_square_norm(*b, *a))
    }
    #[inline(always)]
    fn push_r(a: &T, b: &T, _: &T, t: &T) -> T {
        unless_zero(*t, *t * -over_square_norm(*a, *b))
    }
}

/// `x / norm`: the subgradient of least norm at the origin, as for any norm.
#[inline(always)]
pub(crate) fn direction<T: Scalar>(x: T, norm: T) -> T {
    if norm == T::ZERO { T::ZERO } else { x / norm }
}

impl<T: Scalar> HypotRule<T> for T {
    #[inline(always)]
    fn pull_l<D: Acc<T>>(a: &T, _: &T, out: &T, ct: &T, d: &mut D) {
        d.acc(*ct * direction(*a, *out))
    }
    #[inline(always)]
    fn pull_r<D: Acc<T>>(_: &T, b: &T, out: &T, ct: &T, d: &mut D) {
        d.acc(*ct * direction(*b, *out))
    }
    #[inline(always)]
    fn push_l(a: &T, _: &T, out: &T, t: &T) -> T {
        *t * direction(*a, *out)
    }
    #[inline(always)]
    fn push_r(_: &T, b: &T, out: &T, t: &T) -> T {
        *t * direction(*b, *out)
    }
}
