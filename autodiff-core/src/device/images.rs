//! The seam for images: convolutions, pooling, other sizes.

use super::backend::declare_backend;
use super::*;

/// The methods of [`Images`], as [`methods_of_backend`](super::backend).
macro_rules! methods_of_images {
    ($then:ident [$($with:tt)*]) => { $then! { [$($with)*]
    on_host {
        /// A convolution, `out[n, o] ← Σ w[o, c] ⋆ x[n, c]` over the channels `c` of the group of `o`. All
        /// operands are dense: images, channels, then the axes of the windows; `w` has the axes of the
        /// window.
        fn conv[T: Float](shape: &ConvShape; x: View<'_, T, Self>, w: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
        /// The cotangent of the input of [`conv`](Images::conv), which is also the transposed convolution.
        fn conv_input[T: Float](
            shape: &ConvShape; w: View<'_, T, Self>, ct: View<'_, T, Self>, out: ViewMut<'_, T, Self>
        );
        /// The cotangent of the weights of [`conv`](Images::conv).
        fn conv_weight[T: Float](
            shape: &ConvShape; x: View<'_, T, Self>, ct: View<'_, T, Self>, out: ViewMut<'_, T, Self>
        );
        /// Each window of each image as a column: images, channels times entries of a window, windows.
        fn unfold_windows[T: Float](shape: &ConvShape; x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
        /// The transpose of [`unfold_windows`](Images::unfold_windows): entries that lie in several windows are summed.
        fn fold_windows[T: Float](shape: &ConvShape; matrix: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
        /// Pooling. All operands are dense: rows, then the axes of the windows.
        fn pool[T: Float](op: PoolOp, shape: &PoolShape; x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
        /// The cotangent of the input of [`pool`](Images::pool).
        fn pool_pullback[T: Float](
            op: PoolOp, shape: &PoolShape; x: View<'_, T, Self>, ct: View<'_, T, Self>, out: ViewMut<'_, T, Self>
        );
        /// The tangent of the output of [`pool`](Images::pool) with [`PoolOp::Max`].
        fn pool_pushforward[T: Float](
            shape: &PoolShape; x: View<'_, T, Self>, t: View<'_, T, Self>, out: ViewMut<'_, T, Self>
        );
        /// Images brought to another size. All operands are dense: images, height, width.
        fn resample[T: Float](shape: &Resample; x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
        /// The cotangent of the input of [`resample`](Images::resample).
        fn resample_pullback[T: Float](shape: &Resample; ct: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
    }
    } };
}
pub(crate) use methods_of_images;

methods_of_images!(declare_backend [
    /// A device that computes on images, with one to three axes behind the channels. All operands are dense.
    trait Images: [Backend] {}
]);
