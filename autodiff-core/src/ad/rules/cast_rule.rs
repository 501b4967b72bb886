//! `x as To`.

use super::integers::Discrete;
use crate::ad::{Acc, Ct, Differentiable, NoGrad, Wit};

/// The rule of `x as To`.
#[diagnostic::on_unimplemented(message = "`{Self} as {To}` has no derivative rule")]
pub trait CastRule<To: Differentiable>: Differentiable {
    /// Adds to the cotangent of `x`.
    fn pull<D: Acc<Self>>(from: &Wit<Self>, to: &Wit<To>, ct: &Ct<To>, d: &mut D);
    /// The tangent of the result.
    fn push(from: &Self, to: &To, t: &Self::Tangent) -> To::Tangent;
}

/// Derivatives of `x as To`.
pub mod cast {
    use super::*;

    /// Adds to the cotangent of `x`.
    #[inline(always)]
    pub fn pull<From: CastRule<To>, To: Differentiable, D: Acc<From>>(
        from: &Wit<From>,
        to: &Wit<To>,
        ct: &Ct<To>,
        d: &mut D,
    ) {
        From::pull(from, to, ct, d)
    }
    /// The tangent of the result.
    #[inline(always)]
    pub fn push<From: CastRule<To>, To: Differentiable>(
        from: &From,
        to: &To,
        t: &From::Tangent,
    ) -> To::Tangent {
        From::push(from, to, t)
    }
}

macro_rules! between_floats {
    ($($from:ident => $to:ident),*) => {$(
        impl CastRule<$to> for $from {
            #[inline(always)]
            fn pull<D: Acc<$from>>(_: &Wit<$from>, _: &Wit<$to>, ct: &$to, d: &mut D) {
                d.acc(*ct as $from)
            }
            #[inline(always)]
            fn push(_: &$from, _: &$to, t: &$from) -> $to {
                *t as $to
            }
        }
    )*};
}

between_floats!(f32 => f32, f32 => f64, f64 => f32, f64 => f64);

// Through an integer no derivative passes. (`#[differentiable]` refuses such a cast of a value that
// carries one.)
macro_rules! float_and_discrete {
    ($($t:ident),*) => {$(
        impl<To: Discrete> CastRule<To> for $t {
            #[inline(always)]
            fn pull<D: Acc<$t>>(_: &Wit<$t>, _: &Wit<To>, _: &NoGrad, _: &mut D) {}
            #[inline(always)]
            fn push(_: &$t, _: &To, _: &$t) {}
        }

        impl<From: Discrete> CastRule<$t> for From {
            #[inline(always)]
            fn pull<D: Acc<From>>(_: &Wit<From>, _: &Wit<$t>, _: &$t, _: &mut D) {}
            #[inline(always)]
            fn push(_: &From, _: &$t, (): &()) -> $t {
                0.0
            }
        }
    )*};
}

float_and_discrete!(f32, f64);

impl<From: Discrete, To: Discrete> CastRule<To> for From {
    #[inline(always)]
    fn pull<D: Acc<From>>(_: &Wit<From>, _: &Wit<To>, _: &NoGrad, _: &mut D) {}
    #[inline(always)]
    fn push(_: &From, _: &To, (): &()) {}
}
