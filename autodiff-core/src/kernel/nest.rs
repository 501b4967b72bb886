//! Walks a dense output together with strided inputs.

#![allow(
    clippy::needless_range_loop,
    reason = "several small arrays are walked by one index"
)]

use crate::device::{Layout, MAX_RANK};

/// The loops over an output's elements, with neighbouring axes merged wherever every input's
/// strides allow it.
pub struct Nest<const K: usize> {
    rank: usize,
    dims: [usize; MAX_RANK],
    strides: [[usize; MAX_RANK]; K],
    offsets: [usize; K],
}

impl<const K: usize> Nest<K> {
    /// The loops over `inputs`, which all have the same sizes.
    pub fn new(dims: &[usize], inputs: [&Layout; K]) -> Self {
        let mut n = Nest {
            rank: 0,
            dims: [1; MAX_RANK],
            strides: [[0; MAX_RANK]; K],
            offsets: [0; K],
        };
        for (k, l) in inputs.iter().enumerate() {
            debug_assert_eq!(l.dims().as_slice(), dims);
            n.offsets[k] = l.offset();
        }
        for (axis, &size) in dims.iter().enumerate() {
            if size == 1 {
                continue;
            }
            let last = n.rank.wrapping_sub(1);
            let joins = n.rank > 0
                && (0..K).all(|k| n.strides[k][last] == inputs[k].strides()[axis] * size);
            let to = if joins {
                n.dims[last] *= size;
                last
            } else {
                n.dims[n.rank] = size;
                n.rank += 1;
                n.rank - 1
            };
            for k in 0..K {
                n.strides[k][to] = inputs[k].strides()[axis];
            }
        }
        n.rank = n.rank.max(1);
        n
    }

    /// One loop over `len` elements, with the offset and the step of each input.
    pub fn line(len: usize, inputs: [(usize, usize); K]) -> Self {
        let mut n = Nest {
            rank: 1,
            dims: [1; MAX_RANK],
            strides: [[0; MAX_RANK]; K],
            offsets: [0; K],
        };
        n.dims[0] = len;
        for (k, (offset, step)) in inputs.into_iter().enumerate() {
            (n.offsets[k], n.strides[k][0]) = (offset, step);
        }
        n
    }

    /// The step of input `k` along the innermost loop.
    #[inline(always)]
    pub fn inner_stride(&self, k: usize) -> usize {
        self.strides[k][self.rank - 1]
    }

    /// Whether the only input is one run of neighbours.
    pub fn is_line(&self) -> bool {
        self.rank == 1 && self.strides.iter().all(|s| s[0] == 1)
    }

    /// The rows, the columns and the step between columns of the last two loops, if the only input
    /// has the elements of a column next to each other.
    pub fn transposed(&self) -> Option<(usize, usize, usize)> {
        let last = self.rank - 1;
        if K != 1 || self.rank < 2 || self.strides[0][last - 1] != 1 {
            return None;
        }
        let (rows, columns, step) = (self.dims[last - 1], self.dims[last], self.strides[0][last]);
        // A tile needs some of both to be worth its while.
        (step > 1 && rows >= 4 && columns >= 4).then_some((rows, columns, step))
    }

    /// Where the only input has the element `pos` of the output.
    pub fn at(&self, pos: usize) -> usize {
        let (mut rest, mut at) = (pos, self.offsets[0]);
        for axis in (0..self.rank).rev() {
            at += rest % self.dims[axis] * self.strides[0][axis];
            rest /= self.dims[axis];
        }
        at
    }

    /// Calls `f(pos, offsets, len)` for each run of at most `limit` output elements inside
    /// `start..end`, in order.
    #[inline(always)]
    pub fn runs(
        &self,
        start: usize,
        end: usize,
        limit: usize,
        mut f: impl FnMut(usize, [usize; K], usize),
    ) {
        let mut walk = self.walk(start, end, limit);
        while let Some((pos, at, len)) = walk.next() {
            f(pos, at, len);
        }
    }

    /// The runs of `start..end`, one after the other.
    #[inline(never)]
    fn walk(&self, start: usize, end: usize, limit: usize) -> Walk<'_, K> {
        let inner = self.dims[self.rank - 1];
        let (index, base) = match start < end {
            true => self.row(start / inner),
            false => ([0; MAX_RANK], [0; K]), // nothing to walk through, perhaps not even an `inner`
        };
        Walk {
            nest: self,
            index,
            base,
            pos: start,
            column: start.checked_rem(inner).unwrap_or(0),
            end,
            limit,
        }
    }

    /// The index of a row, a run of the innermost loop, and where it begins in the inputs.
    fn row(&self, row: usize) -> ([usize; MAX_RANK], [usize; K]) {
        let last = self.rank - 1;
        let mut index = [0; MAX_RANK];
        let mut rest = row;
        for i in (0..last).rev() {
            index[i] = rest % self.dims[i];
            rest /= self.dims[i];
        }
        let mut base = self.offsets;
        for k in 0..K {
            for i in 0..last {
                base[k] += index[i] * self.strides[k][i];
            }
        }
        (index, base)
    }

    /// From a row to the next. There is one.
    fn next_row(&self, index: &mut [usize; MAX_RANK], base: &mut [usize; K]) {
        let mut i = self.rank - 2;
        loop {
            index[i] += 1;
            for k in 0..K {
                base[k] += self.strides[k][i];
            }
            if index[i] < self.dims[i] {
                break;
            }
            for k in 0..K {
                base[k] -= self.strides[k][i] * self.dims[i];
            }
            index[i] = 0;
            i -= 1;
        }
    }
}

/// The place of a walk through the runs of a [`Nest`].
///
/// Its steps are not inlined: the loops of every kernel go through here, and each would have its own copy.
struct Walk<'a, const K: usize> {
    nest: &'a Nest<K>,
    index: [usize; MAX_RANK],
    /// Where the row begins in the inputs.
    base: [usize; K],
    pos: usize,
    column: usize,
    end: usize,
    limit: usize,
}

impl<const K: usize> Walk<'_, K> {
    /// The next run: its place in the output and in the inputs, and its length.
    #[inline(never)]
    fn next(&mut self) -> Option<(usize, [usize; K], usize)> {
        if self.pos >= self.end {
            return None;
        }
        let last = self.nest.rank - 1;
        let inner = self.nest.dims[last];
        if self.column == inner {
            self.column = 0;
            self.nest.next_row(&mut self.index, &mut self.base);
        }
        let len = (inner - self.column)
            .min(self.end - self.pos)
            .min(self.limit);
        let (pos, mut at) = (self.pos, self.base);
        for k in 0..K {
            at[k] += self.column * self.nest.strides[k][last];
        }
        self.pos += len;
        self.column += len;
        Some((pos, at, len))
    }
}
