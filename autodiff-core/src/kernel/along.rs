//! Entries picked along an axis by number, and the reverse.
//!
//! A dense tensor is seen as `outer × n × inner`, where `n` is the size of the axis. Picks of a whole
//! axis ([`select`], [`add`]) are divided into stretches of neighbours, which are copied in one piece;
//! picks of single entries ([`take`], [`add_each`], [`put_each`]) have the sizes `outer × count × inner`.

use super::par;
use super::simd::vectorize;
use crate::device::{Elem, Float};

/// Neighbours among the picks: `first, first + 1, …`, or downwards.
struct Stretch {
    at: usize,
    first: usize,
    len: usize,
    down: bool,
}

impl Stretch {
    /// The smallest pick.
    fn low(&self) -> usize {
        if self.down {
            self.first + 1 - self.len
        } else {
            self.first
        }
    }
}

fn stretches(picks: &[usize]) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    for (at, &pick) in picks.iter().enumerate() {
        if let Some(s) = found.last_mut() {
            let up = !s.down && pick == s.first + s.len;
            let down = (s.down || s.len == 1) && pick + s.len == s.first;
            if up || down {
                s.down = down;
                s.len += 1;
                continue;
            }
        }
        found.push(Stretch {
            at,
            first: pick,
            len: 1,
            down: false,
        });
    }
    found
}

/// `out[o, i, ..] ← x[o, picks[i], ..]`
pub fn select<T: Elem>(out: &mut [T], x: &[T], picks: &[usize], n: usize, inner: usize) {
    let row = picks.len() * inner;
    if row == 0 || out.is_empty() {
        return;
    }
    if out.len() == row && inner >= 16 {
        // One long row: its entries are divided among the threads.
        return par::rows(out, inner, 1, |first, part| {
            for (o, &p) in part.chunks_exact_mut(inner).zip(&picks[first..]) {
                o.copy_from_slice(&x[p * inner..][..inner]);
            }
        });
    }
    let stretches = stretches(picks);
    if inner == 1 && stretches.len() * 4 > picks.len() {
        // Hardly any neighbours.
        return par::rows(out, row, 1, |first, part| {
            for (k, o) in part.chunks_exact_mut(row).enumerate() {
                let x = &x[(first + k) * n..][..n];
                for (o, &p) in o.iter_mut().zip(picks) {
                    *o = x[p];
                }
            }
        });
    }
    par::rows(out, row, 1, |first, part| {
        for (k, o) in part.chunks_exact_mut(row).enumerate() {
            let x = &x[(first + k) * n * inner..][..n * inner];
            for s in &stretches {
                let from = &x[s.low() * inner..][..s.len * inner];
                let to = &mut o[s.at * inner..][..s.len * inner];
                if !s.down {
                    to.copy_from_slice(from);
                } else if inner == 1 {
                    vectorize::<T, _>(
                        #[inline(always)]
                        || {
                            for (o, &x) in to.iter_mut().zip(from.iter().rev()) {
                                *o = x;
                            }
                        },
                    );
                } else {
                    for (o, x) in to.chunks_exact_mut(inner).zip(from.rchunks_exact(inner)) {
                        o.copy_from_slice(x);
                    }
                }
            }
        }
    });
}

/// `out[o, picks[i], ..] += x[o, i, ..]`, in the order of `i`
pub fn add<T: Float>(out: &mut [T], x: &[T], picks: &[usize], n: usize, inner: usize) {
    let row = picks.len() * inner;
    if row == 0 || out.is_empty() {
        return;
    }
    let stretches = stretches(picks);
    if inner == 1 && stretches.len() * 4 > picks.len() {
        return par::rows(out, n, 1, |first, part| {
            for (k, o) in part.chunks_exact_mut(n).enumerate() {
                let x = &x[(first + k) * row..][..row];
                for (&x, &p) in x.iter().zip(picks) {
                    o[p] = o[p] + x;
                }
            }
        });
    }
    par::rows(out, n * inner, 1, |first, part| {
        for (k, o) in part.chunks_exact_mut(n * inner).enumerate() {
            let x = &x[(first + k) * row..][..row];
            for s in &stretches {
                let from = &x[s.at * inner..][..s.len * inner];
                let to = &mut o[s.low() * inner..][..s.len * inner];
                vectorize::<T, _>(
                    #[inline(always)]
                    || {
                        if !s.down {
                            add_slice(to, from);
                        } else if inner == 1 {
                            for (o, &x) in to.iter_mut().rev().zip(from) {
                                *o = *o + x;
                            }
                        } else {
                            for (o, x) in to.rchunks_exact_mut(inner).zip(from.chunks_exact(inner))
                            {
                                add_slice(o, x);
                            }
                        }
                    },
                );
            }
        }
    });
}

