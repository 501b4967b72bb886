//! Reductions in several passes, and scans, of untyped tensors.

use super::Raw;
use crate::device::{Backend, Dims, Float, FoldOp, ScanOp};

impl<T: Float, D: Backend> Raw<T, D> {
    /// Reduced along `axes`, which keep size 1.
    #[must_use]
    #[track_caller]
    pub fn fold(&self, op: FoldOp, axes: &[usize]) -> Self {
        let dims = axes.iter().fold(*self.dims(), |d, &a| d.with(a, 1));
        let mut out = Raw::unspecified(self.device(), dims);
        self.device().fold(op, self.view(), out.view_mut());
        out
    }

    /// The pullback of [`Raw::fold`] from its output; `y` and `ct` have size 1 along reduced axes.
    #[must_use]
    #[track_caller]
    pub fn fold_pullback(op: FoldOp, x: &Self, y: &Self, ct: &Self) -> Self {
        let mut out = Raw::unspecified(x.device(), *x.dims());
        x.device()
            .fold_pullback(op, x.view(), y.view(), ct.view(), out.view_mut());
        out
    }

    /// The pushforward of [`Raw::fold`] from its output.
    #[must_use]
    #[track_caller]
    pub fn fold_pushforward(op: FoldOp, x: &Self, y: &Self, t: &Self) -> Self {
        // The directional derivative is the cotangent of a one, row by row, times the tangent.
        let ones = Raw::full(y.device(), *y.dims(), T::ONE);
        let mut product = Raw::fold_pullback(op, x, y, &ones);
        product = Raw::binary(crate::device::BinaryOp::Mul, product, t.clone());
        product.sum_to(y.dims())
    }

    /// Running sums or products along `axis`.
    #[must_use]
    #[track_caller]
    pub fn scan(&self, op: ScanOp, axis: usize) -> Self {
        self.along(axis, |x, out| x.device().scan(op, x.view(), out.view_mut()))
    }

    /// The pullback of [`ScanOp::Prod`] from its output.
    #[must_use]
    #[track_caller]
    pub fn cumprod_pullback(&self, axis: usize, y: &Self, ct: &Self) -> Self {
        let (y, ct) = (y.axis_last(axis), ct.axis_last(axis));
        self.along(axis, |x, out| {
            x.device()
                .cumprod_pullback(x.view(), y.view(), ct.view(), out.view_mut());
        })
    }

    /// The pushforward of [`ScanOp::Prod`] from its output.
    #[must_use]
    #[track_caller]
    pub fn cumprod_pushforward(&self, axis: usize, y: &Self, t: &Self) -> Self {
        let (y, t) = (y.axis_last(axis), t.axis_last(axis));
        self.along(axis, |x, out| {
            x.device()
                .cumprod_pushforward(x.view(), y.view(), t.view(), out.view_mut());
        })
    }

    /// A result of the same sizes, computed with `axis` as the last one.
    #[track_caller]
    fn along(&self, axis: usize, f: impl FnOnce(&Self, &mut Self)) -> Self {
        let x = self.axis_last(axis);
        let dims: Dims = *x.dims();
        let mut out = Raw::unspecified(self.device(), dims);
        f(&x, &mut out);
        out.last_to_axis(axis)
    }
}
