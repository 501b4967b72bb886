//! The seam for factorisations of matrices.

use super::cpu::{dense, flat};
use super::*;
pub use crate::kernel::linalg::{Gaps, Triangle};

/// An element type of matrices that are factorised: every [`Float`].
pub trait Factorize: Float {}
impl<T: Float> Factorize for T {}

/// A device that factorises matrices: the last two axes of an operand are a matrix, those before them
/// a batch. All operands are dense.
///
/// A result is NaN where the operand is not finite. A method that can fail returns the number of the
/// first matrix of the batch for which it did; the result for that matrix is NaN.
pub trait Linalg: Device {
    /// The triangles of Gaussian elimination in one matrix, zero if the matrix is singular; row `i` of
    /// them is row `order[i]` of `x`.
    fn lu<T: Factorize>(
        &self,
        x: View<'_, T, Self>,
        lu: ViewMut<'_, T, Self>,
        order: ViewMut<'_, i64, Self>,
    );
    /// `out ← A⁻¹b`, or `A⁻ᵀb`, from the factors of `A`. Fails where `A` is singular.
    fn lu_solve<T: Factorize>(
        &self,
        transposed: bool,
        lu: View<'_, T, Self>,
        order: View<'_, i64, Self>,
        b: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Option<usize>;
    /// The determinant.
    fn determinant<T: Factorize>(&self, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
    /// From the factors: the sign of the determinant, and the logarithm of its absolute value.
    fn lu_determinant<T: Factorize>(
        &self,
        lu: View<'_, T, Self>,
        order: View<'_, i64, Self>,
        sign: ViewMut<'_, T, Self>,
        log: ViewMut<'_, T, Self>,
    );
    /// The matrix of cofactors.
    fn cofactor<T: Factorize>(&self, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
    /// `out ← A⁻¹b` for a triangular `A`. Fails where the diagonal has a zero.
    fn solve_triangular<T: Factorize>(
        &self,
        which: Triangle,
        a: View<'_, T, Self>,
        b: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Option<usize>;
    /// The lower triangular `L` with `L·Lᵀ = (x + xᵀ)/2`. Fails where that is not positive definite.
    fn cholesky<T: Factorize>(
        &self,
        x: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Option<usize>;
    /// `x = q·r` with orthonormal columns and an upper triangle.
    fn qr<T: Factorize>(
        &self,
        x: View<'_, T, Self>,
        q: ViewMut<'_, T, Self>,
        r: ViewMut<'_, T, Self>,
    );
    /// The eigenvalues of `(x + xᵀ)/2` in ascending order and its eigenvectors as columns. Fails where
    /// the iteration does not converge.
    fn eigh<T: Factorize>(
        &self,
        x: View<'_, T, Self>,
        values: ViewMut<'_, T, Self>,
        vectors: Option<ViewMut<'_, T, Self>>,
    ) -> Option<usize>;
    /// The singular values of `x = u·diag(s)·vt` in descending order, and its vectors. Fails where the
    /// iteration does not converge.
    fn svd<T: Factorize>(
        &self,
        x: View<'_, T, Self>,
        s: ViewMut<'_, T, Self>,
        vectors: Option<[ViewMut<'_, T, Self>; 2]>,
    ) -> Option<usize>;
    /// Divides by the gaps between the values of a spectrum.
    fn divide_gaps<T: Factorize>(
        &self,
        how: Gaps,
        values: View<'_, T, Self>,
        x: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
    /// The exponential.
    fn matrix_exp<T: Factorize>(&self, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>);
    /// Its derivative at `x` in the direction `t`.
    fn matrix_exp_derivative<T: Factorize>(
        &self,
        x: View<'_, T, Self>,
        t: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    );
}

/// Rows and columns of the matrices.
fn sizes<T: Elem>(x: &View<'_, T, Cpu>) -> [usize; 2] {
    let dims = x.layout.dims();
    [dims[dims.rank() - 2], dims[dims.rank() - 1]]
}

impl Linalg for Cpu {
    fn lu<T: Factorize>(
        &self,
        x: View<'_, T, Self>,
        lu: ViewMut<'_, T, Self>,
        order: ViewMut<'_, i64, Self>,
    ) {
        T::lu(sizes(&x)[1], flat(x), dense(lu).0, dense(order).0);
    }
    fn lu_solve<T: Factorize>(
        &self,
        transposed: bool,
        lu: View<'_, T, Self>,
        order: View<'_, i64, Self>,
        b: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Option<usize> {
        let [n, k] = sizes(&b);
        let out = dense(out).0;
        T::lu_solve(n, k, transposed, flat(lu), flat(order), flat(b), out)
    }
    fn lu_determinant<T: Factorize>(
        &self,
        lu: View<'_, T, Self>,
        order: View<'_, i64, Self>,
        sign: ViewMut<'_, T, Self>,
        log: ViewMut<'_, T, Self>,
    ) {
        let n = sizes(&lu)[1];
        T::lu_determinant(n, flat(lu), flat(order), dense(sign).0, dense(log).0);
    }
    fn determinant<T: Factorize>(&self, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>) {
        T::determinant(sizes(&x)[1], flat(x), dense(out).0);
    }
    fn cofactor<T: Factorize>(&self, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>) {
        T::cofactor(sizes(&x)[1], flat(x), dense(out).0);
    }
    fn solve_triangular<T: Factorize>(
        &self,
        which: Triangle,
        a: View<'_, T, Self>,
        b: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Option<usize> {
        let [n, k] = sizes(&b);
        T::solve_triangular(n, k, which, flat(a), flat(b), dense(out).0)
    }
    fn cholesky<T: Factorize>(
        &self,
        x: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Option<usize> {
        T::cholesky(sizes(&x)[1], flat(x), dense(out).0)
    }
    fn qr<T: Factorize>(
        &self,
        x: View<'_, T, Self>,
        q: ViewMut<'_, T, Self>,
        r: ViewMut<'_, T, Self>,
    ) {
        let [m, n] = sizes(&x);
        T::qr(m, n, flat(x), dense(q).0, dense(r).0);
    }
    fn eigh<T: Factorize>(
        &self,
        x: View<'_, T, Self>,
        values: ViewMut<'_, T, Self>,
        vectors: Option<ViewMut<'_, T, Self>>,
    ) -> Option<usize> {
        let vectors = vectors.map_or(&mut [][..], |v| dense(v).0);
        T::eigh(sizes(&x)[1], flat(x), dense(values).0, vectors)
    }
    fn svd<T: Factorize>(
        &self,
        x: View<'_, T, Self>,
        s: ViewMut<'_, T, Self>,
        vectors: Option<[ViewMut<'_, T, Self>; 2]>,
    ) -> Option<usize> {
        let [m, n] = sizes(&x);
        let [u, vt] = match vectors {
            Some(vectors) => vectors.map(|v| dense(v).0),
            None => [&mut [][..], &mut []],
        };
        T::svd(m, n, flat(x), u, dense(s).0, vt)
    }
    fn divide_gaps<T: Factorize>(
        &self,
        how: Gaps,
        values: View<'_, T, Self>,
        x: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        let [rows, n] = sizes(&x);
        T::divide_gaps(how, rows, n, flat(values), flat(x), dense(out).0);
    }
    fn matrix_exp<T: Factorize>(&self, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>) {
        T::matrix_exp(sizes(&x)[1], flat(x), dense(out).0);
    }
    fn matrix_exp_derivative<T: Factorize>(
        &self,
        x: View<'_, T, Self>,
        t: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::matrix_exp_derivative(sizes(&x)[1], flat(x), flat(t), dense(out).0);
    }
}
