//! Jacobians and Hessians as one matrix.
//!
//! `f::jacobian` and `f::hessian` have the shape of values and arguments. Read entry by entry, the outer shape first,
//! they are the rows of a matrix one after the other: row `i` belongs to the `i`-th scalar of the value, column `j` to
//! the `j`-th scalar of the arguments with a gradient, in the order of arguments, fields and entries (of matrices of
//! glam and nalgebra column by column, as they lie in memory).

use super::basis::{basis, entries};
use super::{Differentiable, JacobianOutput, Scalar, Tangent};
use core::ops::Index;

/// Numbers that make no matrix of the shape that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// A Hessian has as many rows as columns.
    #[error("{entries} numbers are no square matrix")]
    NotSquare {
        /// How many numbers there are.
        entries: usize,
    },
    /// Rows are of one length.
    #[error("{entries} numbers are no rows of {columns}")]
    Ragged {
        /// How many numbers there are.
        entries: usize,
        /// The length of a row.
        columns: usize,
    },
}

/// A dense matrix, row by row: what `f::jacobian_matrix` gives, and Hessians by [`from_hessian`](Matrix::from_hessian).
///
/// ```
/// use differentiable::ad::Matrix;
/// use differentiable::prelude::*;
///
/// #[differentiable(higher_order)]
/// fn energy(x: &[f64], k: f64) -> f64 {
///     0.5 * k * (x[1] - x[0]).powi(2)
/// }
///
/// // Rows and columns are `x[0]`, `x[1]` and `k`.
/// let hessian = Matrix::from_hessian(&energy::hessian(&[1.0, 4.0], 2.0))?;
/// assert_eq!(hessian.shape(), (3, 3));
/// assert_eq!(hessian.row(0), [2.0, -2.0, -3.0]);
/// assert_eq!(hessian[(1, 2)], 3.0);
/// # Ok::<(), differentiable::ad::MatrixError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<T = f64> {
    rows: usize,
    columns: usize,
    entries: Vec<T>,
}

impl<T> Matrix<T> {
    /// That of these entries, row by row.
    pub(crate) fn of(rows: usize, columns: usize, entries: Vec<T>) -> Self {
        assert_eq!(entries.len(), rows * columns, "an entry for each place");
        Matrix {
            rows,
            columns,
            entries,
        }
    }
}

