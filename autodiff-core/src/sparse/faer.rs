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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::Pattern;

    #[test]
    fn the_entries_stay() {
        let pattern = Pattern::from_entries((3, 4), [(0, 3), (0, 1), (2, 0), (2, 1)]).unwrap();
        let a = Csr::new(&pattern, vec![1.0, 2.0, 3.0, 4.0]);
        let by_columns = SparseColMat::from(&a);
        let by_rows = SparseRowMat::from(a.clone());
        for i in 0..3 {
            for j in 0..4 {
                let stored = pattern.contains(i, j).then(|| a.get(i, j));
                assert_eq!(by_rows.get(i, j).copied(), stored);
                assert_eq!(by_columns.get(i, j).copied(), stored);
            }
        }
    }
}