#[inline(always)]
fn add_slice<T: Float>(o: &mut [T], x: &[T]) {
    for (o, &x) in o.iter_mut().zip(x) {
        *o = *o + x;
    }
}

/// `out[o, i, j] ← x[o, picks[o, i, j], j]`
pub fn take<T: Elem>(out: &mut [T], x: &[T], picks: &[usize], sizes: [usize; 3]) {
    let [n, count, inner] = sizes;
    let row = count * inner;
    par::rows(out, row, 2, |first, part| {
        for (k, o) in part.chunks_exact_mut(row).enumerate() {
            let x = &x[(first + k) * n * inner..][..n * inner];
            let picks = &picks[(first + k) * row..][..row];
            if inner == 1 {
                for (o, &p) in o.iter_mut().zip(picks) {
                    *o = x[p];
                }
                continue;
            }
            for (o, picks) in o.chunks_exact_mut(inner).zip(picks.chunks_exact(inner)) {
                for (j, (o, &p)) in o.iter_mut().zip(picks).enumerate() {
                    *o = x[p * inner + j];
                }
            }
        }
    });
}

/// `out[o, picks[o, i, j], j] ← f(out[..], x[o, i, j])`, in the order of `i`
fn each<T: Elem>(
    out: &mut [T],
    x: &[T],
    picks: &[usize],
    sizes: [usize; 3],
    f: impl Fn(T, T) -> T + Sync + Copy,
) {
    let [n, count, inner] = sizes;
    let row = count * inner;
    if row == 0 {
        return;
    }
    par::rows(out, n * inner, 2, |first, part| {
        for (k, o) in part.chunks_exact_mut(n * inner).enumerate() {
            let x = &x[(first + k) * row..][..row];
            let picks = &picks[(first + k) * row..][..row];
            if inner == 1 {
                for (&x, &p) in x.iter().zip(picks) {
                    o[p] = f(o[p], x);
                }
                continue;
            }
            for (x, picks) in x.chunks_exact(inner).zip(picks.chunks_exact(inner)) {
                for (j, (&x, &p)) in x.iter().zip(picks).enumerate() {
                    let o = &mut o[p * inner + j];
                    *o = f(*o, x);
                }
            }
        }
    });
}

/// `out[o, picks[o, i, j], j] += x[o, i, j]`, in the order of `i`
pub fn add_each<T: Float>(out: &mut [T], x: &[T], picks: &[usize], sizes: [usize; 3]) {
    each(out, x, picks, sizes, |o, x| o + x);
}

/// `out[o, picks[o, i, j], j] ← x[o, i, j]`, in the order of `i`: the last one stays
pub fn put_each<T: Elem>(out: &mut [T], x: &[T], picks: &[usize], sizes: [usize; 3]) {
    each(out, x, picks, sizes, |_, x| x);
}

/// Zero above the `k`-th diagonal of each `rows × cols` matrix; below it with `upper`.
pub fn triangle<T: Elem>(out: &mut [T], [rows, cols]: [usize; 2], upper: bool, k: isize) {
    if rows == 0 || cols == 0 {
        return;
    }
    par::rows(out, rows * cols, 1, |_, part| {
        for matrix in part.chunks_exact_mut(rows * cols) {
            for (i, row) in matrix.chunks_exact_mut(cols).enumerate() {
                // The first column past the diagonal, or on it for the upper triangle.
                let edge = k
                    .saturating_add_unsigned(i)
                    .saturating_add(isize::from(!upper));
                let edge = usize::try_from(edge).unwrap_or(0).min(cols);
                let clear = if upper {
                    &mut row[..edge]
                } else {
                    &mut row[edge..]
                };
                clear.fill(T::default());
            }
        }
    });
}
