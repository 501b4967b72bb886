//! When and how a loop is divided among threads.
//!
//! The division never depends on the number of threads, so neither do results.

use rayon::prelude::*;

/// Work, in units of one cheap element (an addition of `f32`), below which threads cost more than
/// they save.
const CUT: usize = 1 << 18;
/// Elements of one part.
const PART: usize = 1 << 14;

/// Calls `f(start, part)` for consecutive parts of `out`; `cost` is the work for one element.
pub fn parts<U: Send>(out: &mut [U], cost: usize, f: impl Fn(usize, &mut [U]) + Sync) {
    if !worth(out.len() * cost) {
        return f(0, out);
    }
    let part = (CUT / 4 / cost).clamp(64, PART);
    out.par_chunks_mut(part)
        .enumerate()
        .for_each(|(i, c)| f(i * part, c));
}

/// Calls `f(first_row, rows)` for groups of whole rows of `width` elements each.
pub fn rows<U: Send>(out: &mut [U], width: usize, cost: usize, f: impl Fn(usize, &mut [U]) + Sync) {
    if width == 0 || out.is_empty() {
        return;
    }
    if out.len() <= width || !worth(out.len() * cost) {
        return f(0, out);
    }
    let group = (CUT / 4 / cost / width).max(1);
    out.par_chunks_mut(group * width)
        .enumerate()
        .for_each(|(i, c)| f(i * group, c));
}

/// As [`rows`], for two outputs of one element per row.
pub fn rows2<U: Send, V: Send>(
    a: &mut [U],
    b: &mut [V],
    cost: usize,
    f: impl Fn(usize, &mut [U], &mut [V]) + Sync,
) {
    if !worth(a.len() * cost) {
        return f(0, a, b);
    }
    let group = (CUT / 4 / cost).max(1);
    let both = a.par_chunks_mut(group).zip(b.par_chunks_mut(group));
    both.enumerate().for_each(|(i, (a, b))| f(i * group, a, b));
}

/// Whether work of this size is worth two threads.
#[inline]
pub fn worth(work: usize) -> bool {
    work >= CUT && rayon::current_num_threads() > 1
}
