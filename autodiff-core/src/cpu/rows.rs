//! Operations on rows: softmax, cross-entropy and norms.

use super::*;

pub(super) fn softmax<T: Float>(op: SoftmaxOp, x: View<'_, T, Cpu>, out: ViewMut<'_, T, Cpu>) {
    T::softmax(op, dense(out).0, x.buf, x.layout);
}

pub(super) fn softmax_pullback<T: Float>(
    op: SoftmaxOp,
    y: View<'_, T, Cpu>,
    ct: View<'_, T, Cpu>,
    write: Write,
    out: ViewMut<'_, T, Cpu>,
) {
    T::softmax_pullback(op, dense(out).0, pair(y), pair(ct), write);
}

#[track_caller]
pub(super) fn cross_entropy<T: Float, I: Index>(
    x: View<'_, T, Cpu>,
    targets: View<'_, I, Cpu>,
    lse: ViewMut<'_, T, Cpu>,
    loss: ViewMut<'_, T, Cpu>,
) -> Result<(), IndexError> {
    let classes = x.layout.dims()[1];
    let targets = picked("cross_entropy", targets, classes)?;
    T::cross_entropy(pair(x), &targets, dense(lse).0, &mut dense(loss).0[0]);
    Ok(())
}

#[track_caller]
pub(super) fn cross_entropy_pullback<T: Float, I: Index>(
    x: View<'_, T, Cpu>,
    targets: View<'_, I, Cpu>,
    lse: View<'_, T, Cpu>,
    ct: View<'_, T, Cpu>,
    write: Write,
    out: ViewMut<'_, T, Cpu>,
) {
    let classes = x.layout.dims()[1];
    let targets = match picked("cross_entropy", targets, classes) {
        Ok(targets) => targets,
        Err(e) => panic!("{e}"),
    };
    T::cross_entropy_pullback(
        dense(out).0,
        pair(x),
        &targets,
        pair(lse),
        flat(ct)[0],
        write,
    );
}

pub(super) fn norm<T: Float>(
    shape: &NormShape,
    x: View<'_, T, Cpu>,
    scale: View<'_, T, Cpu>,
    shift: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
    stats: ViewMut<'_, T, Cpu>,
) {
    let (out, stats) = (dense(out).0, dense(stats).0);
    T::norm(shape, flat(x), flat(scale), flat(shift), out, stats);
}

#[allow(clippy::too_many_arguments, reason = "as the method of the seam")]
pub(super) fn norm_pullback<T: Float>(
    shape: &NormShape,
    x: View<'_, T, Cpu>,
    stats: View<'_, T, Cpu>,
    scale: View<'_, T, Cpu>,
    ct: View<'_, T, Cpu>,
    d_x: ViewMut<'_, T, Cpu>,
    d_scale: ViewMut<'_, T, Cpu>,
    d_shift: ViewMut<'_, T, Cpu>,
) {
    T::norm_pullback(
        shape,
        flat(x),
        flat(stats),
        flat(scale),
        flat(ct),
        dense(d_x).0,
        dense(d_scale).0,
        dense(d_shift).0,
    );
}

pub(super) fn norm_pushforward<T: Float>(
    shape: &NormShape,
    x: View<'_, T, Cpu>,
    stats: View<'_, T, Cpu>,
    t: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::norm_pushforward(shape, flat(x), flat(stats), flat(t), dense(out).0);
}

pub(super) fn channel_affine<T: Float>(
    sizes: [usize; 3],
    x: View<'_, T, Cpu>,
    centre: View<'_, T, Cpu>,
    scale: View<'_, T, Cpu>,
    shift: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    let of_channels = [flat(centre), flat(scale), flat(shift)];
    T::channel_affine(sizes, flat(x), of_channels, dense(out).0);
}

pub(super) fn channel_moments<T: Float>(
    sizes: [usize; 3],
    x: View<'_, T, Cpu>,
    centre: View<'_, T, Cpu>,
    ct: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::channel_moments(sizes, flat(x), flat(centre), flat(ct), dense(out).0);
}
