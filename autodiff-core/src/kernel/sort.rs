//! Sorting along the last axis.
//!
//! A NaN counts as the largest value, as with `argmax`: last in ascending order, first in
//! descending. Equal elements keep their order in both, so the order is total and the result does
//! not depend on the algorithm. What is sorted are integers in the order of the values, each with the
//! position of its value below it.

use super::par;
use super::rows::Rows;
use crate::device::{Elem, Layout, SortOrder};

/// An integer in the order of the bits of a float: negative numbers reversed, below the others.
fn key32(x: f32) -> u32 {
    if x.is_nan() {
        return u32::MAX;
    }
    // −0 and 0 are equal.
    let bits = (x + 0.0).to_bits();
    bits ^ (((bits as i32 >> 31) as u32) | 1 << 31)
}

fn key64(x: f64) -> u64 {
    if x.is_nan() {
        return u64::MAX;
    }
    let bits = (x + 0.0).to_bits();
    bits ^ (((bits as i64 >> 63) as u64) | 1 << 63)
}

/// The positions of the first elements of each row in order, as many as a row of `out` holds.
pub fn argsort<T: Elem>(order: SortOrder, out: &mut [i64], x: (&[T], Layout), keep: usize) {
    let narrow = size_of::<T>() <= 4 && !T::INTEGER;
    if narrow {
        sort(out, x, keep, |x, i| {
            let key = key32(x.to_f64() as f32);
            let key = if order == SortOrder::Descending {
                !key
            } else {
                key
            };
            u64::from(key) << 32 | u64::from(i)
        });
    } else {
        sort(out, x, keep, |x, i| {
            let key = if T::INTEGER {
                x.to_i64() as u64 ^ 1 << 63
            } else {
                key64(x.to_f64())
            };
            let key = if order == SortOrder::Descending {
                !key
            } else {
                key
            };
            u128::from(key) << 32 | u128::from(i)
        });
    }
}

/// Sorts `item(element, position)`, whose last 32 bits are the position.
fn sort<T: Elem, K: Ord + Copy + Position>(
    out: &mut [i64],
    x: (&[T], Layout),
    keep: usize,
    item: impl Fn(T, u32) -> K + Sync,
) {
    if out.is_empty() {
        return;
    }
    let rows = Rows::new(x.0, x.1);
    let w = rows.width;
    assert!(u32::try_from(w).is_ok(), "at most 2³² elements are sorted");
    // About the comparisons of one element.
    let cost = 8 * (w.max(2).ilog2() as usize) * w.div_ceil(keep);
    par::rows(out, keep, cost, |first, part| {
        let mut items: Vec<K> = Vec::with_capacity(w);
        rows.each(first, part.len() / keep, |row, x| {
            let o = &mut part[(row - first) * keep..][..keep];
            items.clear();
            items.extend(x.iter().zip(0..).map(|(&x, i)| item(x, i)));
            if keep < w {
                items.select_nth_unstable(keep);
                items.truncate(keep);
            }
            items.sort_unstable();
            for (o, i) in o.iter_mut().zip(&items) {
                *o = i64::from(i.position());
            }
        });
    });
}

/// The position in the last 32 bits.
trait Position: Send {
    fn position(self) -> u32;
}

impl Position for u64 {
    fn position(self) -> u32 {
        self as u32
    }
}

impl Position for u128 {
    fn position(self) -> u32 {
        self as u32
    }
}
