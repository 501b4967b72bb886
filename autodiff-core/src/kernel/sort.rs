//! Sorting along the last axis.
//!
//! A NaN counts as the largest value, as with `argmax`: last in ascending order, first in
//! descending. Equal elements keep their order in both, so the order is total and the result does
//! not depend on the algorithm.

use super::nest::Nest;
use super::par;
use super::rows::Rows;
use crate::device::{Elem, Layout, SortOrder};
use core::cmp::Ordering;

/// The order of values alone.
#[inline(always)]
fn ascending<T: Elem>(a: T, b: T) -> Ordering {
    // Only NaN is not comparable; it is unequal to itself.
    #[allow(clippy::eq_op)]
    a.partial_cmp(&b).unwrap_or_else(|| (a != a).cmp(&(b != b)))
}

/// The positions of the first elements of each row in order, as many as a row of `out` holds.
pub fn argsort<T: Elem>(order: SortOrder, out: &mut [i64], x: (&[T], Layout), keep: usize) {
    if out.is_empty() {
        return;
    }
    let rows = Rows::new(x.0, x.1);
    let w = rows.width;
    // About the comparisons of one element.
    let cost = 8 * (w.max(2).ilog2() as usize) * w.div_ceil(keep);
    par::rows(out, keep, cost, |first, part| {
        // Values travel with their positions: comparing then reads neighbours.
        let mut pairs: Vec<(T, u32)> = Vec::new();
        rows.each(first, part.len() / keep, |row, x| {
            let o = &mut part[(row - first) * keep..][..keep];
            pairs.clear();
            pairs.extend(x.iter().zip(0..).map(|(&x, i)| (x, i)));
            let cmp = |a: &(T, u32), b: &(T, u32)| {
                let values = match order {
                    SortOrder::Ascending => ascending(a.0, b.0),
                    SortOrder::Descending => ascending(b.0, a.0),
                };
                values.then(a.1.cmp(&b.1))
            };
            if keep < w {
                pairs.select_nth_unstable_by(keep, cmp);
                pairs.truncate(keep);
            }
            pairs.sort_unstable_by(cmp);
            for (o, &(_, i)) in o.iter_mut().zip(&pairs) {
                *o = i64::from(i);
            }
        });
    });
}

/// `out[.., k] ← x[.., index[.., k]]`
pub fn take<T: Elem>(out: &mut [T], x: (&[T], Layout), index: (&[i64], Layout)) {
    if out.is_empty() {
        return;
    }
    let last = x.1.dims().rank() - 1;
    let (heads, positions) = (x.1.slice(last, 0, 1), index.1.slice(last, 0, 1));
    let (step, stride) = (x.1.strides()[last], index.1.strides()[last]);
    let keep = index.1.dims()[last];
    let nest = Nest::new(heads.dims(), [&heads, &positions]);
    par::rows(out, keep, 2, |first, part| {
        let count = part.len() / keep;
        nest.runs(first, first + count, 1, |row, [at, from], _| {
            let o = &mut part[(row - first) * keep..][..keep];
            for (k, o) in o.iter_mut().enumerate() {
                *o = x.0[at + index.0[from + k * stride] as usize * step];
            }
        });
    });
}

/// `out[.., index[.., k]] ← x[.., k]`, the other elements 0. No index occurs twice in a row.
pub fn put<T: Elem>(out: &mut [T], width: usize, x: (&[T], Layout), index: (&[i64], Layout)) {
    out.fill(T::default());
    if out.is_empty() {
        return;
    }
    let last = x.1.dims().rank() - 1;
    let keep = x.1.dims()[last];
    if keep == 0 {
        return;
    }
    let (heads, positions) = (x.1.slice(last, 0, 1), index.1.slice(last, 0, 1));
    let (step, stride) = (x.1.strides()[last], index.1.strides()[last]);
    let nest = Nest::new(heads.dims(), [&heads, &positions]);
    par::rows(out, width, 2, |first, part| {
        let count = part.len() / width;
        nest.runs(first, first + count, 1, |row, [at, from], _| {
            let o = &mut part[(row - first) * width..][..width];
            for k in 0..keep {
                o[index.0[from + k * stride] as usize] = x.0[at + k * step];
            }
        });
    });
}
