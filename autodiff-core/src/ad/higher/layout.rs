//! The layout of a Hessian: a row in the place of each scalar of the arguments.

use crate::ad::Scalar;

/// An argument in whose layout the rows of a Hessian can stand.
#[diagnostic::on_unimplemented(
    message = "a Hessian by `{Self}` has no layout",
    label = "its rows have no place",
    note = "scalars have one, and arrays, slices, `Vec`s and tuples of them; `hvp` takes every argument"
)]
pub trait Layout {
    /// The layout with a `G` in the place of each scalar.
    type With<G>;
    /// Puts the rows in their places.
    fn with<G>(&self, next: &mut impl FnMut() -> G) -> Self::With<G>;
}

impl<S: Scalar> Layout for S {
    type With<G> = G;
    #[inline(always)]
    fn with<G>(&self, next: &mut impl FnMut() -> G) -> G {
        next()
    }
}

macro_rules! discrete {
    ($($t:ident)*) => { $(
        impl Layout for $t {
            type With<G> = ();
            #[inline(always)]
            fn with<G>(&self, _: &mut impl FnMut() -> G) {}
        }
    )* };
}
discrete!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char);

impl<T: Layout> Layout for [T] {
    type With<G> = Vec<T::With<G>>;
    #[inline]
    fn with<G>(&self, next: &mut impl FnMut() -> G) -> Vec<T::With<G>> {
        self.iter().map(|x| x.with(next)).collect()
    }
}

impl<T: Layout> Layout for Vec<T> {
    type With<G> = Vec<T::With<G>>;
    #[inline]
    fn with<G>(&self, next: &mut impl FnMut() -> G) -> Vec<T::With<G>> {
        self.as_slice().with(next)
    }
}

impl<T: Layout, const N: usize> Layout for [T; N] {
    type With<G> = [T::With<G>; N];
    #[inline(always)]
    fn with<G>(&self, next: &mut impl FnMut() -> G) -> [T::With<G>; N] {
        core::array::from_fn(|i| self[i].with(next))
    }
}

macro_rules! tuples {
    ($($T:ident $i:tt),*) => {
        impl<$($T: Layout),*> Layout for ($($T,)*) {
            type With<G> = ($($T::With<G>,)*);
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
