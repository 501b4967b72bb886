//! Matrices to read, anywhere in a buffer, and their products.

use super::gemm::Mat;
use crate::device::{Elem, Float};

/// A matrix to read, from the start of `data`.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'a, T> {
    pub data: &'a [T],
    pub mat: Mat,
}

impl<'a, T: Elem> Matrix<'a, T> {
    /// Rows of `width` entries, one after another.
    pub fn rows(data: &'a [T], width: usize) -> Self {
        let mat = Mat {
            rows: data.len().checked_div(width).unwrap_or(0),
            cols: width,
            row_step: width,
            col_step: 1,
        };
        Matrix { data, mat }
    }

    /// The transpose.
    pub fn t(self) -> Self {
        let mat = Mat {
            rows: self.mat.cols,
            cols: self.mat.rows,
            row_step: self.mat.col_step,
            col_step: self.mat.row_step,
        };
        Matrix { mat, ..self }
    }

    /// The first `n` entries of a row, and the step between them.
    pub fn row(&self, i: usize, n: usize) -> (&'a [T], usize) {
        assert!(
            i < self.mat.rows && n <= self.mat.cols,
            "a row of the matrix"
        );
        if n == 0 {
            return (&[], 1);
        }
        let at = i * self.mat.row_step;
        (
            &self.data[at..][..(n - 1) * self.mat.col_step + 1],
            self.mat.col_step,
        )
    }

    /// `out ←` the entries, column after column.
    pub fn transpose_into(&self, out: &mut [T]) {
        assert!(self.fits() && out.len() == self.mat.rows * self.mat.cols);
        for (j, column) in out.chunks_mut(self.mat.rows.max(1)).enumerate() {
            let from = &self.data[j * self.mat.col_step..];
            for (o, x) in column
                .iter_mut()
                .zip(from.iter().step_by(self.mat.row_step.max(1)))
            {
                *o = *x;
            }
        }
    }

    fn fits(&self) -> bool {
        let last = |n: usize, step: usize| n.saturating_sub(1) * step;
        self.mat.rows == 0
            || self.mat.cols == 0
            || last(self.mat.rows, self.mat.row_step) + last(self.mat.cols, self.mat.col_step)
                < self.data.len()
    }
}

/// `out ← beta·out + alpha·a·b`, where `out` is dense; with `beta` 0 it is not read. With `threads`, a large
/// product is divided.
pub(super) fn product<T: Float>(
    threads: bool,
    alpha: T,
    a: Matrix<'_, T>,
    b: Matrix<'_, T>,
    beta: T,
    out: &mut [T],
) {
    let (m, n, k) = (a.mat.rows, b.mat.cols, a.mat.cols);
    assert!(
        k == b.mat.rows && out.len() == m * n && a.fits() && b.fits(),
        "the sizes of a product fit"
    );
    if out.is_empty() {
        return;
    }
    if k == 0 {
        // An empty sum.
        return out
            .iter_mut()
            .for_each(|o| *o = if beta == T::ZERO { T::ZERO } else { beta * *o });
    }
    let to = Matrix::rows(&*out, n).mat;
    let (a, b) = ((a.data, 0, a.mat), (b.data, 0, b.mat));
    T::matrix_product(threads, [alpha, beta], a, b, (out, 0, to));
}
