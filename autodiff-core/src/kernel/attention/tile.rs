//! Blocks of matrices and their products.

use super::Strided;
use crate::device::{Elem, Float};
use crate::kernel::nest::Nest;
use crate::kernel::par;
use crate::kernel::pool::Buffer;
use core::ops::Range;
use gemm::Parallelism;

/// The matrices of all heads: of one size, anywhere in a buffer.
pub struct Heads<'a, T> {
    data: &'a [T],
    at: Vec<usize>,
    first: Matrix<'a, T>,
}

impl<'a, T: Elem> Heads<'a, T> {
    /// The last two axes are those of the matrices.
    pub fn new((data, layout): Strided<'a, T>) -> Self {
        let r = layout.dims().rank();
        let (rows, cols) = (layout.dims()[r - 2], layout.dims()[r - 1]);
        let heads = layout
            .slice(r - 1, 0, cols.min(1))
            .slice(r - 2, 0, rows.min(1));
        let count = heads.dims().numel();
        let mut at = Vec::with_capacity(count);
        Nest::new(heads.dims(), [&heads]).runs(0, count, 1, |_, [i], _| at.push(i));
        assert!(layout.end() <= data.len(), "a matrix ends after its buffer");
        let first = Matrix {
            data,
            rows,
            cols,
            row_step: layout.strides()[r - 2],
            col_step: layout.strides()[r - 1],
        };
        Heads { data, at, first }
    }

    /// Some rows of the matrix of one head.
    pub fn rows(&self, head: usize, rows: Range<usize>) -> Matrix<'a, T> {
        self.block(head, rows, 0..self.first.cols)
    }

    /// Some rows and columns of the matrix of one head.
    pub fn block(&self, head: usize, rows: Range<usize>, cols: Range<usize>) -> Matrix<'a, T> {
        let m = self.first;
        assert!(
            rows.end <= m.rows && cols.end <= m.cols,
            "a block of the matrix"
        );
        let at = self.at[head] + rows.start * m.row_step + cols.start * m.col_step;
        Matrix {
            data: &self.data[at.min(self.data.len())..],
            rows: rows.len(),
            cols: cols.len(),
            ..m
        }
    }
}

/// A matrix to read, from the start of `data`.
#[derive(Clone, Copy)]
pub struct Matrix<'a, T> {
    data: &'a [T],
    rows: usize,
    cols: usize,
    row_step: usize,
    col_step: usize,
}

impl<'a, T: Elem> Matrix<'a, T> {
    /// Rows of `cols` entries, one after another.
    pub fn dense(data: &'a [T], cols: usize) -> Self {
        Matrix {
            data,
            rows: data.len() / cols,
            cols,
            row_step: cols,
            col_step: 1,
        }
    }

    /// The transpose.
    pub fn t(self) -> Self {
        Matrix {
            rows: self.cols,
            cols: self.rows,
            row_step: self.col_step,
            col_step: self.row_step,
            ..self
        }
    }

    /// The first `n` entries of a row, and the step between them.
    pub fn row(&self, i: usize, n: usize) -> (&'a [T], usize) {
        assert!(i < self.rows && n <= self.cols, "a row of the matrix");
        if n == 0 {
            return (&[], 1);
        }
        let at = i * self.row_step;
        (
            &self.data[at..][..(n - 1) * self.col_step + 1],
            self.col_step,
        )
    }

    /// `out ←` the entries, column after column.
    pub fn transpose_into(&self, out: &mut [T]) {
        assert!(self.fits() && out.len() == self.rows * self.cols);
        for (j, column) in out.chunks_mut(self.rows.max(1)).enumerate() {
            let from = &self.data[j * self.col_step..];
            for (o, x) in column
                .iter_mut()
                .zip(from.iter().step_by(self.row_step.max(1)))
            {
                *o = *x;
            }
        }
    }

    fn fits(&self) -> bool {
        let last = |n: usize, step: usize| n.saturating_sub(1) * step;
        self.rows == 0
            || self.cols == 0
            || last(self.rows, self.row_step) + last(self.cols, self.col_step) < self.data.len()
    }
}

/// The transposes of the matrices of all heads, block after block of `block` rows. Products read them without
/// arranging their entries anew for each tile.
pub struct Turned<T> {
    data: Buffer<T>,
    rows: usize,
    cols: usize,
    block: usize,
}

impl<T: Elem> Turned<T> {
    pub fn new(heads: &Heads<'_, T>, block: usize) -> Self {
        let (rows, cols) = (heads.first.rows, heads.first.cols);
        let mut data = Buffer::unspecified(heads.at.len() * rows * cols);
        par::rows(&mut data, rows * cols, 4, |first, part| {
            for (i, out) in part.chunks_mut(rows * cols).enumerate() {
                for (start, out) in (0..).step_by(block).zip(out.chunks_mut(block * cols)) {
                    let rows = start..rows.min(start + block);
                    heads.rows(first + i, rows).transpose_into(out);
                }
            }
        });
        Turned {
            data,
            rows,
            cols,
            block,
        }
    }

    /// The transpose of some rows, of which the first begins a block.
    pub fn columns(&self, head: usize, rows: Range<usize>) -> Matrix<'_, T> {
        let inside = rows.len() <= self.block && rows.end <= self.rows;
        assert!(inside && rows.start.is_multiple_of(self.block));
        let at = (head * self.rows + rows.start) * self.cols;
        Matrix {
            data: &self.data[at..],
            rows: self.cols,
            cols: rows.len(),
            row_step: self.block.min(self.rows - rows.start),
            col_step: 1,
        }
    }
}

/// `out ← beta·out + alpha·a·b`, where `out` is dense; with `beta` 0 it is not read.
pub fn product<T: Float>(alpha: T, a: Matrix<'_, T>, b: Matrix<'_, T>, beta: T, out: &mut [T]) {
    let (m, n, k) = (a.rows, b.cols, a.cols);
    assert!(
        k == b.rows && out.len() == m * n && a.fits() && b.fits(),
        "the sizes of a product fit"
    );
    if out.is_empty() {
        return;
    }
    let step = |s: usize| isize::try_from(s).expect("a stride fits isize");
    // SAFETY: every element of `a` and `b` lies in its slice, as `fits` says, and `out` is dense and exclusive.
    // The crate computes `dst ← alpha·dst + beta·lhs·rhs` and takes column strides first.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            out.as_mut_ptr(),
            1,
            step(n),
            beta != T::ZERO,
            a.data.as_ptr(),
            step(a.col_step),
            step(a.row_step),
            b.data.as_ptr(),
            step(b.col_step),
            step(b.row_step),
            beta,
            alpha,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}
