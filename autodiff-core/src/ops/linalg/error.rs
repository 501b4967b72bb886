//! What can be wrong with a matrix.

use crate::shape::{Matrices, ShapeError};

/// Why a matrix operation has no result. Matrices of a batch are counted from 0, in row-major order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinalgError {
    /// Elimination met a column without a pivot, or a triangle has a zero on its diagonal.
    #[error("matrix {matrix} of the batch is singular")]
    Singular {
        /// Which matrix of the batch.
        matrix: usize,
    },
    /// The symmetric part of a matrix has no Cholesky factor.
    #[error("matrix {matrix} of the batch is not positive definite")]
    NotPositiveDefinite {
        /// Which matrix of the batch.
        matrix: usize,
    },
    /// A least-squares problem has no unique answer.
    #[error("matrix {matrix} of the batch does not have full rank")]
    RankDeficient {
        /// Which matrix of the batch.
        matrix: usize,
    },
    /// An iteration for eigenvalues or singular values did not end.
    #[error("the iteration for matrix {matrix} of the batch did not converge")]
    NoConvergence {
        /// Which matrix of the batch.
        matrix: usize,
    },
    /// Run-time sizes do not fit.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

/// What a device found, or the error of the first matrix for which it did not.
#[track_caller]
pub(super) fn found<R>(
    (result, failed): (R, Option<usize>),
    error: impl Fn(usize) -> LinalgError,
) -> Result<R, LinalgError> {
    failed.map_or(Ok(result), |matrix| Err(error(matrix)))
}

/// What an iteration found.
#[track_caller]
pub(super) fn converged<R>(outcome: (R, Option<usize>)) -> Result<R, LinalgError> {
    found(outcome, |matrix| LinalgError::NoConvergence { matrix })
}

/// Any sizes.
#[track_caller]
pub(super) fn rectangular<S: Matrices>(_: S) -> Result<(), LinalgError> {
    Ok(())
}

/// That the last two dimensions, which have one type, have one size.
#[track_caller]
pub(super) fn square<S: Matrices>(shape: S) -> Result<(), LinalgError> {
    let dims = shape.dims();
    let r = dims.rank();
    if dims[r - 2] == dims[r - 1] {
        return Ok(());
    }
    Err(LinalgError::Shape(ShapeError::Dimension {
        left: S::NAMES[r - 2],
        left_size: dims[r - 2],
        right: S::NAMES[r - 1],
        right_size: dims[r - 1],
    }))
}
