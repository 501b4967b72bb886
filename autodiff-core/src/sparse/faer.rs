//! To the sparse matrices of [faer](::faer::sparse), whose solvers take them.

use super::Csr;
use crate::ad::Scalar;
use ::faer::sparse::{SparseColMat, SparseRowMat, SymbolicSparseColMat, SymbolicSparseRowMat};

/// The same values, as a matrix of faer; the pattern is copied if it is shared.
impl<T: Scalar> From<Csr<T>> for SparseRowMat<usize, T> {
    fn from(a: Csr<T>) -> Self {
        let (rows, columns) = a.shape();
        let (offsets, indices, values) = a.into_parts();
        let symbolic = SymbolicSparseRowMat::new_checked(rows, columns, offsets, None, indices);
        SparseRowMat::new(symbolic, values)
    }
}

/// By columns, as most solvers of faer take it.
impl<T: Scalar> From<&Csr<T>> for SparseColMat<usize, T> {
    fn from(a: &Csr<T>) -> Self {
        let (rows, columns) = a.shape();
        let (offsets, indices, values) = a.transposed().into_parts();
        let symbolic = SymbolicSparseColMat::new_checked(rows, columns, offsets, None, indices);
        SparseColMat::new(symbolic, values)
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
