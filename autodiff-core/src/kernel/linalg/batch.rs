//! The matrices of a batch, divided among threads where that pays.

use super::Field;
use crate::kernel::par;
use faer::Par;
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};

/// One output of a batch: `size` elements for each matrix.
pub struct Out<'a, T> {
    pub data: &'a mut [T],
    pub size: usize,
}

pub fn out<T>(data: &mut [T], size: usize) -> Out<'_, T> {
    Out { data, size }
}

/// Outputs that can be cut between matrices.
pub trait Split: Send + Sized {
    fn split(self, count: usize) -> (Self, Self);
}

impl<T: Send> Split for Out<'_, T> {
    fn split(self, count: usize) -> (Self, Self) {
        let (left, right) = self.data.split_at_mut(count * self.size);
        let part = |data| Out {
            data,
            size: self.size,
        };
        (part(left), part(right))
    }
}
impl<A: Split, B: Split> Split for (A, B) {
    fn split(self, count: usize) -> (Self, Self) {
        let (a, b) = (self.0.split(count), self.1.split(count));
        ((a.0, b.0), (a.1, b.1))
    }
}
impl<A: Split, B: Split, C: Split> Split for (A, B, C) {
    fn split(self, count: usize) -> (Self, Self) {
        let (a, b, c) = (
            self.0.split(count),
            self.1.split(count),
            self.2.split(count),
        );
        ((a.0, b.0, c.0), (a.1, b.1, c.1))
    }
}

/// Calls `f(i, outputs of matrix i)` for each of `count` matrices, each of which costs about `flops`.
/// The number of the first for which `f` is false.
pub fn each<O: Split>(
    count: usize,
    flops: usize,
    outs: O,
    f: impl Fn(usize, O) -> bool + Sync,
) -> Option<usize> {
    // Besides its arithmetic, each matrix takes some time for buffers.
    let cost = flops / 4 + 500;
    let grain = if par::worth(count.saturating_mul(cost)) {
        (1 << 15) / cost
    } else {
        count
    };
    run(0, count, grain.max(1), outs, &f)
}

fn run<O: Split>(
    first: usize,
    count: usize,
    grain: usize,
    outs: O,
    f: &(impl Fn(usize, O) -> bool + Sync),
) -> Option<usize> {
    if count > grain {
        let half = count / 2;
        let (left, right) = outs.split(half);
        let (a, b) = rayon::join(
            || run(first, half, grain, left, f),
            || run(first + half, count - half, grain, right, f),
        );
        return a.or(b);
    }
    let (mut rest, mut failed) = (outs, None);
    for i in first..first + count {
        let (one, others) = rest.split(1);
        if !f(i, one) {
            failed = failed.or(Some(i));
        }
        rest = others;
    }
    failed
}

/// How faer divides one matrix among threads. Their number is fixed, since the order of its sums
/// follows it; small matrices are not worth a second thread.
pub fn threads(n: usize) -> Par {
    if n >= 256 { Par::rayon(4) } else { Par::Seq }
}

/// Runs `f` with scratch memory.
pub fn with_scratch<R>(size: StackReq, f: impl FnOnce(&mut MemStack) -> R) -> R {
    f(MemStack::new(&mut MemBuffer::new(size)))
}

/// Matrix `i` of a batch.
pub fn matrix<T>(x: &[T], size: usize, i: usize) -> &[T] {
    &x[i * size..][..size]
}

/// The number of matrices of a batch; none of those without entries, which need no work.
pub fn count(len: usize, size: usize) -> usize {
    len.checked_div(size).unwrap_or(0)
}

/// A copy of a row-major matrix, column-major as faer prefers it.
pub fn owned<T: Field>(x: &[T], rows: usize, columns: usize) -> faer::Mat<T> {
    faer::Mat::from_fn(rows, columns, |i, j| x[i * columns + j])
}

/// Writes a matrix in row-major order.
pub fn store<T: Field>(x: faer::MatRef<'_, T>, out: &mut [T]) {
    let columns = x.ncols();
    for (i, row) in out.chunks_mut(columns.max(1)).enumerate() {
        for (j, o) in row.iter_mut().enumerate() {
            *o = x[(i, j)];
        }
    }
}
