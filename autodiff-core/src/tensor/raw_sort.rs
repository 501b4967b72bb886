//! Sorting of untyped tensors.

use super::raw::Raw;
use crate::device::{Device, Elem, SortOrder};

impl<T: Elem, D: Device> Raw<T, D> {
    /// The positions of the first `keep` entries along `axis` in order.
    #[must_use]
    pub fn argsort(&self, order: SortOrder, axis: usize, keep: usize) -> Raw<i64, D> {
        let x = self.axis_last(axis);
        let last = x.dims().rank() - 1;
        let mut out = Raw::unspecified(self.device(), x.dims().with(last, keep));
        self.device().argsort(order, x.view(), out.view_mut());
        out.last_to_axis(axis)
    }

    /// The entries along `axis` at the positions that [`Raw::argsort`] gave.
    #[must_use]
    pub fn take_sorted(&self, axis: usize, index: &Raw<i64, D>) -> Self {
        let (x, index) = (self.axis_last(axis), index.axis_last(axis));
        let mut out = Raw::unspecified(self.device(), *index.dims());
        self.device()
            .take_sorted(x.view(), index.view(), out.view_mut());
        out.last_to_axis(axis)
    }

    /// The transpose of [`Raw::take_sorted`]: the entries at those positions of an axis of size `n`,
    /// zero elsewhere.
    #[must_use]
    pub fn put_sorted(&self, axis: usize, index: &Raw<i64, D>, n: usize) -> Self {
        let (x, index) = (self.axis_last(axis), index.axis_last(axis));
        let last = x.dims().rank() - 1;
        let mut out = Raw::unspecified(self.device(), x.dims().with(last, n));
        self.device()
            .put_sorted(x.view(), index.view(), out.view_mut());
        out.last_to_axis(axis)
    }
}
