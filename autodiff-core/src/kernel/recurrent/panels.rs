//! A matrix that many small matrices are multiplied by.

use crate::device::Float;
use crate::kernel::gemm::Mat;
use crate::kernel::pool::Buffer;

/// Columns of a panel: a multiple of what the product of matrices takes at once.
const WIDTH: usize = 64;
/// Columns are filled up with zeros to a multiple of this: the product would arrange others anew for each call.
const FILL: usize = 16;

/// A matrix in panels of neighbouring columns, so that a panel lies in the first-level cache without gaps while all
/// rows of the other operand meet it.
pub struct Panels<T> {
    data: Buffer<T>,
    rows: usize,
    /// Columns, with those that are filled up.
    pub columns: usize,
}

impl<T: Float> Panels<T> {
    /// From a dense matrix with `columns` columns.
    pub fn new(x: &[T], columns: usize) -> Self {
        let rows = x.len().checked_div(columns).unwrap_or(0);
        let padded = columns.next_multiple_of(FILL);
        let mut data = Buffer::unspecified(rows * padded);
        let mut rest = &mut data[..];
        for start in (0..padded).step_by(WIDTH) {
            let width = WIDTH.min(padded - start);
            let (panel, after) = rest.split_at_mut(rows * width);
            let lines = x.chunks_exact(columns.max(1));
            for (to, from) in panel.chunks_exact_mut(width).zip(lines) {
                let from = &from[start..columns.min(start + width)];
                let (to, fill) = to.split_at_mut(from.len());
                to.copy_from_slice(from);
                fill.fill(T::ZERO);
            }
            rest = after;
        }
        Panels {
            data,
            rows,
            columns: padded,
        }
    }

    /// Room for products of `rows` rows.
    pub fn room(&self, rows: usize) -> Buffer<T> {
        Buffer::unspecified(rows.max(2) * self.columns)
    }

    /// `out ←` the product of `rows` rows, of which one begins every `step` entries of `x`, with the matrix. `out` is
    /// [`room`](Panels::room), of which rows have [`columns`](Panels::columns) entries.
    pub fn multiply(&self, x: &[T], step: usize, rows: usize, out: &mut [T]) {
        if rows == 0 || self.columns == 0 {
            return;
        }
        // One row is multiplied twice: the product of a vector and a matrix takes three times as long.
        let (rows, step) = if rows == 1 { (2, 0) } else { (rows, step) };
        assert!(
            (rows - 1) * step + self.rows <= x.len() && out.len() == rows * self.columns,
            "the sizes of a product fit"
        );
        let left = Mat {
            rows,
            cols: self.rows,
            row_step: step,
            col_step: 1,
        };
        for start in (0..self.columns).step_by(WIDTH) {
            let width = WIDTH.min(self.columns - start);
            let right = Mat {
                rows: self.rows,
                cols: width,
                row_step: width,
                col_step: 1,
            };
            let to = Mat {
                rows,
                cols: width,
                row_step: self.columns,
                col_step: 1,
            };
            let panel = (&self.data[..], start * self.rows, right);
            T::matrix_product(
                false,
                [T::ONE, T::ZERO],
                (x, 0, left),
                panel,
                (out, start, to),
            );
        }
    }
}
