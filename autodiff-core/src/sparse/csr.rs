//! A sparse matrix by rows.

use super::Pattern;
use crate::ad::Scalar;

/// A matrix in compressed sparse rows: a pattern, which it shares with the plan that gave it, and a value for each
/// entry. Row `i` has the entries `row_offsets()[i]..row_offsets()[i + 1]`, in order of their columns.
///
/// ```
/// use differentiable::sparse::{Csr, Pattern};
///
/// let pattern = Pattern::from_entries((2, 3), [(0, 0), (1, 0), (1, 2)])?;
/// let a = Csr::new(&pattern, vec![1.0, 2.0, 3.0]);
/// assert_eq!(a.to_dense(), [[1.0, 0.0, 0.0], [2.0, 0.0, 3.0]]);
/// assert_eq!(a.mul_vec(&[1.0, 10.0, 100.0]), [1.0, 302.0]);
/// # Ok::<(), differentiable::sparse::SparsityError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Csr<T> {
    pattern: Pattern,
    /// The entries, in the order of the pattern: as many as it has.
    pub values: Vec<T>,
}

impl<T> Csr<T> {
    /// A matrix with these entries, in the order of the pattern.
    ///
    /// # Panics
    /// If there are not as many values as entries.
    pub fn new(pattern: &Pattern, values: Vec<T>) -> Self {
        assert_eq!(
            values.len(),
            pattern.len(),
            "a value for each entry of the pattern"
        );
        Csr {
            pattern: pattern.clone(),
            values,
        }
    }

    /// Where its entries are.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// How many rows and columns there are.
    pub fn shape(&self) -> (usize, usize) {
        self.pattern.shape()
    }

    /// How many entries it stores.
    pub fn nnz(&self) -> usize {
        self.pattern.len()
    }

    /// Where the entries of each row begin, and where the last ends: one more than rows.
    pub fn row_offsets(&self) -> &[usize] {
        self.pattern.row_offsets()
    }

    /// The column of each entry; they rise in each row.
    pub fn column_indices(&self) -> &[usize] {
        self.pattern.column_indices()
    }

    /// Its row offsets, columns and values, as most libraries take them: the first two are copied if the pattern
    /// is shared.
    pub fn into_parts(self) -> (Vec<usize>, Vec<usize>, Vec<T>) {
        let (row_offsets, columns) = self.pattern.into_parts();
        (row_offsets, columns, self.values)
    }
}

impl<T: Scalar> Csr<T> {
    /// A matrix with this pattern, all of whose entries are zero.
    pub fn zeros(pattern: &Pattern) -> Self {
        Csr::new(pattern, vec![T::ZERO; pattern.len()])
    }

    /// Takes a pattern on; the values stay as far as there are entries for them.
    pub(super) fn reshape(&mut self, pattern: &Pattern) {
        self.pattern = pattern.clone();
        self.values.resize(pattern.len(), T::ZERO);
    }

    /// The columns and the values of a row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, row: usize) -> (&[usize], &[T]) {
        (self.pattern.row(row), &self.values[self.pattern.range(row)])
    }

    /// An entry: zero where none is stored.
    ///
    /// # Panics
    /// If it lies outside.
    pub fn get(&self, row: usize, column: usize) -> T {
        let of = self.shape().1;
        assert!(column < of, "column {column} of {of} columns");
        let (columns, values) = self.row(row);
        columns
            .binary_search(&column)
            .map_or(T::ZERO, |at| values[at])
    }

    /// All entries, (row, column, value) each, row by row.
    pub fn to_coo(&self) -> Vec<(usize, usize, T)> {
        let row = |i: usize| {
            let (columns, values) = self.row(i);
            columns.iter().zip(values).map(move |(j, x)| (i, *j, *x))
        };
        (0..self.shape().0).flat_map(row).collect()
    }

    /// All rows in full.
    pub fn to_dense(&self) -> Vec<Vec<T>> {
        let row = |i: usize| {
            let mut dense = vec![T::ZERO; self.shape().1];
            let (columns, values) = self.row(i);
            columns.iter().zip(values).for_each(|(j, x)| dense[*j] = *x);
            dense
        };
        (0..self.shape().0).map(row).collect()
    }

    /// The product with a vector.
    ///
    /// # Panics
    /// If the vector has another length than there are columns.
    pub fn mul_vec(&self, x: &[T]) -> Vec<T> {
        assert_eq!(x.len(), self.shape().1, "an entry for each column");
        let product = |i: usize| {
            let (columns, values) = self.row(i);
            let terms = columns.iter().zip(values).map(|(j, a)| *a * x[*j]);
            // Not `sum`, which starts at -0.0.
            terms.fold(T::ZERO, |s, t| s + t)
        };
        (0..self.shape().0).map(product).collect()
    }

    /// The product of the transposed matrix with a vector: of a Jacobian, the pullback.
    ///
    /// # Panics
    /// If the vector has another length than there are rows.
    pub fn transposed_mul_vec(&self, x: &[T]) -> Vec<T> {
        assert_eq!(x.len(), self.shape().0, "an entry for each row");
        let mut product = vec![T::ZERO; self.shape().1];
        for (i, x) in x.iter().enumerate() {
            let (columns, values) = self.row(i);
            for (j, a) in columns.iter().zip(values) {
                product[*j] += *a * *x;
            }
        }
        product
    }

    /// The transposed matrix, whose rows are the columns of this one.
    pub fn transposed(&self) -> Csr<T> {
        let (pattern, from) = self.pattern.transposition();
        let values = from.iter().map(|k| self.values[*k]).collect();
        Csr { pattern, values }
    }
}
