//! The seam for images: convolutions, pooling, other sizes.

use super::cpu::{dense, flat};
use super::*;

/// A device that computes on images, with one to three axes behind the channels. All operands are dense.
pub trait Images: Device {
    /// A convolution, `out[n, o] ← Σ w[o, c] ⋆ x[n, c]` over the channels `c` of the group of `o`. All
    /// operands are dense: images, channels, then the axes of the windows; `w` has the axes of the
    /// window.
    fn conv<T: Float>(
        &self,
        shape: &ConvShape,
        x: View<'_, T, Self>,
        w: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// The cotangent of the input of [`conv`](Images::conv), which is also the transposed convolution.
    fn conv_input<T: Float>(
        &self,
        shape: &ConvShape,
        w: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// The cotangent of the weights of [`conv`](Images::conv).
    fn conv_weight<T: Float>(
        &self,
        shape: &ConvShape,
        x: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// Each window of each image as a column: images, channels times entries of a window, windows.
    fn unfold_windows<T: Float>(
        &self,
        shape: &ConvShape,
        x: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// The transpose of [`unfold_windows`](Images::unfold_windows): entries that lie in several windows are summed.
    fn fold_windows<T: Float>(
        &self,
        shape: &ConvShape,
        matrix: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// Pooling. All operands are dense: rows, then the axes of the windows.
    fn pool<T: Float>(
        &self,
        op: PoolOp,
        shape: &PoolShape,
        x: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// The cotangent of the input of [`pool`](Images::pool).
    fn pool_pullback<T: Float>(
        &self,
        op: PoolOp,
        shape: &PoolShape,
        x: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// The tangent of the output of [`pool`](Images::pool) with [`PoolOp::Max`].
    fn pool_pushforward<T: Float>(
        &self,
        shape: &PoolShape,
        x: View<'_, T, Self>,
        t: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// Images brought to another size. All operands are dense: images, height, width.
    fn resample<T: Float>(&self, shape: &Resample, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
    /// The cotangent of the input of [`resample`](Images::resample).
    fn resample_pullback<T: Float>(
        &self,
        shape: &Resample,
        ct: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
}

impl Images for Cpu {
    fn conv<T: Float>(
        &self,
        shape: &ConvShape,
        x: View<'_, T, Self>,
        w: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::conv(shape, flat(x), flat(w), dense(out).0);
    }
    fn conv_input<T: Float>(
        &self,
        shape: &ConvShape,
        w: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::conv_input(shape, flat(w), flat(ct), dense(out).0);
    }
    fn conv_weight<T: Float>(
        &self,
        shape: &ConvShape,
        x: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::conv_weight(shape, flat(x), flat(ct), dense(out).0);
    }
    fn unfold_windows<T: Float>(
        &self,
        shape: &ConvShape,
        x: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::unfold_windows(shape, flat(x), dense(out).0);
    }
    fn fold_windows<T: Float>(
        &self,
        shape: &ConvShape,
        matrix: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::fold_windows(shape, flat(matrix), dense(out).0);
    }
    fn pool<T: Float>(
        &self,
        op: PoolOp,
        shape: &PoolShape,
        x: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::pool(op, shape, flat(x), dense(out).0);
    }
    fn pool_pullback<T: Float>(
        &self,
        op: PoolOp,
        shape: &PoolShape,
        x: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::pool_pullback(op, shape, flat(x), flat(ct), dense(out).0);
    }
    fn pool_pushforward<T: Float>(
        &self,
        shape: &PoolShape,
        x: View<'_, T, Self>,
        t: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::pool_pushforward(shape, flat(x), flat(t), dense(out).0);
    }
    fn resample<T: Float>(
        &self,
        shape: &Resample,
        x: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::resample(shape, flat(x), dense(out).0);
    }
    fn resample_pullback<T: Float>(
        &self,
        shape: &Resample,
        ct: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::resample_pullback(shape, flat(ct), dense(out).0);
    }
}
