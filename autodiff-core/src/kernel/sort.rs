//! Sorting along the last axis.
//!
//! A NaN counts as the largest value, as with `argmax`: last in ascending order, first in
//! descending. Equal elements keep their order in both, so the order is total and the result does
//! not depend on the algorithm.

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
