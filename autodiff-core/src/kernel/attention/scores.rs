//! Scores and weights of a tile, and which keys a query sees.

use super::tile::{Heads, Turned};
use super::{Mask, Problem};
use crate::device::{AttentionShape, Float};
use crate::kernel::dropout;
use crate::kernel::matrix::{Matrix, product};
use crate::kernel::simd::vectorize;
use core::ops::Range;

/// Queries of a tile.
pub const QUERIES: usize = 64;
/// Keys of a tile.
pub const KEYS: usize = 128;

/// Some queries and some keys of one head.
#[derive(Clone)]
pub struct Tile {
    pub head: usize,
    pub queries: Range<usize>,
    pub keys: Range<usize>,
}

enum Masks<'a, T> {
    None,
    Visible(Heads<'a, bool>),
    Bias(Heads<'a, T>),
    Lengths(Vec<usize>),
}

/// The operands.
pub struct Operands<'a, T: Float> {
    pub shape: &'a AttentionShape,
    pub q: Heads<'a, T>,
    pub k: Heads<'a, T>,
    pub v: Heads<'a, T>,
    mask: Masks<'a, T>,
    turned: [Option<Turned<T>>; 2],
}

impl<'a, T: Float> Operands<'a, T> {
    /// With `values`, they will be asked for their transposes.
    pub fn new(problem: Problem<'a, T>, values: bool) -> Self {
        let Problem { shape, qkv, mask } = problem;
        let [q, k, v] = qkv.map(Heads::new);
        let mask = match mask {
            Mask::None => Masks::None,
            Mask::Visible(m) => Masks::Visible(Heads::new(m)),
            Mask::Bias(b) => Masks::Bias(Heads::new(b)),
            Mask::Lengths((n, layout)) => {
                let step = layout.strides()[0];
                let length = |i| n[layout.offset() + i * step] as usize;
                Masks::Lengths((0..layout.numel()).map(length).collect())
            }
        };
        // One tile alone arranges them as fast.
        let turned = |x: &Heads<'a, T>, wanted: bool| {
            (wanted && shape.queries > QUERIES).then(|| Turned::new(x, KEYS))
        };
        let turned = [turned(&k, true), turned(&v, values)];
        Operands {
            shape,
            q,
            k,
            v,
            mask,
            turned,
        }
    }

    /// The matrix of keys and values that a head meets.
    pub fn met(&self, head: usize) -> usize {
        head / self.shape.group
    }

    /// The keys of a tile, as columns.
    pub fn keys_of(&self, tile: &Tile) -> Matrix<'_, T> {
        let (met, keys) = (self.met(tile.head), tile.keys.clone());
        match &self.turned[0] {
            Some(k) => k.columns(met, keys),
            None => self.k.rows(met, keys).t(),
        }
    }

    /// The values of a tile, as columns.
    pub fn values_of(&self, tile: &Tile) -> Matrix<'_, T> {
        let (met, keys) = (self.met(tile.head), tile.keys.clone());
        match &self.turned[1] {
            Some(v) => v.columns(met, keys),
            None => self.v.rows(met, keys).t(),
        }
    }

    /// The keys of a head that are not padding.
    pub fn keys(&self, head: usize) -> usize {
        match &self.mask {
            Masks::Lengths(n) => self.shape.keys.min(n[head * n.len() / self.shape.heads]),
            _ => self.shape.keys,
        }
    }

    /// The keys that a query sees, which are the first.
    pub fn seen(&self, head: usize, query: usize) -> usize {
        self.shape.seen(query, self.keys(head))
    }

    /// The keys of a tile that its row `i` sees.
    #[inline(always)]
    pub fn seen_in(&self, tile: &Tile, i: usize, count: usize) -> usize {
        let seen = self.shape.seen(tile.queries.start + i, count);
        seen.clamp(tile.keys.start, tile.keys.end) - tile.keys.start
    }

    /// The keys of a tile that any of its queries sees.
    pub fn clipped(&self, head: usize, queries: Range<usize>, keys: Range<usize>) -> Tile {
        let seen = self.seen(head, queries.end - 1);
        let keys = keys.start..keys.end.min(seen).max(keys.start);
        Tile {
            head,
            queries,
            keys,
        }
    }

    /// `out ← S`, before keys are hidden by their position.
    pub fn scores(&self, tile: &Tile, out: &mut [T]) {
        let Tile {
            head,
            queries,
            keys,
        } = tile.clone();
        let q = self.q.rows(head, queries.clone());
        let scale = T::lit(self.shape.scale);
        product(false, scale, q, self.keys_of(tile), T::ZERO, out);
        let width = keys.len();
        match &self.mask {
            Masks::Visible(m) => {
                let m = m.block(head, queries, keys);
                for (i, row) in out.chunks_mut(width).enumerate() {
                    hide(row, m.row(i, width));
                }
            }
            Masks::Bias(b) => {
                let b = b.block(head, queries, keys);
                for (i, row) in out.chunks_mut(width).enumerate() {
                    add(row, b.row(i, width));
                }
            }
            Masks::None | Masks::Lengths(_) => {}
        }
    }

    /// `out ← P`, from the statistics of the rows of the tile.
    pub fn weights(&self, tile: &Tile, stats: &[T], out: &mut [T]) {
        self.scores(tile, out);
        let (width, count) = (tile.keys.len(), self.keys(tile.head));
        vectorize::<T, _>(
            #[inline(always)]
            || {
                let rows = out.chunks_mut(width).zip(stats.chunks_exact(2));
                for (i, (row, stats)) in rows.enumerate() {
                    let (m, r) = (stats[0], stats[1]);
                    let (seen, hidden) = row.split_at_mut(self.seen_in(tile, i, count));
                    for x in seen {
                        *x = (*x - m).exp() * r;
                    }
                    hidden.fill(T::ZERO);
                }
            },
        );
    }

    /// Dropout of the rows of a tile, where there is dropout; what is dropped is 0 even where it was not finite.
    pub fn drop(&self, tile: &Tile, tiles: &mut [&mut [T]]) {
        let Some((p, seed)) = self.shape.dropout else {
            return;
        };
        let width = tile.keys.len();
        let mut factors = [T::ZERO; KEYS];
        let factors = &mut factors[..width];
        for i in 0..tile.queries.len() {
            let row = tile.head * self.shape.queries + tile.queries.start + i;
            dropout::factors(p, seed, row * self.shape.keys + tile.keys.start, factors);
            let factors = &*factors;
            for x in &mut *tiles {
                let x = &mut x[i * width..(i + 1) * width];
                vectorize::<T, _>(
                    #[inline(always)]
                    move || {
                        for (x, &f) in x.iter_mut().zip(factors) {
                            *x = if f == T::ZERO { T::ZERO } else { *x * f };
                        }
                    },
                );
            }
        }
    }
}

/// `x ← −∞` where it is not visible.
fn hide<T: Float>(x: &mut [T], (visible, step): (&[bool], usize)) {
    let hidden = -T::INFINITY;
    match step {
        0 if visible.first() == Some(&false) => x.fill(hidden),
        0 => {}
        _ => {
            for (x, &visible) in x.iter_mut().zip(visible.iter().step_by(step)) {
                *x = if visible { *x } else { hidden };
            }
        }
    }
}

/// `x ← x + y`
pub fn add<T: Float>(x: &mut [T], (y, step): (&[T], usize)) {
    match step {
        0 => x.iter_mut().for_each(|x| *x = *x + y[0]),
        1 => vectorize::<T, _>(
            #[inline(always)]
            move || x.iter_mut().zip(y).for_each(|(x, &y)| *x = *x + y),
        ),
        _ => {
            for (x, &y) in x.iter_mut().zip(y.iter().step_by(step)) {
                *x = *x + y;
            }
        }
    }
}
