//! `+ - * /`.
//!
//! | op | left pullback | right pullback |
//! |---|---|---|
//! | `a + b` | `ct` | `ct` |
//! | `a - b` | `ct` | `-ct` |
//! | `a * b` | `ct · b` | `ct · a` |
//! | `a / b` | `ct / b` | `-(ct / b) · (a / b)` |

use super::formulas::of_scalars as formulas;
use crate::ad::{Acc, Ct, Differentiable, Scalar, Wit};

// Where a rule does not need the value of an operand, it gets the witness.
macro_rules! operand {
    (wit $T:ty) => { Wit<$T> };
    (val $T:ty) => { $T };
}

// The trait and the module of free functions of one operator.
macro_rules! arith {
    ($op:ident $Rule:ident $symbol:literal $message:literal
     pull_l($la:ident, $lb:ident) pull_r($ra:ident, $rb:ident $(, $out:ident)?)) => {
        #[doc = concat!("The rule of `a ", $symbol, " b`.")]
        #[diagnostic::on_unimplemented(message = $message)]
        pub trait $Rule<B: Differentiable>: Differentiable {
            /// The type of the result.
            type Out: Differentiable;
            /// Adds to the cotangent of the left operand.
            fn pull_l<D: Acc<Self>>(
                a: &operand!($la Self), b: &operand!($lb B), ct: &Ct<Self::Out>, d: &mut D,
            );
            /// Adds to the cotangent of the right operand.
            fn pull_r<D: Acc<B>>(
                a: &operand!($ra Self), b: &operand!($rb B) $(, $out: &Self::Out)?,
                ct: &Ct<Self::Out>, d: &mut D,
            );
            /// The tangent of the result for a tangent of the left operand.
            fn push_l(
                a: &Self, b: &B, out: &Self::Out, t: &Self::Tangent,
            ) -> <Self::Out as Differentiable>::Tangent;
            /// The tangent of the result for a tangent of the right operand.
            fn push_r(
                a: &Self, b: &B, out: &Self::Out, t: &B::Tangent,
            ) -> <Self::Out as Differentiable>::Tangent;
        }

        #[doc = concat!("Derivatives of `a ", $symbol, " b`.")]
        pub mod $op {
            use super::*;

            /// Adds to the cotangent of the left operand.
            #[inline(always)]
            pub fn pull_l<A: $Rule<B>, B: Differentiable, D: Acc<A>>(
                a: &operand!($la A), b: &operand!($lb B), ct: &Ct<A::Out>, d: &mut D,
            ) {
                A::pull_l(a, b, ct, d)
            }
            /// Adds to the cotangent of the right operand.
            #[inline(always)]
            pub fn pull_r<A: $Rule<B>, B: Differentiable, D: Acc<B>>(
                a: &operand!($ra A), b: &operand!($rb B) $(, $out: &A::Out)?,
                ct: &Ct<A::Out>, d: &mut D,
            ) {
                A::pull_r(a, b $(, $out)?, ct, d)
            }
            /// The tangent of the result for a tangent of the left operand.
            #[inline(always)]
            pub fn push_l<A: $Rule<B>, B: Differentiable>(
                a: &A, b: &B, out: &A::Out, t: &A::Tangent,
            ) -> <A::Out as Differentiable>::Tangent {
                A::push_l(a, b, out, t)
            }
            /// The tangent of the result for a tangent of the right operand.
            #[inline(always)]
            pub fn push_r<A: $Rule<B>, B: Differentiable>(
                a: &A, b: &B, out: &A::Out, t: &B::Tangent,
            ) -> <A::Out as Differentiable>::Tangent {
                A::push_r(a, b, out, t)
            }
        }
    };
}

arith! { add AddRule "+" "`{Self} + {B}` has no derivative rule" pull_l(wit, wit) pull_r(wit, wit) }
arith! { sub SubRule "-" "`{Self} - {B}` has no derivative rule" pull_l(wit, wit) pull_r(wit, wit) }
arith! { mul MulRule "*" "`{Self} * {B}` has no derivative rule" pull_l(wit, val) pull_r(val, wit) }
arith! { div DivRule "/" "`{Self} / {B}` has no derivative rule" pull_l(wit, val) pull_r(wit, val, out) }

impl<T: Scalar> AddRule<T> for T {
    type Out = T;
    #[inline(always)]
    fn pull_l<D: Acc<T>>(_: &Wit<T>, _: &Wit<T>, ct: &T, d: &mut D) {
        d.acc(*ct)
    }
    #[inline(always)]
    fn pull_r<D: Acc<T>>(_: &Wit<T>, _: &Wit<T>, ct: &T, d: &mut D) {
        d.acc(*ct)
    }
    #[inline(always)]
    fn push_l(_: &T, _: &T, _: &T, t: &T) -> T {
        *t
    }
    #[inline(always)]
    fn push_r(_: &T, _: &T, _: &T, t: &T) -> T {
        *t
    }
}

impl<T: Scalar> SubRule<T> for T {
    type Out = T;
    #[inline(always)]
    fn pull_l<D: Acc<T>>(_: &Wit<T>, _: &Wit<T>, ct: &T, d: &mut D) {
        d.acc(*ct)
    }
    #[inline(always)]
    fn pull_r<D: Acc<T>>(_: &Wit<T>, _: &Wit<T>, ct: &T, d: &mut D) {
        d.acc(-*ct)
    }
    #[inline(always)]
    fn push_l(_: &T, _: &T, _: &T, t: &T) -> T {
        *t
    }
    #[inline(always)]
    fn push_r(_: &T, _: &T, _: &T, t: &T) -> T {
        -*t
    }
}

impl<T: Scalar> MulRule<T> for T {
    type Out = T;
    #[inline(always)]
    fn pull_l<D: Acc<T>>(_: &Wit<T>, b: &T, ct: &T, d: &mut D) {
        d.acc(*ct * *b)
    }
    #[inline(always)]
    fn pull_r<D: Acc<T>>(a: &T, _: &Wit<T>, ct: &T, d: &mut D) {
        d.acc(*ct * *a)
    }
    #[inline(always)]
    fn push_l(_: &T, b: &T, _: &T, t: &T) -> T {
        *t * *b
    }
    #[inline(always)]
    fn push_r(a: &T, _: &T, _: &T, t: &T) -> T {
        *t * *a
    }
}

impl<T: Scalar> DivRule<T> for T {
    type Out = T;
    #[inline(always)]
    fn pull_l<D: Acc<T>>(_: &Wit<T>, b: &T, ct: &T, d: &mut D) {
        d.acc(formulas::div_left(*ct, *b))
    }
    #[inline(always)]
    fn pull_r<D: Acc<T>>(_: &Wit<T>, b: &T, out: &T, ct: &T, d: &mut D) {
        d.acc(formulas::div_right(*ct, *b, *out))
    }
    #[inline(always)]
    fn push_l(_: &T, b: &T, _: &T, t: &T) -> T {
        formulas::div_left(*t, *b)
    }
    #[inline(always)]
    fn push_r(_: &T, b: &T, out: &T, t: &T) -> T {
        formulas::div_right(*t, *b, *out)
    }
}
