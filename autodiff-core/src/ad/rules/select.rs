//! `max`, `min` and `clamp`: the reverse pass saves which argument was selected.

use crate::ad::{Acc, Ct, Differentiable, Scalar, Wit};

/// Which of two scalars was selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The left one.
    Left,
    /// The right one.
    Right,
    /// They are equal; each gets half of the cotangent.
    Tie,
}

/// Where a clamped scalar was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clamped {
    /// Within the bounds or on one of them.
    Inside,
    /// Below the lower bound.
    Below,
    /// Above the upper bound.
    Above,
    /// NaN: the result depends on no argument smoothly.
    Nan,
}

macro_rules! extremum {
    ($op:ident $Rule:ident $message:literal) => {
        #[doc = concat!("The rule of `a.", stringify!($op), "(b)`.")]
        #[diagnostic::on_unimplemented(message = $message)]
        pub trait $Rule<B: Differentiable>: Differentiable {
            /// What the reverse pass saves.
            type Sel: Clone;
            /// Notes which argument is selected.
            fn sel(a: &Self, b: &B) -> Self::Sel;
            /// Adds to the cotangent of the left argument.
            fn pull_l<D: Acc<Self>>(
                a: &Wit<Self>,
                b: &Wit<B>,
                sel: &Self::Sel,
                ct: &Ct<Self>,
                d: &mut D,
            );
            /// Adds to the cotangent of the right argument.
            fn pull_r<D: Acc<B>>(
                a: &Wit<Self>,
                b: &Wit<B>,
                sel: &Self::Sel,
                ct: &Ct<Self>,
                d: &mut D,
            );
            /// The tangent of the result for a tangent of the left argument.
            fn push_l(a: &Self, b: &B, out: &Self, t: &Self::Tangent) -> Self::Tangent;
            /// The tangent of the result for a tangent of the right argument.
            fn push_r(a: &Self, b: &B, out: &Self, t: &B::Tangent) -> Self::Tangent;
        }

        #[doc = concat!("Derivatives of `a.", stringify!($op), "(b)`.")]
        pub mod $op {
            use super::*;

            /// Notes which argument is selected.
            #[inline(always)]
            pub fn sel<A: $Rule<B>, B: Differentiable>(a: &A, b: &B) -> A::Sel {
                A::sel(a, b)
            }
            /// Adds to the cotangent of the left argument.
            #[inline(always)]
            pub fn pull_l<A: $Rule<B>, B: Differentiable, D: Acc<A>>(
                a: &Wit<A>,
                b: &Wit<B>,
                sel: &A::Sel,
                ct: &Ct<A>,
                d: &mut D,
            ) {
                A::pull_l(a, b, sel, ct, d)
            }
            /// Adds to the cotangent of the right argument.
            #[inline(always)]
            pub fn pull_r<A: $Rule<B>, B: Differentiable, D: Acc<B>>(
                a: &Wit<A>,
                b: &Wit<B>,
                sel: &A::Sel,
                ct: &Ct<A>,
                d: &mut D,
            ) {
                A::pull_r(a, b, sel, ct, d)
            }
            /// The tangent of the result for a tangent of the left argument.
            #[inline(always)]
            pub fn push_l<A: $Rule<B>, B: Differentiable>(
                a: &A,
                b: &B,
                out: &A,
                t: &A::Tangent,
            ) -> A::Tangent {
                A::push_l(a, b, out, t)
            }
            /// The tangent of the result for a tangent of the right argument.
            #[inline(always)]
            pub fn push_r<A: $Rule<B>, B: Differentiable>(
                a: &A,
                b: &B,
                out: &A,
                t: &B::Tangent,
            ) -> A::Tangent {
                A::push_r(a, b, out, t)
            }
        }

        impl<T: Scalar> $Rule<T> for T {
            type Sel = Pick;
            #[inline(always)]
            fn sel(a: &T, b: &T) -> Pick {
                pick(*a, *b, a.$op(*b))
            }
            #[inline(always)]
            fn pull_l<D: Acc<T>>(_: &Wit<T>, _: &Wit<T>, sel: &Pick, ct: &T, d: &mut D) {
                d.acc(share(*sel, Pick::Left, *ct))
            }
            #[inline(always)]
            fn pull_r<D: Acc<T>>(_: &Wit<T>, _: &Wit<T>, sel: &Pick, ct: &T, d: &mut D) {
                d.acc(share(*sel, Pick::Right, *ct))
            }
            #[inline(always)]
            fn push_l(a: &T, b: &T, out: &T, t: &T) -> T {
                share(pick(*a, *b, *out), Pick::Left, *t)
            }
            #[inline(always)]
            fn push_r(a: &T, b: &T, out: &T, t: &T) -> T {
                share(pick(*a, *b, *out), Pick::Right, *t)
            }
        }
    };
}

