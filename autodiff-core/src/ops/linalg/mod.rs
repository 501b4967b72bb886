//! Linear algebra: `solve solve_vec solve_triangular inv det slogdet logdet cholesky cholesky_solve qr eigh
//! eigvalsh svd svdvals pinv lstsq matrix_exp matrix_power trace cross`.
//!
//! The last two axes of a tensor are a matrix, those before them a batch. The rules are in closed form
//! on matrices; sources and conventions stand in the module of each. In common:
//!
//! - **Square** matrices are asked for by type; run-time dimensions of one name are compared when the
//!   operation runs.
//! - **Singular** matrices: `solve`, `inv` and the like panic and name the matrix of the batch; their
//!   `try_` forms return a [`LinalgError`]. As in LAPACK, singular means that elimination found no pivot at
//!   all; a matrix that is nearly singular is solved with the accuracy that it admits. `det` and its
//!   gradient are right for singular matrices, and so is its second derivative.
//! - **Symmetric** matrices (`cholesky`, `eigh`): both triangles are read, and the symmetric part
//!   `(A + Aᵀ)/2` is factorised. So the gradient is symmetric, and it is the derivative entry by entry.
//! - **Equal eigenvalues or singular values**: the derivative of their vectors is NaN, see `eigh` and `svd`.
//! - **NaN and ±∞** in a matrix make its results NaN, and nothing panics; other matrices of the batch do
//!   not notice.

mod cholesky;
mod determinant;
mod dual;
mod eigh;
mod error;
mod inverse;
mod least_squares;
mod power;
mod qr;
mod rule;
mod solve;
mod svd;
mod triangular;
mod vectors;

pub use error::LinalgError;
use error::{converged, found, rectangular, square};

use crate::device::Factorize;

/// The distance from 1 to the next number.
#[track_caller]
fn epsilon<T: Factorize>() -> f64 {
    match T::lit(1.0 + f64::EPSILON).to_f64() == 1.0 {
        true => f64::from(f32::EPSILON),
        false => f64::EPSILON,
    }
}
