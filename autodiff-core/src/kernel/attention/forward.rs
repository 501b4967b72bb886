//! The output, and the maximum and inverse sum of each row.

use super::Problem;
use super::scores::{KEYS, Operands, QUERIES, Tile};
use crate::device::{AttentionShape, Float};
use crate::kernel::matrix::{Matrix, product};
use crate::kernel::pool::Buffer;
use crate::kernel::{par, simd::vectorize};

/// Entries that are summed, or compared, side by side.
const LANES: usize = 16;

/// `out ← O`; `stats` gets `m` and `r` of each row.
pub fn forward<T: Float>(problem: Problem<'_, T>, out: &mut [T], stats: &mut [T]) {
    if stats.is_empty() {
        return;
    }
    if out.is_empty() {
        // Values without entries; the statistics are asked for by nobody.
        return stats.fill(T::ZERO);
    }
    let operands = Operands::new(problem, false);
    blocks(problem.shape, out, stats, |head, first, out, stats| {
        block(&operands, head, first, out, stats)
    });
}

/// Calls `f(head, first query, rows of out, their statistics)` for all blocks of queries.
pub fn blocks<T: Float>(
    shape: &AttentionShape,
    out: &mut [T],
    stats: &mut [T],
    f: impl Fn(usize, usize, &mut [T], &mut [T]) + Sync,
) {
    let (n, w) = (shape.queries, shape.value_width);
    let heads = out.chunks_mut(n * w).zip(stats.chunks_mut(n * 2));
    let mut tasks = Vec::with_capacity(shape.heads * n.div_ceil(QUERIES));
    for (head, (out, stats)) in heads.enumerate() {
        let blocks = out
            .chunks_mut(QUERIES * w)
            .zip(stats.chunks_mut(QUERIES * 2));
        for (i, (out, stats)) in blocks.enumerate() {
            tasks.push((head, i * QUERIES, out, stats));
        }
    }
    if par::worth(work(shape)) {
        par::each(tasks.into_iter(), |(head, first, out, stats)| {
            f(head, first, out, stats)
        });
    } else {
        tasks
            .into_iter()
            .for_each(|(head, first, out, stats)| f(head, first, out, stats));
    }
}

/// The work in the units of [`par`].
pub fn work(shape: &AttentionShape) -> usize {
    let scores = shape.heads * shape.queries * shape.keys;
    scores * (16 + (shape.width + shape.value_width) / 4)
}

fn block<T: Float>(
    operands: &Operands<'_, T>,
    head: usize,
    first: usize,
    out: &mut [T],
    stats: &mut [T],
) {
    let (rows, w) = (stats.len() / 2, operands.shape.value_width);
    let queries = first..first + rows;
    let all = operands.clipped(head, queries.clone(), 0..operands.keys(head));
    for pair in stats.chunks_mut(2) {
        (pair[0], pair[1]) = (-T::INFINITY, T::ZERO);
    }
    let mut scores = Buffer::unspecified(rows * KEYS.min(all.keys.len()));
    for start in all.keys.clone().step_by(KEYS) {
        let tile = Tile {
            keys: start..all.keys.end.min(start + KEYS),
            ..all.clone()
        };
        let width = tile.keys.len();
        let scores = &mut scores[..rows * width];
        operands.scores(&tile, scores);
        let count = operands.keys(head);
        vectorize::<T, _>(
            #[inline(always)]
            || {
                let rows = scores
                    .chunks_exact_mut(width)
                    .zip(stats.chunks_exact_mut(2));
                for (i, (row, stats)) in rows.enumerate() {
                    let (seen, hidden) = row.split_at_mut(operands.seen_in(&tile, i, count));
                    let (m, added, factor) = exponentials(seen, stats[0]);
                    hidden.fill(T::ZERO);
                    stats[0] = m;
                    stats[1] = stats[1] * factor + added;
                    if start > 0 && (factor != T::ONE || factor.changes()) {
                        scaled(&mut out[i * w..(i + 1) * w], factor);
                    }
                }
            },
        );
        operands.drop(&tile, &mut [&mut *scores]);
        let beta = if start == 0 { T::ZERO } else { T::ONE };
        let v = operands.v.rows(operands.met(head), tile.keys);
        product(false, T::ONE, Matrix::rows(scores, width), v, beta, out);
    }
    if all.keys.is_empty() {
        out.fill(T::ZERO);
    }
    vectorize::<T, _>(
        #[inline(always)]
        || {
            for (pair, row) in stats.chunks_exact_mut(2).zip(out.chunks_exact_mut(w)) {
                let (m, sum) = (pair[0], pair[1]);
                pair[0] = finite(m);
                if sum == T::ZERO {
                    // Hidden values count for nothing, also where they are not finite.
                    row.fill(T::ZERO);
                } else {
                    pair[1] = T::ONE / sum;
                    scaled(row, pair[1]);
                }
            }
        },
    );
}

/// The shift of a row with maximum `m`: 0 for a row of −∞, which has no other.
fn finite<T: Float>(m: T) -> T {
    if m == -T::INFINITY { T::ZERO } else { m }
}

/// `x ← exp(x − m)`, where `m` is the largest of `x` and `before`. Returns `m`, the sum, and by what sums with the
/// shift `before` must be multiplied.
#[inline(always)]
fn exponentials<T: Float>(x: &mut [T], before: T) -> (T, T, T) {
    let mut most = [before; LANES];
    let mut chunks = x.chunks_exact(LANES);
    for chunk in &mut chunks {
        for (m, &x) in most.iter_mut().zip(chunk) {
            *m = larger(*m, x);
        }
    }
    for (m, &x) in most.iter_mut().zip(chunks.remainder()) {
        *m = larger(*m, x);
    }
    let m = folded(most, larger);
    let shift = finite(m);
    let mut sums = [T::ZERO; LANES];
    let mut chunks = x.chunks_exact_mut(LANES);
    for chunk in &mut chunks {
        for (s, x) in sums.iter_mut().zip(chunk) {
            *x = (*x - shift).exp();
            *s = *s + *x;
        }
    }
    for (s, x) in sums.iter_mut().zip(chunks.into_remainder()) {
        *x = (*x - shift).exp();
        *s = *s + *x;
    }
    let factor = if before == m && !(before.changes() || m.changes()) {
        T::ONE
    } else {
        (before - shift).exp()
    };
    (m, folded(sums, |a, b| a + b), factor)
}

#[inline(always)]
fn larger<T: Float>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

/// All lanes as one.
#[inline(always)]
fn folded<T: Float>(lanes: [T; LANES], f: impl Fn(T, T) -> T) -> T {
    // Arrays of their own, or the steps become scalar code.
    let lanes: [T; 8] = core::array::from_fn(|i| f(lanes[i], lanes[i + 8]));
    let lanes: [T; 4] = core::array::from_fn(|i| f(lanes[i], lanes[i + 4]));
    let lanes: [T; 2] = core::array::from_fn(|i| f(lanes[i], lanes[i + 2]));
    f(lanes[0], lanes[1])
}

#[inline(always)]
fn scaled<T: Float>(x: &mut [T], factor: T) {
    x.iter_mut().for_each(|x| *x = *x * factor);
}
