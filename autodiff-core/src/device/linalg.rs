//! The seam for factorisations of matrices.

use super::backend::declare_backend;
use super::*;
pub use crate::kernel::linalg::{Gaps, Triangle};

/// An element type of matrices that are factorised: every [`Float`].
pub trait Factorize: Float {}
impl<T: Float> Factorize for T {}

/// The methods of [`Linalg`], as [`methods_of_backend`](super::backend).
macro_rules! methods_of_linalg {
    ($then:ident [$($with:tt)*]) => { $then! { [$($with)*]
    on_host {
        /// The triangles of Gaussian elimination in one matrix, zero if the matrix is singular; row `i` of
        /// them is row `order[i]` of `x`.
        fn lu[T: Factorize](; x: View<'_, T, Self>, lu: ViewMut<'_, T, Self>, order: ViewMut<'_, i64, Self>);
        /// `out ← A⁻¹b`, or `A⁻ᵀb`, from the factors of `A`. Fails where `A` is singular.
        fn lu_solve[T: Factorize](
            transposed: bool; lu: View<'_, T, Self>, order: View<'_, i64, Self>, b: View<'_, T, Self>,
            out: ViewMut<'_, T, Self>
        ) -> Option<usize>;
        /// The determinant.
        fn determinant[T: Factorize](; x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
        /// From the factors: the sign of the determinant, and the logarithm of its absolute value.
        fn lu_determinant[T: Factorize](
            ; lu: View<'_, T, Self>, order: View<'_, i64, Self>, sign: ViewMut<'_, T, Self>,
            log: ViewMut<'_, T, Self>
        );
        /// The matrix of cofactors.
        fn cofactor[T: Factorize](; x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
        /// `out ← A⁻¹b` for a triangular `A`. Fails where the diagonal has a zero.
        fn solve_triangular[T: Factorize](
            which: Triangle; a: View<'_, T, Self>, b: View<'_, T, Self>, out: ViewMut<'_, T, Self>
        ) -> Option<usize>;
        /// The lower triangular `L` with `L·Lᵀ = (x + xᵀ)/2`. Fails where that is not positive definite.
        fn cholesky[T: Factorize](; x: View<'_, T, Self>, out: ViewMut<'_, T, Self>) -> Option<usize>;
        /// `x = q·r` with orthonormal columns and an upper triangle.
        fn qr[T: Factorize](; x: View<'_, T, Self>, q: ViewMut<'_, T, Self>, r: ViewMut<'_, T, Self>);
        /// The eigenvalues of `(x + xᵀ)/2` in ascending order and its eigenvectors as columns. Fails where
        /// the iteration does not converge.
        fn eigh[T: Factorize](
            ; x: View<'_, T, Self>, values: ViewMut<'_, T, Self>, vectors: Option<ViewMut<'_, T, Self>>
        ) -> Option<usize>;
        /// The singular values of `x = u·diag(s)·vt` in descending order, and its vectors. Fails where the
        /// iteration does not converge.
        fn svd[T: Factorize](
            ; x: View<'_, T, Self>, s: ViewMut<'_, T, Self>, vectors: Option<[ViewMut<'_, T, Self>; 2]>
        ) -> Option<usize>;
        /// Divides by the gaps between the values of a spectrum.
        fn divide_gaps[T: Factorize](
            how: Gaps; values: View<'_, T, Self>, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>
        );
        /// The exponential.
        fn matrix_exp[T: Factorize](; x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
        /// Its derivative at `x` in the direction `t`.
        fn matrix_exp_derivative[T: Factorize](
            ; x: View<'_, T, Self>, t: View<'_, T, Self>, out: ViewMut<'_, T, Self>
        );
    }
    } };
}
pub(crate) use methods_of_linalg;

methods_of_linalg!(declare_backend [
    /// A device that factorises matrices: the last two axes of an operand are a matrix, those before them
    /// a batch. All operands are dense.
    ///
    /// A result is NaN where the operand is not finite. A method that can fail returns the number of the
    /// first matrix of the batch for which it did; the result for that matrix is NaN.
    trait Linalg: [Backend] {}
]);