impl Matrix<f64> {
    /// The value of `f::hessian` as a square matrix.
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`] if the value is no Hessian.
    pub fn from_hessian(hessian: &impl Tangent) -> Result<Self, MatrixError> {
        let entries = read(hessian);
        let n = entries.len().isqrt();
        if n * n != entries.len() {
            return Err(MatrixError::NotSquare {
                entries: entries.len(),
            });
        }
        Ok(Matrix {
            rows: n,
            columns: n,
            entries,
        })
    }
}

// Of these numbers alone: entries of duals are read without their tangents.
macro_rules! from_rows {
    ($($t:ident)*) => { $(
        impl Matrix<$t> {
            /// Rows of `columns` numbers each, from the value of `f::jacobian` or of anything else that has its
            /// shape. Of no numbers, no rows; where there are no columns, there are no rows either.
            ///
            /// # Errors
            /// [`MatrixError::Ragged`] if the numbers are not so many rows.
            pub fn from_rows(columns: usize, rows: &impl Tangent) -> Result<Self, MatrixError> {
                let entries = read(rows);
                let found = entries.len();
                let rows = found.checked_div(columns).unwrap_or(0);
                if rows * columns != found {
                    return Err(MatrixError::Ragged { entries: found, columns });
                }
                Ok(Matrix { rows, columns, entries })
            }
        }
    )* };
}
from_rows!(f32 f64);

impl<T> Matrix<T> {
    /// How many rows there are: one for each scalar of the value.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// How many columns there are: one for each scalar of the arguments.
    pub fn columns(&self) -> usize {
        self.columns
    }
    /// The numbers of rows and of columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }
    /// One row.
    ///
    /// # Panics
    /// If there are not as many rows.
    #[track_caller]
    pub fn row(&self, i: usize) -> &[T] {
        assert!(i < self.rows, "row {i} of a matrix of {}", self.rows);
        &self.entries[i * self.columns..(i + 1) * self.columns]
    }
    /// The entries, row by row.
    pub fn as_slice(&self) -> &[T] {
        &self.entries
    }
    /// The number of rows, of columns, and the entries row by row.
    pub fn into_parts(self) -> (usize, usize, Vec<T>) {
        (self.rows, self.columns, self.entries)
    }
}

/// Row and column.
impl<T> Index<(usize, usize)> for Matrix<T> {
    type Output = T;
    #[track_caller]
    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.row(i)[j]
    }
}

#[cfg(feature = "linalg")]
impl<T: Clone> Matrix<T> {
    /// As a matrix of faer, whose columns lie in memory one after the other.
    pub fn to_faer(&self) -> ::faer::Mat<T> {
        ::faer::Mat::from_fn(self.rows, self.columns, |i, j| self[(i, j)].clone())
    }
}

#[cfg(feature = "ndarray")]
impl<T: Clone> Matrix<T> {
    /// As an array of ndarray.
    pub fn to_ndarray(&self) -> ::ndarray::Array2<T> {
        let entries = self.entries.clone();
        let array = ::ndarray::Array2::from_shape_vec(self.shape(), entries);
        array.expect("as many entries as the shape says")
    }
}

/// All numbers in order.
fn read<T: Scalar>(numbers: &impl Tangent) -> Vec<T> {
    let mut entries = Vec::new();
    numbers.each(&mut |x| entries.push(T::lit(x)));
    entries
}

/// How many scalars an argument has.
#[doc(hidden)]
pub fn columns_of<T: Differentiable + ?Sized>(argument: &T) -> usize {
    entries(&argument.zero_tangent())
}

/// The value of `F::jacobian` as a matrix.
#[doc(hidden)]
pub fn jacobian_matrix<'z, F, O, G>(columns: usize, rows: &O::Rows<G>) -> Matrix<O::Number>
where
    F: ?Sized,
    O: Differentiable + JacobianOutput<'z, F, O::Tangent>,
    G: Tangent,
{
    let (mut count, mut entries) = (0, Vec::new());
    O::each_row(rows, &mut |row: &G| {
        count += 1;
        row.each(&mut |x| entries.push(O::number(x)));
    });
    assert_eq!(
        entries.len(),
        count * columns,
        "a gradient has a number for each of the arguments"
    );
    Matrix {
        rows: count,
        columns,
        entries,
    }
}

/// The same, by forward mode where there are fewer columns than rows: a run of `forward` gives a column, one of the
/// pullback a row. The first column tells how many rows there are.
#[doc(hidden)]
pub fn jacobian_matrix_either_way<'z, F, O, G>(
    zero: &G,
    mut forward: impl FnMut(G) -> (O, O::Tangent),
    reverse: impl FnOnce() -> Matrix<O::Number>,
) -> Matrix<O::Number>
where
    F: ?Sized,
    O: Differentiable + JacobianOutput<'z, F, O::Tangent>,
    G: Tangent,
{
    let columns = entries(zero);
    if columns == 0 {
        return reverse();
    }
    let (value, first) = forward(basis(zero, 0));
    let rows = value.count();
    if rows < columns {
        return reverse();
    }
    let mut tangents = vec![first];
    tangents.extend((1..columns).map(|k| forward(basis(zero, k)).1));
    let mut numbers = vec![0.0; rows * columns];
    for (k, tangent) in tangents.iter().enumerate() {
        let mut column = numbers.iter_mut().skip(k).step_by(columns);
        tangent.each(&mut |x| *column.next().expect("an entry for each row") = x);
    }
    Matrix {
        rows,
        columns,
        entries: numbers.into_iter().map(O::number).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_that_are_none() {
        let rows = vec![vec![1.0, 2.0], vec![3.0]];
        let ragged = MatrixError::Ragged {
            entries: 3,
            columns: 2,
        };
        assert_eq!(Matrix::<f64>::from_rows(2, &rows), Err(ragged));
        assert_eq!(
            Matrix::from_hessian(&rows),
            Err(MatrixError::NotSquare { entries: 3 })
        );
        let none = MatrixError::Ragged {
            entries: 3,
            columns: 0,
        };
        assert_eq!(Matrix::<f64>::from_rows(0, &rows), Err(none));
    }

    #[test]
    fn nothing_in_them() {
        let none: Vec<Vec<f64>> = Vec::new();
        assert_eq!(Matrix::<f32>::from_rows(4, &none).unwrap().shape(), (0, 4));
        assert_eq!(Matrix::<f64>::from_rows(0, &none).unwrap().shape(), (0, 0));
        assert_eq!(
            Matrix::from_hessian(&none).unwrap().into_parts(),
            (0, 0, vec![])
        );
    }
}
