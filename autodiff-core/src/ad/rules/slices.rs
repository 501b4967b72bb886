//! `x.to_vec()` of a slice.

use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};

/// The entries of a slice, copied.
pub fn to_vec<T: Clone>(x: &[T]) -> Vec<T> {
    x.to_vec()
}

/// The companions of [`to_vec()`].
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub enum to_vec {}

impl to_vec {
    /// Reverse mode.
    #[allow(clippy::type_complexity)]
    pub fn __vjp<M: Mode, T: Differentiable + Clone>(
        _: (M,),
        x: &[T],
    ) -> (
        Vec<T>,
        impl FnOnce(Ct<Vec<T>>, &[T], &mut [Adj<T, M>]) + use<M, T>,
    ) {
        (
            x.to_vec(),
            |ct: Ct<Vec<T>>, _: &[T], d: &mut [Adj<T, M>]| {
                if <Adj<T, M> as Acc<T>>::ON {
                    d.iter_mut().zip(ct).for_each(|(d, ct)| d.acc(ct));
                }
            },
        )
    }

    /// Forward mode.
    pub fn __jvp<T: Differentiable + Clone>(
        x: &[T],
        t: &[T::Tangent],
    ) -> (Vec<T>, Vec<T::Tangent>) {
        (x.to_vec(), t.to_vec())
    }
}
