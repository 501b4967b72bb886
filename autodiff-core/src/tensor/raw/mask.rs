//! Operations on untyped masks.

use super::Raw;
use crate::device::{Backend, CompareOp, Dims, Float, Operand, draws};

impl<D: Backend> Raw<bool, D> {
    /// `self ∧ other`, broadcast to the joint sizes.
    #[must_use]
    #[track_caller]
    pub fn and(&self, other: &Self) -> Self {
        Raw::select(self, other, self)
    }

    /// `self ∨ other`, broadcast to the joint sizes.
    #[must_use]
    #[track_caller]
    pub fn or(&self, other: &Self) -> Self {
        Raw::select(self, self, other)
    }

    /// `¬ self`.
    #[must_use]
    #[track_caller]
    pub fn not(&self) -> Self {
        let mut out = Raw::unspecified(self.device(), *self.dims());
        let (no, yes) = (Operand::Scalar(false), Operand::Scalar(true));
        self.device().select(self.view(), no, yes, out.view_mut());
        out
    }

    /// The number of `true` along `axis`, which is removed.
    #[must_use]
    #[track_caller]
    pub fn count_axis(&self, axis: usize) -> Raw<i64, D> {
        let kept = self.dims().remove(axis);
        let x = self.axis_last(axis);
        let mut out = Raw::unspecified(self.device(), x.dims().with(kept.rank(), 1));
        self.device().count(x.view(), out.view_mut());
        out.into_reshaped(kept)
    }

    /// The number of `true` along several axes in ascending order, which are removed.
    #[must_use]
    #[track_caller]
    pub fn count_axes(&self, axes: &[usize]) -> Raw<i64, D> {
        let rank = self.dims().rank();
        let kept: Vec<usize> = (0..rank).filter(|i| !axes.contains(i)).collect();
        let order: Vec<usize> = kept.iter().chain(axes).copied().collect();
        let mut dims: Vec<usize> = kept.iter().map(|&i| self.dims()[i]).collect();
        dims.push(axes.iter().map(|&i| self.dims()[i]).product());
        let flat = self.permute(&order).reshape(Dims::new(&dims));
        flat.count_axis(kept.len())
    }

    /// The number of `true`.
    #[must_use]
    #[track_caller]
    pub fn count_all(&self) -> Raw<i64, D> {
        self.reshape([self.numel()]).count_axis(0)
    }
}

impl<D: Backend> Raw<i64, D> {
    /// Where a number is `value`.
    #[must_use]
    #[track_caller]
    pub fn equals(&self, op: CompareOp, value: usize) -> Raw<bool, D> {
        Raw::compare(op, self, &Raw::scalar(self.device(), value as i64))
    }
}

impl<T: Float, D: Backend> Raw<T, D> {
    /// The entries that a random mask drops become 0, the others are divided by `1 − p`.
    #[must_use]
    #[track_caller]
    pub fn dropout(self, p: f64, seed: u64) -> Self {
        let mut x = self.contiguous();
        let device = x.device().clone();
        let seed = draws::seed(seed);
        if x.is_reusable() {
            device.dropout(p, seed, Operand::Output, x.view_mut());
            return x;
        }
        let mut out = Raw::unspecified(&device, *x.dims());
        device.dropout(p, seed, x.operand(), out.view_mut());
        out
    }

    /// `if mask { 0 } else { self }` summed to `dims`, and the other way round.
    #[must_use]
    #[track_caller]
    pub(crate) fn sides(
        &self,
        mask: &Raw<bool, D>,
        yes: Option<&Dims>,
        no: Option<&Dims>,
    ) -> [Option<Self>; 2] {
        let zero = Operand::Scalar(T::ZERO);
        let pick = |a, b| {
            let mut out = Raw::unspecified(self.device(), *self.dims());
            self.device().select(mask.view(), a, b, out.view_mut());
            out
        };
        [
            yes.map(|dims| pick(self.operand(), zero).sum_to(dims)),
            no.map(|dims| pick(zero, self.operand()).sum_to(dims)),
        ]
    }
}
