//! From a value over duals to the value itself.

use crate::ad::{Extends, Scalar};
use core::cmp::Ordering;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// A type whose values over duals, of type `L`, can be taken back: the outputs that have a Jacobian.
///
/// The lifetime is there for the reason that [`ScalarOutput`](crate::ad::ScalarOutput) has one, and so it
/// does not imply [`Lift`](super::Lift).
pub trait Lower<'z, L> {
    /// The value without its tangents.
    fn lower(lifted: &L) -> Self;
}

impl<S: Scalar, D: Extends<S>> Lower<'_, D> for S {
    #[inline(always)]
    fn lower(lifted: &D) -> S {
        lifted.base()
    }
}

macro_rules! discrete {
    ($($t:tt)*) => { $(
        impl Lower<'_, $t> for $t {
            #[inline(always)]
            fn lower(lifted: &$t) -> $t {
                lifted.clone()
            }
        }
    )* };
}
with_discrete!(discrete);

impl<'z, L, T: Lower<'z, L>> Lower<'z, Option<L>> for Option<T> {
    #[inline(always)]
    fn lower(lifted: &Option<L>) -> Self {
        lifted.as_ref().map(T::lower)
    }
}

impl<'z, L, T: Lower<'z, L>, E: Clone> Lower<'z, Result<L, E>> for Result<T, E> {
    #[inline(always)]
    fn lower(lifted: &Result<L, E>) -> Self {
        lifted.as_ref().map(T::lower).map_err(E::clone)
    }
}

impl<'z, L, T: Lower<'z, L>> Lower<'z, Vec<L>> for Vec<T> {
    #[inline]
    fn lower(lifted: &Vec<L>) -> Self {
        lifted.iter().map(T::lower).collect()
    }
}

impl<'z, L, T: Lower<'z, L>, const N: usize> Lower<'z, [L; N]> for [T; N] {
    #[inline(always)]
    fn lower(lifted: &[L; N]) -> Self {
        lifted.each_ref().map(T::lower)
    }
}

macro_rules! tuples {
    ($($T:ident $L:ident $i:tt),*) => {
        impl<'z, $($L, $T: Lower<'z, $L>),*> Lower<'z, ($($L,)*)> for ($($T,)*) {
            #[inline(always)]
            fn lower(lifted: &($($L,)*)) -> Self {
                ($($T::lower(&lifted.$i),)*)
            }
        }
    };
}
tuples!(A LA 0);
tuples!(A LA 0, B LB 1);
tuples!(A LA 0, B LB 1, C LC 2);
tuples!(A LA 0, B LB 1, C LC 2, D LD 3);
tuples!(A LA 0, B LB 1, C LC 2, D LD 3, E LE 4);
tuples!(A LA 0, B LB 1, C LC 2, D LD 3, E LE 4, G LG 5);
