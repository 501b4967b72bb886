//! The output, and the maximum and inverse sum of each row.

use super::scores::{KEYS, Operands, QUERIES, Tile, drop};
use super::tile::{Matrix, product};
use super::Problem;
use crate::device::{AttentionShape, Float};
use crate::kernel::pool::Buffer;
use crate::kernel::{par, simd::vectorize};
use rayon::prelude::*;

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
    let operands = Operands::new(problem);
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
        tasks
            .into_par_iter()
            .for_each(|(head, first, out, stats)| f(head, first, out, stats));
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
    let mut work = vec![T::ZERO; operands.shape.dropout.map_or(0, |_| KEYS)];
    for start in all.keys.clone().step_by(KEYS) {
        let tile = Tile {
            keys: start..all.keys.end.min(start + KEYS),
            ..all.clone()
        };
        let width = tile.keys.len();
        let scores = &mut scores[..rows * width];
        operands.scores(&tile, scores, |i, seen, hidden| {
            let (before, sum) = (stats[2 * i], stats[2 * i + 1]);
            let (m, added, factor) = exponentials(seen, before);
            hidden.fill(T::ZERO);
            stats[2 * i] = m;
            stats[2 * i + 1] = sum * factor + added;
            if start > 0 && factor != T::ONE {
                scaled(&mut out[i * w..(i + 1) * w], factor);
            }
        });
        for (i, row) in scores.chunks_mut(width).enumerate() {
            if let Some(f) = operands.factors(&tile, i, &mut work) {
                drop(row, f);
            }
        }
        let beta = if start == 0 { T::ZERO } else { T::ONE };
        let v = operands.v.rows(operands.met(head), tile.keys);
        product(T::ONE, Matrix::dense(scores, width), v, beta, out);
    }
    if all.keys.is_empty() {
        out.fill(T::ZERO);
    }
    for (pair, row) in stats.chunks_mut(2).zip(out.chunks_mut(w)) {
        let (m, sum) = (pair[0], pair[1]);
        let r = if sum == T::ZERO {
            T::ZERO
        } else {
            T::ONE / sum
        };
        pair[0] = finite(m);
        pair[1] = r;
        if sum == T::ZERO {
            // Hidden values count for nothing, also where they are not finite.
            row.fill(T::ZERO);
        } else {
            scaled(row, r);
        }
    }
}

/// The shift of a row with maximum `m`: 0 for a row of −∞, which has no other.
fn finite<T: Float>(m: T) -> T {
    if m == -T::INFINITY { T::ZERO } else { m }
}

/// `x ← exp(x − m)`, where `m` is the largest of `x` and `before`. Returns `m`, the sum, and by what sums with the
/// shift `before` must be multiplied.
#[inline]
fn exponentials<T: Float>(x: &mut [T], before: T) -> (T, T, T) {
    vectorize(
        #[inline(always)]
        move || {
            let mut most = [before; LANES];
            let mut chunks = x.chunks_exact(LANES);
            for chunk in &mut chunks {
                for (m, &x) in most.iter_mut().zip(chunk) {
                    *m = if x > *m { x } else { *m };
                }
            }
            let mut m = before;
            for &x in most.iter().chain(chunks.remainder()) {
                m = if x > m { x } else { m };
            }
            let shift = finite(m);
            let mut sums = [T::ZERO; LANES];
            let mut chunks = x.chunks_exact_mut(LANES);
            for chunk in &mut chunks {
                for (s, x) in sums.iter_mut().zip(chunk) {
                    *x = (*x - shift).exp();
                    *s = *s + *x;
                }
            }
            let mut sum = T::ZERO;
            for x in chunks.into_remainder() {
                *x = (*x - shift).exp();
                sum = sum + *x;
            }
            let mut half = LANES / 2;
            while half > 0 {
                for i in 0..half {
                    sums[i] = sums[i] + sums[i + half];
                }
                half /= 2;
            }
            let factor = if before == m {
                T::ONE
            } else {
                (before - shift).exp()
            };
            (m, sum + sums[0], factor)
        },
    )
}

fn scaled<T: Float>(x: &mut [T], factor: T) {
    vectorize(
        #[inline(always)]
        move || x.iter_mut().for_each(|x| *x = *x * factor),
    );
}
