//! Images: convolutions, pooling, other sizes.

use super::*;

pub(super) fn conv<T: Float>(
    shape: &ConvShape,
    x: View<'_, T, Cpu>,
    w: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::conv(shape, flat(x), flat(w), dense(out).0);
}

pub(super) fn conv_input<T: Float>(
    shape: &ConvShape,
    w: View<'_, T, Cpu>,
    ct: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::conv_input(shape, flat(w), flat(ct), dense(out).0);
}

pub(super) fn conv_weight<T: Float>(
    shape: &ConvShape,
    x: View<'_, T, Cpu>,
    ct: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::conv_weight(shape, flat(x), flat(ct), dense(out).0);
}

pub(super) fn unfold_windows<T: Float>(
    shape: &ConvShape,
    x: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::unfold_windows(shape, flat(x), dense(out).0);
}

pub(super) fn fold_windows<T: Float>(
    shape: &ConvShape,
    matrix: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::fold_windows(shape, flat(matrix), dense(out).0);
}

pub(super) fn pool<T: Float>(
    op: PoolOp,
    shape: &PoolShape,
    x: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::pool(op, shape, flat(x), dense(out).0);
}

pub(super) fn pool_pullback<T: Float>(
    op: PoolOp,
    shape: &PoolShape,
    x: View<'_, T, Cpu>,
    ct: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::pool_pullback(op, shape, flat(x), flat(ct), dense(out).0);
}

pub(super) fn pool_pushforward<T: Float>(
    shape: &PoolShape,
    x: View<'_, T, Cpu>,
    t: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::pool_pushforward(shape, flat(x), flat(t), dense(out).0);
}

pub(super) fn resample<T: Float>(shape: &Resample, x: View<'_, T, Cpu>, out: ViewMut<'_, T, Cpu>) {
    T::resample(shape, flat(x), dense(out).0);
}

pub(super) fn resample_pullback<T: Float>(
    shape: &Resample,
    ct: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::resample_pullback(shape, flat(ct), dense(out).0);
}
