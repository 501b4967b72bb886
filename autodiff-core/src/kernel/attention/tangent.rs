//! The tangent of the output.

use super::forward::blocks;
use super::scores::{KEYS, Operands, Tile};
use super::tile::Heads;
use super::{Problem, Tangents};
use crate::device::Float;
use crate::kernel::matrix::{Matrix, product};
use crate::kernel::pool::Buffer;
use crate::kernel::simd::vectorize;

/// `out ← Ȯ` from the tangents of queries, keys, values and, if there is one, of the bias.
pub fn pushforward<T: Float>(
    problem: Problem<'_, T>,
    saved: [&[T]; 2],
    tangents: Tangents<'_, T>,
    out: &mut [T],
) {
    if out.is_empty() {
        return;
    }
    let shape = problem.shape;
    let operands = Operands::new(problem, false);
    let tangents = Moved {
        qkv: tangents.qkv.map(Heads::new),
        bias: tangents.bias.map(Heads::new),
    };
    let mut sums = vec![T::ZERO; 2 * shape.heads * shape.queries];
    blocks(shape, out, &mut sums, |head, first, out, sums| {
        block(&operands, &tangents, saved, (head, first), out, sums)
    });
}

struct Moved<'a, T> {
    qkv: [Heads<'a, T>; 3],
    bias: Option<Heads<'a, T>>,
}

fn block<T: Float>(
    operands: &Operands<'_, T>,
    tangents: &Moved<'_, T>,
    [saved, stats]: [&[T]; 2],
    (head, first): (usize, usize),
    out: &mut [T],
    sums: &mut [T],
) {
    let (rows, w) = (sums.len() / 2, operands.shape.value_width);
    let queries = first..first + rows;
    let met = operands.met(head);
    let scale = T::lit(operands.shape.scale);
    let row = head * operands.shape.queries + first;
    let all = operands.clipped(head, queries.clone(), 0..operands.keys(head));
    let room = rows * KEYS.min(all.keys.len());
    let (mut weights, mut slopes) = (Buffer::unspecified(room), Buffer::unspecified(room));
    out.fill(T::ZERO);
    for start in all.keys.clone().step_by(KEYS) {
        let tile = Tile {
            keys: start..all.keys.end.min(start + KEYS),
            ..all.clone()
        };
        let (keys, width) = (tile.keys.clone(), tile.keys.len());
        let (p, s) = (&mut weights[..rows * width], &mut slopes[..rows * width]);
        operands.weights(&tile, &stats[2 * row..], p);
        let [q, k, v] = &tangents.qkv;
        let (q, q_t) = (
            operands.q.rows(head, queries.clone()),
            q.rows(head, queries.clone()),
        );
        let k_t = k.rows(met, keys.clone());
        product(false, scale, q_t, operands.keys_of(&tile), T::ZERO, s);
        product(false, scale, q, k_t.t(), T::ONE, s);
        if let Some(b) = &tangents.bias {
            let b = b.block(head, queries.clone(), keys.clone());
            for (i, s) in s.chunks_mut(width).enumerate() {
                super::scores::add(s, b.row(i, width));
            }
        }
        for (i, (p, s)) in p.chunks(width).zip(s.chunks_mut(width)).enumerate() {
            sums[2 * i] = sums[2 * i] + weighted(p, s);
        }
        operands.drop(&tile, &mut [&mut *p, &mut *s]);
        product(
            false,
            T::ONE,
            Matrix::rows(s, width),
            operands.v.rows(met, keys.clone()),
            T::ONE,
            out,
        );
        product(
            false,
            T::ONE,
            Matrix::rows(p, width),
            v.rows(met, keys),
            T::ONE,
            out,
        );
    }
    for (i, out) in out.chunks_mut(w).enumerate() {
        let tau = sums[2 * i];
        for (t, &o) in out.iter_mut().zip(&saved[(row + i) * w..]) {
            *t = *t - tau * o;
        }
    }
}

/// `s ← p∘s`, 0 where the weight is; returns the sum.
fn weighted<T: Float>(p: &[T], s: &mut [T]) -> T {
    vectorize::<T, _>(
        #[inline(always)]
        || {
            for (s, &p) in s.iter_mut().zip(p) {
                *s = if p == T::ZERO { T::ZERO } else { p * *s };
            }
        },
    );
    crate::kernel::reduce::sum(s)
}
