//! Running sums and products along the last axis.
//!
//! With `y = cumprod(x)`, the pushforward is `ṫᵢ = ṫᵢ₋₁ xᵢ + yᵢ₋₁ tᵢ`, which divides by nothing. Nor does the
//! pullback, `yⱼ₋₁ sⱼ` with `sⱼ = ctⱼ + xⱼ₊₁ sⱼ₊₁`: zeros are numbers like others.

use super::par;
use super::rows::Rows;
use crate::device::{Float, Layout, ScanOp};

/// Calls `f(out row, rows of the inputs)` for each row.
fn rows<T: Float, const K: usize>(
    out: &mut [T],
    inputs: [(&[T], Layout); K],
    f: impl Fn(&mut [T], [&[T]; K]) + Sync,
) {
    if out.is_empty() {
        return;
    }
    let inputs = inputs.map(|(data, layout)| Rows::new(data, layout));
    let w = inputs[0].width;
    par::rows(out, w, 2, |first, part| {
        // Rows whose elements are no neighbours are copied.
        let mut copies = [const { Vec::new() }; K];
        let dense = inputs.each_ref().map(Rows::dense);
        for (i, o) in part.chunks_mut(w).enumerate() {
            for (k, copy) in copies.iter_mut().enumerate() {
                if dense[k].is_none() {
                    inputs[k].each(first + i, 1, |_, row| {
                        copy.clear();
                        copy.extend_from_slice(row);
                    });
                }
            }
            let row = |k: usize| match dense[k] {
                Some(all) => &all[(first + i) * w..][..w],
                None => &copies[k][..],
            };
            f(o, core::array::from_fn(row));
        }
    });
}

/// Scans each row.
pub fn apply<T: Float>(op: ScanOp, out: &mut [T], x: (&[T], Layout)) {
    rows(out, [x], |o, [x]| match op {
        ScanOp::Sum => {
            let mut sum = T::ZERO;
            for (o, &x) in o.iter_mut().zip(x) {
                sum = sum + x;
                *o = sum;
            }
        }
        ScanOp::SumFromEnd => {
            let mut sum = T::ZERO;
            for (o, &x) in o.iter_mut().zip(x).rev() {
                sum = sum + x;
                *o = sum;
            }
        }
        ScanOp::Prod => {
            let mut product = T::ONE;
            for (o, &x) in o.iter_mut().zip(x) {
                product = product * x;
                *o = product;
            }
        }
    });
}

/// The pullback of [`ScanOp::Prod`].
pub fn cumprod_pullback<T: Float>(
    out: &mut [T],
    x: (&[T], Layout),
    y: (&[T], Layout),
    ct: (&[T], Layout),
) {
    rows(out, [x, y, ct], |o, [x, y, ct]| {
        let mut sum = T::ZERO;
        for j in (0..x.len()).rev() {
            let before = if j > 0 { y[j - 1] } else { T::ONE };
            sum = ct[j] + sum;
            // Behind a zero the sum may have overflowed.
            let is_zero = before == T::ZERO && sum.abs() == T::INFINITY;
            o[j] = if is_zero { T::ZERO } else { before * sum };
            sum = sum * x[j];
        }
    });
}

/// The pushforward of [`ScanOp::Prod`].
pub fn cumprod_pushforward<T: Float>(
    out: &mut [T],
    x: (&[T], Layout),
    y: (&[T], Layout),
    t: (&[T], Layout),
) {
    rows(out, [x, y, t], |o, [x, y, t]| {
        let (mut tangent, mut before) = (T::ZERO, T::ONE);
        for i in 0..x.len() {
            tangent = tangent * x[i] + before * t[i];
            before = y[i];
            o[i] = tangent;
        }
    });
}