extremum!(max MaxRule "`max` of `{Self}` and `{B}` has no derivative rule");
extremum!(min MinRule "`min` of `{Self}` and `{B}` has no derivative rule");

/// Which of `a` and `b` is `out`; a NaN is never selected beside a number.
#[inline(always)]
pub(in crate::ad) fn pick<T: Scalar>(a: T, b: T, out: T) -> Pick {
    if a == b {
        Pick::Tie
    } else if b == out {
        Pick::Right
    } else {
        Pick::Left
    }
}

/// The part of `t` that belongs to `side`.
#[inline(always)]
pub(in crate::ad) fn share<T: Scalar>(sel: Pick, side: Pick, t: T) -> T {
    if sel == side {
        t
    } else if sel == Pick::Tie {
        T::lit(0.5) * t
    } else {
        T::ZERO
    }
}

/// The rule of `x.clamp(lo, hi)`.
#[diagnostic::on_unimplemented(message = "`clamp` of `{Self}` by `{B}` has no derivative rule")]
pub trait ClampRule<B: Differentiable>: Differentiable {
    /// What the reverse pass saves.
    type Sel: Clone;
    /// Notes where `x` is.
    fn sel(x: &Self, lo: &B, hi: &B) -> Self::Sel;
    /// Adds to the cotangent of `x`.
    fn pull_x<D: Acc<Self>>(x: &Wit<Self>, sel: &Self::Sel, ct: &Ct<Self>, d: &mut D);
    /// Adds to the cotangent of `lo`.
    fn pull_lo<D: Acc<B>>(x: &Wit<Self>, lo: &Wit<B>, sel: &Self::Sel, ct: &Ct<Self>, d: &mut D);
    /// Adds to the cotangent of `hi`.
    fn pull_hi<D: Acc<B>>(x: &Wit<Self>, hi: &Wit<B>, sel: &Self::Sel, ct: &Ct<Self>, d: &mut D);
    /// The tangent of the result for a tangent of `x`.
    fn push_x(x: &Self, lo: &B, hi: &B, out: &Self, t: &Self::Tangent) -> Self::Tangent;
    /// The tangent of the result for a tangent of `lo`.
    fn push_lo(x: &Self, lo: &B, hi: &B, out: &Self, t: &B::Tangent) -> Self::Tangent;
    /// The tangent of the result for a tangent of `hi`.
    fn push_hi(x: &Self, lo: &B, hi: &B, out: &Self, t: &B::Tangent) -> Self::Tangent;
}

/// Derivatives of `x.clamp(lo, hi)`.
pub mod clamp {
    use super::*;

