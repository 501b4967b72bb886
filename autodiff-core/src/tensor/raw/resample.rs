//! Images of another size, untyped.

use super::Raw;
use crate::device::{Dims, Float, Images, Interpolation, Resample};

/// The resampling of the last `axes` axes, one or two, from the sizes `x` to `y`.
#[track_caller]
fn resampling(by: Interpolation, x: &Dims, y: &Dims, axes: usize) -> Resample {
    let rank = x.rank();
    let last = |d: &Dims| [if axes == 2 { d[rank - 2] } else { 1 }, d[rank - 1]];
    Resample {
        by,
        images: x[..rank - axes].iter().product(),
        input: last(x),
        output: last(y),
    }
}

impl<T: Float, D: Images> Raw<T, D> {
    /// The last `axes` axes, one or two, brought to the sizes `to`.
    #[must_use]
    #[track_caller]
    pub fn resample(&self, by: Interpolation, to: Dims, axes: usize) -> Self {
        let mut out = Raw::unspecified(self.device(), to);
        let x = self.clone().contiguous();
        let shape = resampling(by, self.dims(), &to, axes);
        self.device().resample(&shape, x.view(), out.view_mut());
        out
    }

    /// The cotangent of the input of [`Raw::resample`], which has the sizes `x`, from that of its output.
    #[must_use]
    #[track_caller]
    pub fn resample_pullback(&self, by: Interpolation, x: Dims, axes: usize) -> Self {
        let mut out = Raw::unspecified(self.device(), x);
        let ct = self.clone().contiguous();
        let shape = resampling(by, &x, self.dims(), axes);
        self.device()
            .resample_pullback(&shape, ct.view(), out.view_mut());
        out
    }
}
