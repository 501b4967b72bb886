//! The matrices that a problem gives to solvers.

use crate::ad::Scalar;
use argmin::argmin_error;
use argmin::core::Error;
use argmin_math::{ArgminDot, ArgminInv, ArgminTranspose};

/// A dense matrix with what the solvers of argmin ask of a Hessian and of a Jacobian.
///
/// `Vec<Vec<f64>>`, which argmin-math knows, has no inverse there, so that `Newton` and `GaussNewton` cannot take it.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<T> {
    rows: Vec<Vec<T>>,
    columns: usize,
}

impl<T: Scalar> Matrix<T> {
    /// The matrix of these rows.
    ///
    /// # Panics
    /// If a row has another number of columns.
    #[track_caller]
    pub fn new(rows: Vec<Vec<T>>, columns: usize) -> Self {
        assert!(
            rows.iter().all(|row| row.len() == columns),
            "rows of {columns} numbers"
        );
        Matrix { rows, columns }
    }

    /// The rows.
    pub fn rows(&self) -> &[Vec<T>] {
        &self.rows
    }

    /// The rows, owned.
    pub fn into_rows(self) -> Vec<Vec<T>> {
        self.rows
    }

    /// The transpose.
    pub fn transposed(&self) -> Self {
        let column = |j: usize| self.rows.iter().map(|row| row[j]).collect();
        Matrix {
            rows: (0..self.columns).map(column).collect(),
            columns: self.rows.len(),
        }
    }

    /// The inverse, by elimination with the largest pivot of each column.
    fn inverse(&self) -> Option<Self> {
        let n = self.columns;
        if self.rows.len() != n {
            return None;
        }
        let unit = |i: usize| (0..n).map(move |j| if i == j { T::ONE } else { T::ZERO });
        let mut rows: Vec<Vec<T>> = self.rows.clone();
        for (i, row) in rows.iter_mut().enumerate() {
            row.extend(unit(i));
        }
        for k in 0..n {
            let size = |i: &usize| rows[*i][k].abs().to_f64();
            let pivot = (k..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
            rows.swap(k, pivot);
            let divisor = rows[k][k];
            if divisor.is_zero() || !divisor.is_finite() {
                return None;
            }
            rows[k].iter_mut().for_each(|x| *x /= divisor);
            let pivot_row = rows[k].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
                let factor = row[k];
                row.iter_mut()
                    .zip(&pivot_row)
                    .for_each(|(x, p)| *x -= factor * *p);
            }
        }
        let rows = rows.into_iter().map(|row| row[n..].to_vec()).collect();
        Some(Matrix { rows, columns: n })
    }
}

fn inner<T: Scalar>(a: &[T], b: &[T]) -> T {
    assert_eq!(a.len(), b.len(), "lengths of the factors");
    a.iter().zip(b).map(|(a, b)| *a * *b).sum()
}

impl<T: Scalar> ArgminDot<Vec<T>, Vec<T>> for Matrix<T> {
    fn dot(&self, other: &Vec<T>) -> Vec<T> {
        self.rows.iter().map(|row| inner(row, other)).collect()
    }
}

impl<T: Scalar> ArgminDot<Matrix<T>, Matrix<T>> for Matrix<T> {
    fn dot(&self, other: &Matrix<T>) -> Matrix<T> {
        let other_columns = other.transposed();
        let row = |row: &Vec<T>| other_columns.rows.iter().map(|c| inner(row, c)).collect();
        Matrix {
            rows: self.rows.iter().map(row).collect(),
            columns: other.columns,
        }
    }
}

impl<T: Scalar> ArgminTranspose<Matrix<T>> for Matrix<T> {
    fn t(self) -> Matrix<T> {
        self.transposed()
    }
}

/// A singular matrix is an error.
impl<T: Scalar> ArgminInv<Matrix<T>> for Matrix<T> {
    fn inv(&self) -> Result<Matrix<T>, Error> {
        let singular = || argmin_error!(ConditionViolated, "the matrix is singular");
        self.inverse().ok_or_else(singular)
    }
}
