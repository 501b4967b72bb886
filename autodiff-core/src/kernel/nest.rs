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
        if start >= end {
            return;
        }
        let last = self.rank - 1;
        let inner = self.dims[last];
        let (mut index, mut base) = self.row(start / inner);
        let (mut pos, mut col) = (start, start % inner);
        loop {
            while col < inner && pos < end {
                let n = (inner - col).min(end - pos).min(limit);
                let mut at = base;
                for k in 0..K {
                    at[k] += col * self.strides[k][last];
                }
                f(pos, at, n);
                pos += n;
                col += n;
            }
            if pos >= end {
                return;
            }
            col = 0;
            self.next_row(&mut index, &mut base);
        }
    }

    /// The index of a row, a run of the innermost loop, and where it begins in the inputs.
    // Not inlined, as `next_row`: the loops of every kernel go through here.
    #[inline(never)]
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
    #[inline(never)]
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
