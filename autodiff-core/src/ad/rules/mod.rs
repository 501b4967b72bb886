//! The rules of the primitive operations: for each, its pullback (reverse mode) and its pushforward
//! (forward mode).
//!
//! Generated code computes values with the native operators and methods, and calls the free
//! functions here only for derivatives: `x * y` reverses to [`mul::pull_l`] and [`mul::pull_r`].
//! Every operation is a module of free functions over a trait; tensors implement the same traits.
//!
//! What the rules do at kinks and singular points is the table in
#![doc = include_str!("../../doc/numerics.md")]

// The trait and the module of free functions of a method `a.op(b)` whose rule needs all values.
macro_rules! binary_rule {
    ($op:ident $Rule:ident $message:literal) => {
        #[doc = concat!("The rule of `a.", stringify!($op), "(b)`.")]
        #[diagnostic::on_unimplemented(message = $message)]
        pub trait $Rule<B: Differentiable>: Differentiable {
            /// Adds to the cotangent of `a`.
            fn pull_l<D: Acc<Self>>(a: &Self, b: &B, out: &Self, ct: &Ct<Self>, d: &mut D);
            /// Adds to the cotangent of `b`.
            fn pull_r<D: Acc<B>>(a: &Self, b: &B, out: &Self, ct: &Ct<Self>, d: &mut D);
            /// The tangent of the result for a tangent of `a`.
            fn push_l(a: &Self, b: &B, out: &Self, t: &Self::Tangent) -> Self::Tangent;
            /// The tangent of the result for a tangent of `b`.
            fn push_r(a: &Self, b: &B, out: &Self, t: &B::Tangent) -> Self::Tangent;
        }

        #[doc = concat!("Derivatives of `a.", stringify!($op), "(b)`.")]
        pub mod $op {
            use super::*;

            /// Adds to the cotangent of `a`.
            #[inline(always)]
            pub fn pull_l<A: $Rule<B>, B: Differentiable, D: Acc<A>>(
                a: &A,
                b: &B,
                out: &A,
                ct: &Ct<A>,
                d: &mut D,
            ) {
                A::pull_l(a, b, out, ct, d)
            }
            /// Adds to the cotangent of `b`.
            #[inline(always)]
            pub fn pull_r<A: $Rule<B>, B: Differentiable, D: Acc<B>>(
                a: &A,
                b: &B,
                out: &A,
                ct: &Ct<A>,
                d: &mut D,
            ) {
                A::pull_r(a, b, out, ct, d)
            }
            /// The tangent of the result for a tangent of `a`.
            #[inline(always)]
            pub fn push_l<A: $Rule<B>, B: Differentiable>(
                a: &A,
                b: &B,
                out: &A,
                t: &A::Tangent,
            ) -> A::Tangent {
                A::push_l(a, b, out, t)
            }
            /// The tangent of the result for a tangent of `b`.
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
    };
}
use binary_rule;

mod angle;
mod arith;
mod cast_rule;
pub(crate) mod formulas;
mod integers;
mod neg_rule;
mod pair_rule;
mod piecewise;
mod power;
mod remainder;
mod select;
mod slope_rule;

mod unary;

pub use angle::*;
pub use arith::*;
pub use cast_rule::*;
pub use neg_rule::*;
pub use pair_rule::*;
pub use piecewise::*;
pub use power::*;
pub use remainder::*;
pub use select::*;
pub use slope_rule::*;

pub use unary::*;

use super::Scalar;

/// The image of a (co)tangent under a linear map whose slope may be infinite.
///
/// A linear map takes zero to zero. Without this a value that was computed but not used, such as
/// `let n = s.sqrt(); if n > 0.0 { x / n } else { 0.0 }` at `s = 0`, would turn its zero cotangent
/// into `0 · ∞ = NaN`. A zero that carries tangents is mapped: its tangents have images too.
#[inline(always)]
pub(crate) fn unless_zero<T: Scalar>(t: T, image: T) -> T {
    t.where_zero(t, image)
}

/// `t / divisor`, and zero for a zero `t` whatever the divisor is.
///
/// The divisor is chosen, not the quotient: no branch, and equal quotients are computed once.
#[inline(always)]
pub(crate) fn quotient<T: Scalar>(t: T, divisor: T) -> T {
    t / t.where_zero(T::ONE, divisor)
}
