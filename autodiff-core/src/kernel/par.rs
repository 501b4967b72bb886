//! When and how a loop is divided among threads.
//!
//! The division never depends on the number of threads, so neither do results.

use rayon::prelude::*;

/// Work, in units of one cheap element (an addition of `f32`), below which threads cost more than
/// they save.
const CUT: usize = 1 << 17;
/// Elements of one part.
const PART: usize = 1 << 14;

/// Calls `f(start, part)` for consecutive parts of `out`; `cost` is the work for one element.
#[inline]
pub fn parts<U: Send>(out: &mut [U], cost: usize, f: impl Fn(usize, &mut [U]) + Sync) {
    if out.len() * cost < CUT || rayon::current_num_threads() == 1 {
        return f(0, out);
    }
    let part = (CUT / 4 / cost).clamp(64, PART);
    out.par_chunks_mut(part)
        .enumerate()
        .for_each(|(i, c)| f(i * part, c));
}

/// Calls `f(first_row, rows)` for groups of whole rows of `width` elements each.
#[inline]
pub fn rows<U: Send>(out: &mut [U], width: usize, cost: usize, f: impl Fn(usize, &mut [U]) + Sync) {
    if width == 0 || out.is_empty() {
        return;
    }
    if out.len() * cost < CUT || out.len() <= width || rayon::current_num_threads() == 1 {
        return f(0, out);
    }
    let group = (CUT / 4 / cost / width).max(1);
    out.par_chunks_mut(group * width)
        .enumerate()
        .for_each(|(i, c)| f(i * group, c));
}

/// Whether work of this size is worth two threads.
#[inline]
pub fn worth(work: usize) -> bool {
    work >= CUT && rayon::current_num_threads() > 1
}
