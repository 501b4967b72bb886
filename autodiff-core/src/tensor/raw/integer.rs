//! Arithmetic of untyped tensors of integers.

use super::Raw;
use super::ops::joint;
use crate::device::{Backend, Integer, IntegerOp};

impl<T: Integer, D: Backend> Raw<T, D> {
    /// `op(a, b)`, broadcast to the joint sizes.
    #[must_use]
    #[track_caller]
    pub fn integer(op: IntegerOp, a: &Self, b: &Self) -> Self {
        let mut out = Raw::unspecified(a.device(), joint(a.dims(), b.dims()));
        a.device().integer(op, a.view(), b.view(), out.view_mut());
        out
    }
}

impl<D: Backend> Raw<i64, D> {
    /// The sums along `axis`, which is removed.
    #[must_use]
    #[track_caller]
    pub fn integer_sum(&self, axis: usize) -> Self {
        let kept = self.dims().remove(axis);
        let x = self.axis_last(axis);
        let mut out = Raw::unspecified(self.device(), x.dims().with(kept.rank(), 1));
        self.device().integer_sum(x.view(), out.view_mut());
        out.into_reshaped(kept)
    }
}
