//! Rows picked by number, and the reverse: rows added where a number says.

use super::map::{Arg, map1};
use super::nest::Nest;
use crate::device::{Dims, Elem, Float, Index, IndexError, Layout};

/// The indices as positions below `len`, in row-major order; or with the first that is none, what there is of them: the
/// others are beyond `len`.
pub fn positions<I: Index>(
    index: &[I],
    layout: Layout,
    len: usize,
) -> Result<Vec<usize>, (IndexError, Vec<usize>)> {
    let mut out = Vec::with_capacity(layout.numel());
    let nest = Nest::new(layout.dims(), [&layout]);
    let step = nest.inner_stride(0);
    // What is not a position becomes one past the largest; the search for it comes after.
    let position = |i: &I| i.position().unwrap_or(usize::MAX);
    nest.runs(0, layout.numel(), usize::MAX, |_, [at], n| {
        if step == 1 {
            out.extend(index[at..at + n].iter().map(position));
        } else {
            out.extend((0..n).map(|k| position(&index[at + k * step])));
        }
    });
    if out.iter().all(|&p| p < len) {
        return Ok(out);
    }
    let wrong = out.iter().position(|&p| p >= len).unwrap_or_default();
    let mut found = 0;
    nest.runs(wrong, wrong + 1, 1, |_, [at], _| found = index[at].to_i64());
    let error = IndexError {
        position: wrong,
        found,
        len,
    };
    Err((error, out))
}

/// The sizes and layout of one row.
fn row_of(layout: Layout) -> (Dims, Layout, usize) {
    let step = layout.strides()[0];
    if layout.dims()[0] == 0 {
        let dims = layout.dims().remove(0);
        return (dims, Layout::dense(dims), step);
    }
    let row = layout.slice(0, 0, 1).squeeze(0);
    (*row.dims(), row, step)
}

/// `out[i, ..] ← x[picks[i], ..]`
pub fn gather<T: Elem>(out: &mut [T], x: (&[T], Layout), picks: &[usize]) {
    let (dims, row, step) = row_of(x.1);
    let width = dims.numel();
    if width == 0 {
        return;
    }
    for (o, &p) in out.chunks_mut(width).zip(picks) {
        let shifted = &x.0[p * step..];
        if row.is_contiguous() {
            o.copy_from_slice(&shifted[row.offset()..][..width]);
        } else {
            map1(o, &dims, Arg::View(shifted, row), 1, |_, x| x);
        }
    }
}

/// `out[picks[i], ..] += x[i, ..]`, in the order of `i`
pub fn scatter_add<T: Float>(out: &mut [T], x: (&[T], Layout), picks: &[usize]) {
    let (dims, row, step) = row_of(x.1);
    let width = dims.numel();
    if width == 0 {
        return;
    }
    for (i, &p) in picks.iter().enumerate() {
        let o = &mut out[p * width..][..width];
        map1(o, &dims, Arg::View(&x.0[i * step..], row), 1, |o, x| o + x);
    }
}
