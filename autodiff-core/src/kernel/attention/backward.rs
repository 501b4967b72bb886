//! The gradients.
//!
//! A task has the heads that meet the same keys, or share a bias, and some of their keys: gradients of keys, values
//! and bias have one owner. Those of queries are summed over the tasks of a head. The tasks depend on sizes only.

use super::forward::work;
use super::scores::{KEYS, Operands, QUERIES};
use super::{Gradients, Problem};
use crate::device::Float;
use crate::kernel::matrix::{Matrix, product};
use crate::kernel::pool::Buffer;
use crate::kernel::{par, reduce, simd::vectorize};
use core::ops::Range;

/// With fewer heads than this the keys are divided.
const TASKS: usize = 8;

/// The gradients from the cotangent `ct` of the output.
pub fn pullback<T: Float>(
    problem: Problem<'_, T>,
    saved: [&[T]; 2],
    ct: &[T],
    into: Gradients<'_, T>,
) {
    let Gradients { q, k, v, bias } = into;
    let shape = problem.shape;
    let [out, stats] = saved;
    if ct.is_empty() || shape.keys == 0 {
        for d in [q, k, v, bias].into_iter().flatten() {
            d.fill(T::ZERO);
        }
        return;
    }
    let operands = Operands::new(problem, true);
    let pass = Pass {
        stats,
        ct,
        delta: &deltas(out, ct, shape.value_width),
    };

    // Heads that meet the same keys have biases of their own, one after the other, unless all share one.
    let owned = if bias.is_some() && shape.biases.is_multiple_of(shape.group) {
        shape.group
    } else {
        1
    };
    let groups = if bias.is_some() {
        shape.biases / owned
    } else {
        shape.heads / shape.group
    };
    let blocks = shape.keys.div_ceil(KEYS);
    let parts = TASKS.div_ceil(groups).min(blocks);
    let keys = blocks.div_ceil(parts) * KEYS;
    let parts = shape.keys.div_ceil(keys);

    // Gradients of the queries from all parts but the first, which writes the result.
    let len = shape.heads * shape.queries * shape.width;
    let mut others = Buffer::unspecified(if q.is_some() { (parts - 1) * len } else { 0 });
    let mut q = q;
    {
        let mut dq = split(q.as_deref_mut(), shape.queries * shape.width, usize::MAX);
        if !dq.is_empty() {
            dq.extend(split(
                Some(&mut others[..]),
                shape.queries * shape.width,
                usize::MAX,
            ));
        }
        let mut dk = split(k, shape.keys * shape.width, keys * shape.width);
        let mut dv = split(v, shape.keys * shape.value_width, keys * shape.value_width);
        let mut db = split(bias, shape.keys * shape.queries, keys * shape.queries);
        let mut tasks = Vec::with_capacity(groups * parts);
        for group in 0..groups {
            for part in 0..parts {
                let met = (0..shape.heads / shape.group).filter(|m| m % groups == group);
                let pick = |d: &mut Vec<Vec<Option<_>>>, at: usize, part: usize| {
                    d.get_mut(at).and_then(|parts| parts[part].take())
                };
                let pieces = met.map(|met| Piece {
                    met,
                    dk: pick(&mut dk, met, part),
                    dv: pick(&mut dv, met, part),
                    heads: (met * shape.group..(met + 1) * shape.group)
                        .map(|head| (head, pick(&mut dq, part * shape.heads + head, 0)))
                        .collect(),
                });
                let pieces = pieces.collect();
                tasks.push(Task {
                    keys: part * keys..shape.keys.min((part + 1) * keys),
                    pieces,
                    biases: (0..owned)
                        .filter_map(|i| pick(&mut db, group * owned + i, part))
                        .collect(),
                });
            }
        }
        if par::worth(work(shape)) {
            par::each(tasks.into_iter(), |t| run(&operands, &pass, t));
        } else {
            tasks.into_iter().for_each(|t| run(&operands, &pass, t));
        }
    }
    if let Some(q) = q {
        for other in others.chunks(len.max(1)) {
            par::parts(q, 1, |start, part| {
                for (x, &y) in part.iter_mut().zip(&other[start..]) {
                    *x = *x + y;
                }
            });
        }
    }
}

/// Pieces of `each` entries, and each of them in pieces of `part`; empty without a gradient.
fn split<T>(d: Option<&mut [T]>, each: usize, part: usize) -> Vec<Vec<Option<&mut [T]>>> {
    let Some(d) = d else { return Vec::new() };
    d.chunks_mut(each.max(1))
        .map(|d| d.chunks_mut(part.max(1)).map(Some).collect())
        .collect()
}

