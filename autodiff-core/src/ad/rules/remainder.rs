//! `a % b`, the remainder of the division rounded towards zero: `a - b·trunc(a / b)`.
//!
//! The quotient is piecewise constant, so the derivative is 1 by `a` and `-trunc(a / b)` by `b`; where
//! it jumps, that of the side on which the value is taken.

use super::formulas::of_scalars::rem_right;
use crate::ad::{Acc, Ct, Differentiable, Scalar};

super::binary_rule!(rem RemRule "`{Self} % {B}` has no derivative rule");

impl<T: Scalar> RemRule<T> for T {
    #[inline(always)]
    fn pull_l<D: Acc<T>>(_: &T, _: &T, _: &T, ct: &T, d: &mut D) {
        d.acc(*ct)
    }
    #[inline(always)]
    fn pull_r<D: Acc<T>>(a: &T, b: &T, out: &T, ct: &T, d: &mut D) {
        d.acc(rem_right(*ct, *a, *b, *out))
    }
    #[inline(always)]
    fn push_l(_: &T, _: &T, _: &T, t: &T) -> T {
        *t
    }
    #[inline(always)]
    fn push_r(a: &T, b: &T, out: &T, t: &T) -> T {
        rem_right(*t, *a, *b, *out)
    }
}