    /// Notes where `x` is.
    #[inline(always)]
    pub fn sel<A: ClampRule<B>, B: Differentiable>(x: &A, lo: &B, hi: &B) -> A::Sel {
        A::sel(x, lo, hi)
    }
    /// Adds to the cotangent of `x`.
    #[inline(always)]
    pub fn pull_x<A: ClampRule<B>, B: Differentiable, D: Acc<A>>(
        x: &Wit<A>,
        sel: &A::Sel,
        ct: &Ct<A>,
        d: &mut D,
    ) {
        A::pull_x(x, sel, ct, d)
    }
    /// Adds to the cotangent of `lo`.
    #[inline(always)]
    pub fn pull_lo<A: ClampRule<B>, B: Differentiable, D: Acc<B>>(
        x: &Wit<A>,
        lo: &Wit<B>,
        sel: &A::Sel,
        ct: &Ct<A>,
        d: &mut D,
    ) {
        A::pull_lo(x, lo, sel, ct, d)
    }
    /// Adds to the cotangent of `hi`.
    #[inline(always)]
    pub fn pull_hi<A: ClampRule<B>, B: Differentiable, D: Acc<B>>(
        x: &Wit<A>,
        hi: &Wit<B>,
        sel: &A::Sel,
        ct: &Ct<A>,
        d: &mut D,
    ) {
        A::pull_hi(x, hi, sel, ct, d)
    }
    /// The tangent of the result for a tangent of `x`.
    #[inline(always)]
    pub fn push_x<A: ClampRule<B>, B: Differentiable>(
        x: &A,
        lo: &B,
        hi: &B,
        out: &A,
        t: &A::Tangent,
    ) -> A::Tangent {
        A::push_x(x, lo, hi, out, t)
    }
    /// The tangent of the result for a tangent of `lo`.
    #[inline(always)]
    pub fn push_lo<A: ClampRule<B>, B: Differentiable>(
        x: &A,
        lo: &B,
        hi: &B,
        out: &A,
        t: &B::Tangent,
    ) -> A::Tangent {
        A::push_lo(x, lo, hi, out, t)
    }
    /// The tangent of the result for a tangent of `hi`.
    #[inline(always)]
    pub fn push_hi<A: ClampRule<B>, B: Differentiable>(
        x: &A,
        lo: &B,
        hi: &B,
        out: &A,
        t: &B::Tangent,
    ) -> A::Tangent {
        A::push_hi(x, lo, hi, out, t)
    }
}

#[inline(always)]
pub(in crate::ad) fn clamped<T: Scalar>(x: T, lo: T, hi: T) -> Clamped {
    if x < lo {
        Clamped::Below
    } else if x > hi {
        Clamped::Above
    } else if x.is_nan() {
        Clamped::Nan
    } else {
        Clamped::Inside
    }
}

#[inline(always)]
fn if_at<T: Scalar>(at: Clamped, wanted: Clamped, t: T) -> T {
    if at == wanted { t } else { T::ZERO }
}

impl<T: Scalar> ClampRule<T> for T {
    type Sel = Clamped;
    #[inline(always)]
    fn sel(x: &T, lo: &T, hi: &T) -> Clamped {
        clamped(*x, *lo, *hi)
    }
    #[inline(always)]
    fn pull_x<D: Acc<T>>(_: &Wit<T>, sel: &Clamped, ct: &T, d: &mut D) {
        d.acc(if_at(*sel, Clamped::Inside, *ct))
    }
    #[inline(always)]
    fn pull_lo<D: Acc<T>>(_: &Wit<T>, _: &Wit<T>, sel: &Clamped, ct: &T, d: &mut D) {
        d.acc(if_at(*sel, Clamped::Below, *ct))
    }
    #[inline(always)]
    fn pull_hi<D: Acc<T>>(_: &Wit<T>, _: &Wit<T>, sel: &Clamped, ct: &T, d: &mut D) {
        d.acc(if_at(*sel, Clamped::Above, *ct))
    }
    #[inline(always)]
    fn push_x(x: &T, lo: &T, hi: &T, _: &T, t: &T) -> T {
        if_at(clamped(*x, *lo, *hi), Clamped::Inside, *t)
    }
    #[inline(always)]
    fn push_lo(x: &T, lo: &T, hi: &T, _: &T, t: &T) -> T {
        if_at(clamped(*x, *lo, *hi), Clamped::Below, *t)
    }
    #[inline(always)]
    fn push_hi(x: &T, lo: &T, hi: &T, _: &T, t: &T) -> T {
        if_at(clamped(*x, *lo, *hi), Clamped::Above, *t)
    }
}
