//! Scores and weights of a tile, and which keys a query sees.

use super::tile::{Heads, Matrix, product};
use super::{Mask, Problem};
use crate::device::{AttentionShape, Float};
use crate::kernel::dropout;
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
pub struct Operands<'a, T> {
    pub shape: &'a AttentionShape,
    pub q: Heads<'a, T>,
    pub k: Heads<'a, T>,
    pub v: Heads<'a, T>,
    mask: Masks<'a, T>,
}

impl<'a, T: Float> Operands<'a, T> {
    pub fn new(problem: Problem<'a, T>) -> Self {
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
        Operands {
            shape,
            q,
            k,
            v,
            mask,
        }
    }

    /// The matrix of keys and values that a head meets.
    pub fn met(&self, head: usize) -> usize {
        head / self.shape.group
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
    fn seen_in(&self, tile: &Tile, i: usize) -> usize {
        let seen = self.seen(tile.head, tile.queries.start + i);
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

    /// `out ← S`, for the keys that each row sees; `each(i, seen, hidden)` gets the two parts of the rows.
    pub fn scores(
        &self,
        tile: &Tile,
        out: &mut [T],
        mut each: impl FnMut(usize, &mut [T], &mut [T]),
    ) {
        let Tile {
            head,
            queries,
            keys,
        } = tile.clone();
        let width = keys.len();
        let k = self.k.rows(self.met(head), keys.clone());
        product(
            T::lit(self.shape.scale),
            self.q.rows(head, queries.clone()),
            k.t(),
            T::ZERO,
            out,
        );
        enum Part<'a, T> {
            None,
            Visible(Matrix<'a, bool>),
            Bias(Matrix<'a, T>),
        }
        let part = match &self.mask {
            Masks::Visible(m) => Part::Visible(m.block(head, queries, keys)),
            Masks::Bias(b) => Part::Bias(b.block(head, queries, keys)),
            _ => Part::None,
        };
        for (i, row) in out.chunks_mut(width).enumerate() {
            let n = self.seen_in(tile, i);
            let (seen, hidden) = row.split_at_mut(n);
            match &part {
                Part::None => {}
                Part::Visible(m) => hide(seen, m.row(i, n)),
                Part::Bias(b) => add(seen, b.row(i, n)),
            }
            each(i, seen, hidden);
        }
    }

    /// `out ← P`, from the statistics of the rows of the tile.
    pub fn weights(&self, tile: &Tile, stats: &[T], out: &mut [T]) {
        self.scores(tile, out, |i, seen, hidden| {
            let (m, r) = (stats[2 * i], stats[2 * i + 1]);
            hidden.fill(T::ZERO);
            vectorize(
                #[inline(always)]
                move || {
                    for x in seen {
                        *x = (*x - m).exp() * r;
                    }
                },
            );
        });
    }

    /// The factors of dropout for row `i` of a tile, if there is dropout.
    pub fn factors<'w>(&self, tile: &Tile, i: usize, work: &'w mut [T]) -> Option<&'w [T]> {
        let (p, seed) = self.shape.dropout?;
        let row = tile.head * self.shape.queries + tile.queries.start + i;
        let work = &mut work[..tile.keys.len()];
        dropout::factors(p, seed, row * self.shape.keys + tile.keys.start, work);
        Some(work)
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
        1 => vectorize(
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

/// `x ← x∘factors`; what is dropped is 0 even where it was not finite.
pub fn drop<T: Float>(x: &mut [T], factors: &[T]) {
    vectorize(
        #[inline(always)]
        move || {
            for (x, &f) in x.iter_mut().zip(factors) {
                *x = if f == T::ZERO { T::ZERO } else { *x * f };
            }
        },
    );
}
