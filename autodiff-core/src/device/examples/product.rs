//! Products of matrices for many examples.

use super::*;

/// `out ← beta·out + a·b`.
///
/// Where all examples share one of the two matrices, their rows, or columns, are those of one matrix if strides can say
/// so: `n` small products are one with `n` times the rows.
#[track_caller]
pub(super) fn gemm<T: Float>(
    device: &Device,
    batch: Batch,
    beta: T,
    mut a: View<'_, T, Device>,
    mut b: View<'_, T, Device>,
    mut out: ViewMut<'_, T, Device>,
) {
    out.widen(device, batch, beta != T::ZERO || !covers(&out));
    if !a.has_room(None) || !b.has_room(None) {
        for i in 0..batch.examples {
            device.gemm(beta, a.example(i), b.example(i), out.example(i));
        }
        return;
    }
    let (shared_a, shared_b) = (a.batch().is_none(), b.batch().is_none());
    let matrices = out.layout.dims().rank() == 2;
    if matrices && shared_b && !shared_a {
        let (x, mut y) = (a.all(batch, None), out.all(batch, None));
        if let (Some(from), Some(to)) = (x.layout.merge(0, 2), y.layout.merge(0, 2)) {
            y.layout = to;
            return device.gemm(beta, View { layout: from, ..x }, b, y);
        }
    }
    if matrices && shared_a && !shared_b {
        // (a·b)ᵀ = bᵀ·aᵀ
        let (mut x, mut y) = (b.all(batch, None), out.all(batch, None));
        (x.layout, y.layout) = (x.layout.transpose(1, 2), y.layout.transpose(1, 2));
        if let (Some(from), Some(to)) = (x.layout.merge(0, 2), y.layout.merge(0, 2)) {
            (x.layout, y.layout) = (from, to);
            a.layout = a.layout.transpose(0, 1);
            return device.gemm(beta, x, a, y);
        }
    }
    device.gemm(
        beta,
        a.all(batch, None),
        b.all(batch, None),
        out.all(batch, None),
    );
}

/// `out ← x·weight + bias`.
#[track_caller]
pub(super) fn affine<T: Float>(
    device: &Device,
    batch: Batch,
    mut x: View<'_, T, Device>,
    mut weight: View<'_, T, Device>,
    mut bias: View<'_, T, Device>,
    mut out: ViewMut<'_, T, Device>,
) {
    let keep = !covers(&out);
    out.widen(device, batch, keep);
    if weight.batch().is_none() && bias.batch().is_none() && !keep {
        let rows = x.all(batch, None);
        if let Some(layout) = rows.layout.merge(0, 2) {
            let mut all = out.all(batch, None);
            all.layout = all.layout.merge(0, 2).expect("all rows are dense");
            return device.affine(View { layout, ..rows }, weight, bias, all);
        }
    }
    for i in 0..batch.examples {
        let (x, weight, bias) = (x.example(i), weight.example(i), bias.example(i));
        device.affine(x, weight, bias, out.example(i));
    }
}

/// Whether a result is all of its buffer.
fn covers<T: Elem>(out: &ViewMut<'_, T, Device>) -> bool {
    out.layout.numel() == Device::len(out.buf)
}