/// `δᵢ = Σ ct∘out` of each row.
fn deltas<T: Float>(out: &[T], ct: &[T], width: usize) -> Vec<T> {
    let mut delta = vec![T::ZERO; out.len() / width];
    par::parts(&mut delta, width, |start, part| {
        let mut products = vec![T::ZERO; width];
        for (i, d) in part.iter_mut().enumerate() {
            let at = (start + i) * width;
            for ((p, &a), &b) in products.iter_mut().zip(&out[at..]).zip(&ct[at..]) {
                *p = a * b;
            }
            *d = reduce::sum(&products);
        }
    });
    delta
}

struct Pass<'a, T> {
    stats: &'a [T],
    ct: &'a [T],
    delta: &'a [T],
}

/// The gradients of one matrix of keys and values, and of the queries that meet it.
struct Piece<'a, T> {
    met: usize,
    dk: Option<&'a mut [T]>,
    dv: Option<&'a mut [T]>,
    heads: Vec<(usize, Option<&'a mut [T]>)>,
}

struct Task<'a, T> {
    keys: Range<usize>,
    pieces: Vec<Piece<'a, T>>,
    /// Of the heads of a piece, in turn; none without a gradient.
    biases: Vec<&'a mut [T]>,
}

fn run<T: Float>(operands: &Operands<'_, T>, pass: &Pass<'_, T>, task: Task<'_, T>) {
    let shape = operands.shape;
    let (n, w, u) = (shape.queries, shape.width, shape.value_width);
    let Task {
        keys,
        pieces,
        mut biases,
    } = task;
    let room = QUERIES.min(n) * KEYS.min(keys.len());
    let (mut weights, mut slopes) = (Buffer::unspecified(room), Buffer::unspecified(room));
    let scale = T::lit(shape.scale);
    let count = biases.len();
    biases.iter_mut().for_each(|d| d.fill(T::ZERO));
    for Piece {
        met,
        mut dk,
        mut dv,
        heads,
    } in pieces
    {
        for d in [&mut dk, &mut dv].into_iter().flatten() {
            d.fill(T::ZERO);
        }
        for (turn, (head, mut dq)) in heads.into_iter().enumerate() {
            if let Some(d) = &mut dq {
                d.fill(T::ZERO);
            }
            let end = keys.end.min(operands.keys(head));
            for start in (keys.start..end).step_by(KEYS) {
                // Queries before do not see the first key.
                let from = if shape.causal {
                    (start + n).saturating_sub(shape.keys).min(n)
                } else {
                    0
                };
                for first in (from..n).step_by(QUERIES) {
                    let queries = first..n.min(first + QUERIES);
                    let tile = operands.clipped(head, queries, start..end.min(start + KEYS));
                    let (rows, width) = (tile.queries.len(), tile.keys.len());
                    if width == 0 {
                        continue;
                    }
                    let (p, s) = (&mut weights[..rows * width], &mut slopes[..rows * width]);
                    let row = head * n + first;
                    operands.weights(&tile, &pass.stats[2 * row..], p);
                    let ct = Matrix::rows(&pass.ct[row * u..(row + rows) * u], u);
                    product(false, T::ONE, ct, operands.values_of(&tile), T::ZERO, s);
                    operands.drop(&tile, &mut [&mut *s]);
                    slopes_of(p, s, &pass.delta[row..row + rows]);
                    operands.drop(&tile, &mut [&mut *p]);
                    let (p, s) = (Matrix::rows(p, width), Matrix::rows(s, width));
                    let (from, to) = (tile.keys.start - keys.start, tile.keys.end - keys.start);
                    if let Some(d) = &mut dv {
                        product(false, T::ONE, p.t(), ct, T::ONE, &mut d[from * u..to * u]);
                    }
                    if let Some(d) = &mut dk {
                        let q = operands.q.rows(head, tile.queries.clone());
                        product(false, scale, s.t(), q, T::ONE, &mut d[from * w..to * w]);
                    }
                    if let Some(d) = &mut dq {
                        let k = operands.k.rows(met, tile.keys.clone());
                        let d = &mut d[first * w..(first + rows) * w];
                        product(false, scale, s, k, T::ONE, d);
                    }
                    if count > 0 {
                        let d = &mut biases[turn % count];
                        for (j, d) in d[from * n..to * n].chunks_mut(n).enumerate() {
                            for (i, d) in d[tile.queries.clone()].iter_mut().enumerate() {
                                *d = *d + slopes[i * width + j];
                            }
                        }
                    }
                }
            }
        }
    }
}

/// `s ← p∘(s − δ)` in each row; a key of weight 0 gets nothing, even where its value is not finite.
fn slopes_of<T: Float>(p: &[T], s: &mut [T], delta: &[T]) {
    let width = p.len() / delta.len();
    vectorize::<T, _>(
        #[inline(always)]
        || {
            let rows = s.chunks_exact_mut(width).zip(p.chunks_exact(width));
            for ((s, p), &delta) in rows.zip(delta) {
                for (s, &p) in s.iter_mut().zip(p) {
                    *s = if p == T::ZERO {
                        T::ZERO
                    } else {
                        p * (*s - delta)
                    };
                }
            }
        },
    );
}
