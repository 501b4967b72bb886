//! Rules of integers, which do nothing: where the activity analysis cannot tell an integer from a
//! float, the code it emits still compiles, and the optimiser removes it.

use super::*;
use crate::ad::{Acc, Differentiable, NoGrad, On, Wit};

/// A primitive type without a derivative.
pub trait Discrete:
    Differentiable<Tangent = (), Proto = (), Adj<On> = NoGrad> + sealed::Sealed
{
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! primitive {
    ($($t:ident)*) => {$(
        impl sealed::Sealed for $t {}
        impl Discrete for $t {}
    )*};
}

with_integers!(primitive bool char);

macro_rules! operand {
    (wit $t:ident) => { Wit<$t> };
    (val $t:ident) => { $t };
}

macro_rules! arith {
    ($t:ident: $($Rule:ident($la:ident $lb:ident; $ra:ident $rb:ident $($out:ident)?))*) => {$(
        impl $Rule<$t> for $t {
            type Out = $t;
            #[inline(always)]
            fn pull_l<D: Acc<$t>>(_: &operand!($la $t), _: &operand!($lb $t), _: &NoGrad, _: &mut D) {}
            #[inline(always)]
            fn pull_r<D: Acc<$t>>(
                _: &operand!($ra $t), _: &operand!($rb $t) $(, _: &$out)?, _: &NoGrad, _: &mut D,
            ) {}
            #[inline(always)]
            fn push_l(_: &$t, _: &$t, _: &$t, (): &()) {}
            #[inline(always)]
            fn push_r(_: &$t, _: &$t, _: &$t, (): &()) {}
        }
    )*};
}

macro_rules! extremum {
    ($t:ident: $($Rule:ident)*) => {$(
        impl $Rule<$t> for $t {
            type Sel = ();
            #[inline(always)]
            fn sel(_: &$t, _: &$t) {}
            #[inline(always)]
            fn pull_l<D: Acc<$t>>(_: &Wit<$t>, _: &Wit<$t>, (): &(), _: &NoGrad, _: &mut D) {}
            #[inline(always)]
            fn pull_r<D: Acc<$t>>(_: &Wit<$t>, _: &Wit<$t>, (): &(), _: &NoGrad, _: &mut D) {}
            #[inline(always)]
            fn push_l(_: &$t, _: &$t, _: &$t, (): &()) {}
            #[inline(always)]
            fn push_r(_: &$t, _: &$t, _: &$t, (): &()) {}
        }
    )*};
}

macro_rules! integer {
    ($($t:ident)*) => {$(
        arith!($t: AddRule(wit wit; wit wit) SubRule(wit wit; wit wit)
                   MulRule(wit val; val wit) DivRule(wit val; wit val $t));
        extremum!($t: MaxRule MinRule);
        nothing!($t: RemRule RemEuclidRule MidpointRule);

        impl ClampRule<$t> for $t {
            type Sel = ();
            #[inline(always)]
            fn sel(_: &$t, _: &$t, _: &$t) {}
            #[inline(always)]
            fn pull_x<D: Acc<$t>>(_: &Wit<$t>, (): &(), _: &NoGrad, _: &mut D) {}
            #[inline(always)]
            fn pull_lo<D: Acc<$t>>(_: &Wit<$t>, _: &Wit<$t>, (): &(), _: &NoGrad, _: &mut D) {}
            #[inline(always)]
            fn pull_hi<D: Acc<$t>>(_: &Wit<$t>, _: &Wit<$t>, (): &(), _: &NoGrad, _: &mut D) {}
            #[inline(always)]
            fn push_x(_: &$t, _: &$t, _: &$t, _: &$t, (): &()) {}
            #[inline(always)]
            fn push_lo(_: &$t, _: &$t, _: &$t, _: &$t, (): &()) {}
            #[inline(always)]
            fn push_hi(_: &$t, _: &$t, _: &$t, _: &$t, (): &()) {}
        }
    )*};
}

macro_rules! nothing {
    ($t:ident: $($Rule:ident)*) => {$(
        impl $Rule<$t> for $t {
            #[inline(always)]
            fn pull_l<D: Acc<$t>>(_: &$t, _: &$t, _: &$t, _: &NoGrad, _: &mut D) {}
            #[inline(always)]
            fn pull_r<D: Acc<$t>>(_: &$t, _: &$t, _: &$t, _: &NoGrad, _: &mut D) {}
            #[inline(always)]
            fn push_l(_: &$t, _: &$t, _: &$t, (): &()) {}
            #[inline(always)]
            fn push_r(_: &$t, _: &$t, _: &$t, (): &()) {}
        }
    )*};
}

macro_rules! signed {
    ($($t:ident)*) => {$(
        impl NegRule for $t {
            #[inline(always)]
            fn pull<D: Acc<$t>>(_: &Wit<$t>, _: &NoGrad, _: &mut D) {}
            #[inline(always)]
            fn push(_: &$t, _: &$t, (): &()) {}
        }
        impl AbsRule for $t {
            #[inline(always)]
            fn pull<D: Acc<$t>>(_: &$t, _: &NoGrad, _: &mut D) {}
            #[inline(always)]
            fn push(_: &$t, _: &$t, (): &()) {}
        }
    )*};
}

with_integers!(integer);
signed!(i8 i16 i32 i64 i128 isize);
