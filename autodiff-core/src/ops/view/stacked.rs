//! `stack_to`: as many tensors as there are at run time, joined along a new axis.
//!
//! The pullback gives each part its entry of the cotangent.

use super::give_parts;
use crate::device::{Backend, Elem, Float};
use crate::ops::OrPanic;
use crate::ops::view::stated::named;
use crate::shape::{Dim, Insert, Shape};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

#[rule]
impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// Joins tensors of one shape along a new axis `I` of the stated size, which may be a run-time one:
    /// `Tensor::stack_to::<0, _>(&states, Time(states.len()))`.
    ///
    /// # Panics
    /// If `n` is not the number of parts or there are none, or run-time dimensions differ.
    #[derivative(
        where T: Float;
        active parts;
        pull |ct, parts, d, _| {
            if let Some(ct) = ct.raw() {
                let axis = <S as Insert<I>>::INDEX;
                give_parts::<M0, _, _, _>(parts, d, |k| ct.index(axis, k));
            }
        };
        push Self::stack_to::<I, N>(t_parts, n);
    )]
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
