//! Sizes and arrays of `typenum` and `generic-array`.
//!
//! An unsigned integer of [typenum](https://docs.rs/typenum) is a dimension: `Tensor<(U3, Sz<4>)>`. It is not the same
//! dimension as `Sz<3>`; [`rename`](Tensor::rename) turns one into the other, which is checked when the program is built
//! and copies nothing. Sums and products of sizes in types are those of typenum for its integers, and those of
//! [`shape!`](crate::shape!) for `Sz`.

use crate::device::Elem;
use crate::shape::{Dim, StaticDim};
use crate::tensor::Tensor;
use core::fmt::Debug;
use generic_array::{ArrayLength, GenericArray};
use typenum::{Bit, UInt, UTerm, Unsigned};

/// The parts of a dimension whose size is `Self::USIZE`.
macro_rules! dimension {
    ([$($generics:tt)*] $t:ty) => {
        crate::__discrete!([$($generics)*] $t);

        impl<$($generics)*> crate::ad::NoDerivative for $t {}

        impl<$($generics)*> Dim for $t {
            const STATIC: Option<usize> = Some(<$t as Unsigned>::USIZE);
            const NAME: &'static str = "";
            type Names<Tail> = Tail;
            fn size(self) -> usize {
                <$t as Unsigned>::USIZE
            }
            fn put(self, _: &mut Vec<usize>) {}
            fn take(_: &mut dyn Iterator<Item = usize>) -> Self {
                Self::default()
            }
        }

        impl<$($generics)*> StaticDim for $t {}
    };
}
dimension!([] UTerm);
dimension!([U: Unsigned + Debug + PartialEq + Send + Sync, B: Bit + Debug + PartialEq + Send + Sync] UInt<U, B>);

impl<T: Elem, N: ArrayLength + StaticDim> From<GenericArray<T, N>> for Tensor<(N,), T> {
    /// The entries of an array, as a vector of its length.
    ///
    /// ```
    /// # use autodiff_core as differentiable;
    /// use differentiable::prelude::*;
    /// use generic_array::arr;
    /// use typenum::U3;
    ///
    /// let x: Tensor<(U3,)> = arr![1.0, 2.0, 3.0].into();
    /// assert_eq!(x.rename::<shape![3]>(), tensor([1.0, 2.0, 3.0]));
    /// ```
    fn from(entries: GenericArray<T, N>) -> Self {
        Tensor::from_fn_with((N::default(),), |i| entries[i])
    }
}

impl<T: Elem, N: ArrayLength + StaticDim> Tensor<(N,), T> {
    /// The entries as an array of `generic-array`.
    pub fn to_generic_array(&self) -> GenericArray<T, N> {
        let entries = self.to_vec();
        GenericArray::try_from_iter(entries)
            .expect("a vector has as many entries as its dimension says")
    }
}
