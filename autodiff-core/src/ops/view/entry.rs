//! `index`: one entry along an axis, at a position known at run time.
//!
//! The pullback adds the cotangent to that entry of the accumulator and does nothing to the others, so a
//! loop over all entries costs as much as one pass.

use crate::device::{Backend, Elem, Float};
use crate::ops::view::extent::{add_part, within};
use crate::shape::{Axis, Shape};
use crate::tensor::Tensor;
use autodiff_macros::rule;

#[rule]
impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// Entry `at` along axis `I`, without that axis and without copying: `x.index::<0>(t)` is row `t` of a matrix.
    ///
    /// # Panics
    /// If the axis has no such entry.
    #[derivative(
        where T: Float;
        pull |ct, x, d, _| {
            if M0::ON
            && let Some(ct) = ct.raw()
            {
                let axis = <S as Axis<I>>::INDEX;
                add_part::<M0, _, _, _>(d, x, &ct.unsqueeze(axis), axis, at);
            }
        };
        push t.index::<I>(at);
    )]
    #[track_caller]
    pub fn index<const I: isize>(&self, at: usize) -> Tensor<<S as Axis<I>>::Without, T, D>
    where
        S: Axis<I>,
    {
        let axis = <S as Axis<I>>::INDEX;
        within::<<S as Axis<I>>::Dim>("index", axis, self.dims()[axis], at, 1);
        Tensor::new(self.shape().without(), self.raw().index(axis, at))
    }
}
