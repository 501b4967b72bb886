//! `atan2` and `hypot`.
//!
//! | op | derivative by `a` | derivative by `b` |
//! |---|---|---|
//! | `a.atan2(b)` | `b / (a² + b²)` | `-a / (a² + b²)` |
//! | `a.hypot(b)` | `a / hypot`, 0 at the origin | `b / hypot`, 0 at the origin |

use super::formulas::of_scalars as formulas;
use crate::ad::{Acc, Ct, Differentiable, Scalar};

super::binary_rule!(atan2 Atan2Rule "`atan2` of `{Self}` and `{B}` has no derivative rule");
super::binary_rule!(hypot HypotRule "`hypot` of `{Self}` and `{B}` has no derivative rule");

impl<T: Scalar> Atan2Rule<T> for T {
    #[inline(always)]
    fn pull_l<D: Acc<T>>(a: &T, b: &T, _: &T, ct: &T, d: &mut D) {
        d.acc(formulas::atan2_left(*ct, *a, *b))
    }
    #[inline(always)]
    fn pull_r<D: Acc<T>>(a: &T, b: &T, _: &T, ct: &T, d: &mut D) {
        d.acc(formulas::atan2_right(*ct, *a, *b))
    }
    #[inline(always)]
    fn push_l(a: &T, b: &T, _: &T, t: &T) -> T {
        formulas::atan2_left(*t, *a, *b)
    }
    #[inline(always)]
    fn push_r(a: &T, b: &T, _: &T, t: &T) -> T {
        formulas::atan2_right(*t, *a, *b)
    }
}

impl<T: Scalar> HypotRule<T> for T {
    #[inline(always)]
    fn pull_l<D: Acc<T>>(a: &T, _: &T, out: &T, ct: &T, d: &mut D) {
        d.acc(*ct * formulas::direction(*a, *out))
    }
    #[inline(always)]
    fn pull_r<D: Acc<T>>(_: &T, b: &T, out: &T, ct: &T, d: &mut D) {
        d.acc(*ct * formulas::direction(*b, *out))
    }
    #[inline(always)]
    fn push_l(a: &T, _: &T, out: &T, t: &T) -> T {
        *t * formulas::direction(*a, *out)
    }
    #[inline(always)]
    fn push_r(_: &T, b: &T, out: &T, t: &T) -> T {
        *t * formulas::direction(*b, *out)
    }
}
