//! When and how a loop is divided among threads.
//!
//! The division never depends on the number of threads, so neither do results.
//!
//! What speaks to rayon (`times`, `both`) is compiled once, for all kernels: rayon's own loops are code of
//! some two thousand lines for each closure and element type, which once were a third of what a program with
//! second derivatives of tensors compiled.

use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Work, in units of one cheap element (an addition of `f32`), below which threads cost more than
/// they save.
const CUT: usize = 1 << 18;
/// Elements of one part.
const PART: usize = 1 << 14;

/// How many elements of a cost are a quarter of the work that pays for threads.
fn share(cost: usize) -> usize {
    CUT / 4 / cost.max(1)
}

/// Calls `f(start, part)` for consecutive parts of `out`; `cost` is the work for one element.
pub fn parts<U: Send>(out: &mut [U], cost: usize, f: impl Fn(usize, &mut [U]) + Sync) {
    divide(out, share(cost).clamp(64, PART), cost, &f);
}

/// Calls `f(first_row, rows)` for groups of whole rows of `width` elements each.
pub fn rows<U: Send>(out: &mut [U], width: usize, cost: usize, f: impl Fn(usize, &mut [U]) + Sync) {
    if width == 0 || out.is_empty() {
        return;
    }
    let group = (share(cost) / width).max(1);
    divide(out, group * width, cost, &|start, rows: &mut [U]| {
        f(start / width, rows)
    });
}

/// Calls `f(start, part)` for parts of a size, or once for all where that is not worth two threads.
///
/// Compiled once for each type of element, not for each `f`.
#[inline(never)]
fn divide<U: Send>(out: &mut [U], part: usize, cost: usize, f: &(dyn Fn(usize, &mut [U]) + Sync)) {
    if out.len() <= part || !worth(out.len() * cost) {
        return f(0, out);
    }
    each(out.chunks_mut(part).enumerate(), |(i, c)| f(i * part, c));
}

/// As [`rows`], for two outputs of one element per row.
pub fn rows2<U: Send, V: Send>(
    a: &mut [U],
    b: &mut [V],
    cost: usize,
    f: impl Fn(usize, &mut [U], &mut [V]) + Sync,
) {
    divide2(a, b, cost, &f);
}

/// Takes where two parts begin, and the parts.
type OnParts<'a, U, V> = dyn Fn(usize, &mut [U], &mut [V]) + Sync + 'a;

#[inline(never)]
fn divide2<U: Send, V: Send>(a: &mut [U], b: &mut [V], cost: usize, f: &OnParts<U, V>) {
    if !worth(a.len() * cost) {
        return f(0, a, b);
    }
    let group = share(cost).max(1);
    let both = a.chunks_mut(group).zip(b.chunks_mut(group));
    each(both.enumerate(), |(i, (a, b))| f(i * group, a, b));
}

/// Calls `f` with each of the items, on all threads. Each is to be worth a thread's while: a thread takes the
/// next item from behind a lock.
pub fn each<X: Send>(items: impl ExactSizeIterator<Item = X> + Send, f: impl Fn(X) + Sync) {
    let count = items.len();
    let items = Mutex::new(items);
    times(count, &|| {
        let next = items.lock().unwrap_or_else(PoisonError::into_inner).next();
        if let Some(item) = next {
            f(item);
        }
    });
}

/// Calls `f` `count` times, on all threads.
#[inline(never)]
fn times(count: usize, f: &(dyn Fn() + Sync)) {
    (0..count).into_par_iter().for_each(|_| f());
}

/// Calls both, perhaps at the same time.
#[inline(never)]
pub fn both(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    rayon::join(a, b);
}

/// Whether work of this size is worth two threads.
#[inline]
pub fn worth(work: usize) -> bool {
    work >= CUT && rayon::current_num_threads() > 1
}
