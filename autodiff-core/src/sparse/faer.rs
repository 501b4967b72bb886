//! To the sparse matrices of [faer](::faer::sparse), whose solvers take them.

use super::Csr;
use crate::ad::Scalar;
use ::faer::sparse::{SparseColMat, SparseRowMat, SymbolicSparseColMat, SymbolicSparseRowMat};

/// The same memory, as a matrix of faer.
impl<T: Scalar> From<Csr<T>> for SparseRowMat<usize, T> {
    fn from(a: Csr<T>) -> Self {
        let symbolic =
            SymbolicSparseRowMat::new_checked(a.shape.0, a.shape.1, a.row_offsets, None, a.columns);
        SparseRowMat::new(symbolic, a.values)
    }
}

/// By columns, as most solvers of faer take it.
impl<T: Scalar> From<&Csr<T>> for SparseColMat<usize, T> {
    fn from(a: &Csr<T>) -> Self {
        let by_columns = a.transposed();
        let symbolic = SymbolicSparseColMat::new_checked(
            a.shape.0,
            a.shape.1,
            by_columns.row_offsets,
            None,
            by_columns.columns,
        );
        SparseColMat::new(symbolic, by_columns.values)
    }
}
