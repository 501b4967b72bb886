//! Functions of two numbers that are linear piece by piece.
//!
//! | op | derivative by `a` | derivative by `b` |
//! |---|---|---|
//! | `a.copysign(b)` | 1 where the signs agree, else -1; 0 at 0 | 0 |
//! | `a.rem_euclid(b)` | 1 | `-a.div_euclid(b)` |
//! | `a.midpoint(b)` | ½ | ½ |
//! | `a.abs_sub(b)` | 1 where `a > b`, else 0 | -1 where `a > b`, else 0 |

use super::formulas::of_scalars::rem_right;
use crate::ad::{Acc, Ct, Differentiable, Scalar};

super::binary_rule!(copysign CopysignRule "`copysign` of `{Self}` and `{B}` has no derivative rule");
super::binary_rule!(rem_euclid RemEuclidRule "`rem_euclid` of `{Self}` and `{B}` has no derivative rule");
super::binary_rule!(midpoint MidpointRule "`midpoint` of `{Self}` and `{B}` has no derivative rule");
super::binary_rule!(abs_sub AbsSubRule "`abs_sub` of `{Self}` and `{B}` has no derivative rule");

// The derivatives are linear maps of the (co)tangent `t`, the same in both modes.
macro_rules! linear {
    ($Rule:ident |$t:ident, $a:ident, $b:ident, $out:ident| $left:expr, $right:expr) => {
        impl<T: Scalar> $Rule<T> for T {
            #[inline(always)]
            fn pull_l<D: Acc<T>>($a: &T, $b: &T, $out: &T, ct: &T, d: &mut D) {
                let ($t, _) = (*ct, (*$a, *$b, *$out));
                d.acc($left)
            }
            #[inline(always)]
            fn pull_r<D: Acc<T>>($a: &T, $b: &T, $out: &T, ct: &T, d: &mut D) {
                let ($t, _) = (*ct, (*$a, *$b, *$out));
                d.acc($right)
            }
            #[inline(always)]
            fn push_l($a: &T, $b: &T, $out: &T, t: &T) -> T {
                let ($t, _) = (*t, (*$a, *$b, *$out));
                $left
            }
            #[inline(always)]
            fn push_r($a: &T, $b: &T, $out: &T, t: &T) -> T {
                let ($t, _) = (*t, (*$a, *$b, *$out));
                $right
            }
        }
    };
}

// By the result, whose sign is that of `b`: it is `a` or `-a`.
linear!(
    CopysignRule | t,
    a,
    b,
    out | if *a == T::ZERO {
        T::ZERO
    } else if *out == *a {
        t
    } else {
        -t
    },
    {
        let _ = t;
        T::ZERO
    }
);
linear!(RemEuclidRule | t, a, b, out | t, rem_right(t, *a, *b, *out));
linear!(
    MidpointRule | t,
    a,
    b,
    out | t * T::lit(0.5),
    t * T::lit(0.5)
);
linear!(
    AbsSubRule | t,
    a,
    b,
    out | if *a > *b { t } else { T::ZERO },
    if *a > *b { -t } else { T::ZERO }
);
