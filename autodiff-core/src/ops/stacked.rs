//! `stack_to`: as many tensors as there are at run time, joined along a new axis.
//!
//! The pullback gives each part its entry of the cotangent.

use super::stated::named;
use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, Elem, Float};
use crate::ops::OrPanic;
use crate::shape::{Dim, Insert, Shape};
use crate::tensor::{Raw, Tensor};

impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// Joins tensors of one shape along a new axis `I` of the stated size, which may be a run-time one:
    /// `Tensor::stack_to::<0, _>(&states, Time(states.len()))`.
    ///
    /// # Panics
    /// If `n` is not the number of parts or there are none, or run-time dimensions differ.
    #[track_caller]
    pub fn stack_to<const I: isize, N: Dim>(
        parts: &[Self],
        n: N,
    ) -> Tensor<<S as Insert<I>>::Out<N>, T, D>
    where
        S: Insert<I>,
    {
        assert_eq!(
            parts.len(),
            n.size(),
            "stack_to: {} tensors do not make {}",
            parts.len(),
            named(n)
        );
        let first = parts.first().expect("stack_to: there is nothing to stack");
        for part in parts {
            first.check_same_shape(part).or_panic("stack_to");
        }
        let axis = <S as Insert<I>>::INDEX;
        let raws: Vec<_> = parts.iter().map(|p| p.raw().unsqueeze(axis)).collect();
        let refs: Vec<_> = raws.iter().collect();
        Tensor::new(first.shape().insert(n), Raw::concat(axis, &refs))
    }
}

impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __stack_to_vjp<M0: Mode, M1: Mode, const I: isize, N: Dim>(
        _: (M0, M1),
        parts: &[Self],
        n: N,
    ) -> (
        Tensor<<S as Insert<I>>::Out<N>, T, D>,
        impl FnOnce(
            Ct<Tensor<<S as Insert<I>>::Out<N>, T, D>>,
            &[Self],
            &mut [Adj<Self, M0>],
            &mut Adj<N, M1>,
        ) + Clone
        + use<M0, M1, S, T, D, I, N>,
    )
    where
        S: Insert<I>,
    {
        (Self::stack_to::<I, N>(parts, n), |ct, parts, d, _| {
            if !M0::ON {
                return;
            }
            if let Some(ct) = ct.raw() {
                let axis = <S as Insert<I>>::INDEX;
                for (k, (part, d)) in parts.iter().zip(d).enumerate() {
                    d.acc(Tensor::new(part.shape(), ct.index(axis, k)).into());
                }
            }
        })
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __stack_to_jvp<const I: isize, N: Dim>(
        parts: &[Self],
        t: &[Self],
        n: N,
        _: (),
    ) -> (
        Tensor<<S as Insert<I>>::Out<N>, T, D>,
        Tensor<<S as Insert<I>>::Out<N>, T, D>,
    )
    where
        S: Insert<I>,
    {
        (
            Self::stack_to::<I, N>(parts, n),
            Self::stack_to::<I, N>(t, n),
        )
    }
}
