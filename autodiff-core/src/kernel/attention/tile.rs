//! Blocks of the matrices of all heads.

use super::Strided;
use crate::device::Elem;
use crate::kernel::gemm::Mat;
use crate::kernel::matrix::Matrix;
use crate::kernel::nest::Nest;
use crate::kernel::par;
use crate::kernel::pool::Buffer;
use core::ops::Range;

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
        let mat = Mat {
            rows,
            cols,
            row_step: layout.strides()[r - 2],
            col_step: layout.strides()[r - 1],
        };
        let first = Matrix { data, mat };
        Heads { data, at, first }
    }

    /// Some rows of the matrix of one head.
    pub fn rows(&self, head: usize, rows: Range<usize>) -> Matrix<'a, T> {
        self.block(head, rows, 0..self.first.mat.cols)
    }

    /// Some rows and columns of the matrix of one head.
    pub fn block(&self, head: usize, rows: Range<usize>, cols: Range<usize>) -> Matrix<'a, T> {
        let m = self.first.mat;
        assert!(
            rows.end <= m.rows && cols.end <= m.cols,
            "a block of the matrix"
        );
        let at = self.at[head] + rows.start * m.row_step + cols.start * m.col_step;
        let mat = Mat {
            rows: rows.len(),
            cols: cols.len(),
            ..m
        };
        Matrix {
            data: &self.data[at.min(self.data.len())..],
            mat,
        }
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
        let (rows, cols) = (heads.first.mat.rows, heads.first.mat.cols);
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
        let mat = Mat {
            rows: self.cols,
            cols: rows.len(),
            row_step: self.block.min(self.rows - rows.start),
            col_step: 1,
        };
        Matrix {
            data: &self.data[at..],
            mat,
        }
    }
}
