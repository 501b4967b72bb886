//! Sorting of untyped tensors.

use super::Raw;
use crate::device::{Backend, Elem, SortOrder};

impl<T: Elem, D: Backend> Raw<T, D> {
    /// The positions of the first `keep` entries along `axis` in order.
    #[must_use]
    #[track_caller]
    pub fn argsort(&self, order: SortOrder, axis: usize, keep: usize) -> Raw<i64, D> {
        let x = self.axis_last(axis);
        let last = x.dims().rank() - 1;
        let mut out = Raw::unspecified(self.device(), x.dims().with(last, keep));
        self.device().argsort(order, x.view(), out.view_mut());
        out.last_to_axis(axis)
    }
}
