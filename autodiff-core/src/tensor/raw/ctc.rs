//! Connectionist temporal classification of untyped tensors.

use super::Raw;
use crate::device::{Backend, Float};

impl<T: Float, D: Backend> Raw<T, D> {
    /// `−ln p` of each example. Sizes: `self` frames × examples × classes, `labels` examples × places, `lengths` 2 ×
    /// examples.
    #[must_use]
    #[track_caller]
    pub fn ctc(&self, blank: usize, labels: &Raw<i64, D>, lengths: &Raw<i64, D>) -> Self {
        let x = self.transpose(0, 1).contiguous();
        let [labels, lengths] = [labels, lengths].map(|i| i.clone().contiguous());
        let mut out = Raw::unspecified(self.device(), [x.dims()[0]]);
        self.device().ctc(
            blank,
            x.view(),
            labels.view(),
            lengths.view(),
            out.view_mut(),
        );
        out
    }

    /// The cotangent of `self`, from those of the results of [`Raw::ctc`].
    #[must_use]
    #[track_caller]
    pub fn ctc_pullback(
        &self,
        blank: usize,
        labels: &Raw<i64, D>,
        lengths: &Raw<i64, D>,
        ct: &Self,
    ) -> Self {
        let x = self.transpose(0, 1).contiguous();
        let [labels, lengths] = [labels, lengths].map(|i| i.clone().contiguous());
        let ct = ct.clone().contiguous();
        let mut out = Raw::unspecified(self.device(), *x.dims());
        let (l, n) = (labels.view(), lengths.view());
        self.device()
            .ctc_pullback(blank, x.view(), l, n, ct.view(), out.view_mut());
        out.transpose(0, 1)
    }
}
