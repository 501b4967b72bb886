//! What is wrong with a pattern, or with how it is used.

/// A pattern does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SparsityError {
    /// An entry that is not zero is not in the pattern.
    #[error(
        "the pattern has no entry in row {row}, column {column}, where the derivative is not zero: \
         it was given wrongly, or the function took another branch where it was found"
    )]
    Missing {
        /// The row of the entry.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// The function has another number of outputs or inputs than the pattern rows or columns.
    #[error(
        "the pattern is for {expected_rows} rows and {expected_columns} columns, the function has {rows} and {columns}"
    )]
    Shape {
        /// Rows of the pattern.
        expected_rows: usize,
        /// Columns of the pattern.
        expected_columns: usize,
        /// Scalars in the output of the function.
        rows: usize,
        /// Scalars in its differentiable arguments.
        columns: usize,
    },
    /// An entry lies outside of the matrix.
    #[error("row {row}, column {column} is outside of a matrix of {rows} by {columns}")]
    Outside {
        /// The row of the entry.
        row: usize,
        /// Its column.
        column: usize,
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
    },
    /// The offsets or columns of rows are not those of a matrix.
    #[error("row {row} is no row of a sparse matrix: {what}")]
    Malformed {
        /// The row.
        row: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A Hessian is symmetric, and the pattern is not.
    #[error(
        "the pattern of a Hessian has row {row}, column {column}, but not the entry across the diagonal"
    )]
    NotSymmetric {
        /// The row of the entry that is there.
        row: usize,
        /// Its column.
        column: usize,
    },
}
