//! The layout of a Hessian: a row in the place of each scalar of the arguments; those of a struct in a
//! `Vec`, in the order of its fields.

use crate::ad::Scalar;
use core::cmp::Ordering;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// An argument in whose layout the rows of a Hessian can stand.
#[diagnostic::on_unimplemented(
    message = "a Hessian by `{Self}` has no layout",
    label = "its rows have no place",
    note = "scalars have one, arrays, slices, `Vec`s, tuples and `Option`s of them, generic structs with `#[derive(Differentiable)]`, and others with `#[differentiable(higher_order)]` below it"
)]
pub trait Layout {
    /// The layout with a `G` in the place of each scalar.
    type With<G>;
    /// How many scalars there are.
    fn count(&self) -> usize;
    /// Puts the rows in their places.
    fn with<G>(&self, next: &mut impl FnMut() -> G) -> Self::With<G>;
}

impl<S: Scalar> Layout for S {
    type With<G> = G;
    #[inline(always)]
    fn count(&self) -> usize {
        1
    }
    #[inline(always)]
    fn with<G>(&self, next: &mut impl FnMut() -> G) -> G {
        next()
    }
}

macro_rules! discrete {
    ($($t:tt)*) => { $(
        impl Layout for $t {
            type With<G> = ();
            #[inline(always)]
            fn count(&self) -> usize {
                0
            }
            #[inline(always)]
            fn with<G>(&self, _: &mut impl FnMut() -> G) {}
        }
    )* };
}
with_discrete!(discrete);

impl<T: Layout> Layout for [T] {
    type With<G> = Vec<T::With<G>>;
    #[inline]
    fn count(&self) -> usize {
        self.iter().map(T::count).sum()
    }
    #[inline]
    fn with<G>(&self, next: &mut impl FnMut() -> G) -> Vec<T::With<G>> {
        self.iter().map(|x| x.with(next)).collect()
    }
}

impl<T: Layout> Layout for Vec<T> {
    type With<G> = Vec<T::With<G>>;
    #[inline]
    fn count(&self) -> usize {
        self.as_slice().count()
    }
    #[inline]
    fn with<G>(&self, next: &mut impl FnMut() -> G) -> Vec<T::With<G>> {
        self.as_slice().with(next)
    }
}

impl<T: Layout, const N: usize> Layout for [T; N] {
    type With<G> = [T::With<G>; N];
    #[inline(always)]
    fn count(&self) -> usize {
        self.as_slice().count()
    }
    #[inline(always)]
    fn with<G>(&self, next: &mut impl FnMut() -> G) -> [T::With<G>; N] {
        core::array::from_fn(|i| self[i].with(next))
    }
}

impl<T: Layout> Layout for Option<T> {
    type With<G> = Option<T::With<G>>;
    #[inline]
    fn count(&self) -> usize {
        self.as_ref().map_or(0, T::count)
    }
    #[inline]
    fn with<G>(&self, next: &mut impl FnMut() -> G) -> Option<T::With<G>> {
        self.as_ref().map(|x| x.with(next))
    }
}

macro_rules! tuples {
    ($($T:ident $i:tt),*) => {
        impl<$($T: Layout),*> Layout for ($($T,)*) {
            type With<G> = ($($T::With<G>,)*);
            #[inline(always)]
            fn count(&self) -> usize {
                0 $(+ self.$i.count())*
            }
            #[inline(always)]
            fn with<G>(&self, next: &mut impl FnMut() -> G) -> Self::With<G> {
                ($(self.$i.with(next),)*)
            }
        }
    };
}
tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);
tuples!(A 0, B 1, C 2, D 3, E 4, H 5);
