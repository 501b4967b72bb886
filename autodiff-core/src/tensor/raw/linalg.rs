//! Factorisations of untyped tensors, and the algebra that their rules are written in.
//!
//! The last two axes are a matrix, those before them a batch. What can fail comes with the number of
//! the first matrix for which it did; the result is NaN there.

use super::Raw;
use crate::device::{Backend, BinaryOp, Dims, Factorize, Float, Gaps, Linalg, ReduceOp, Triangle};

/// The factors of Gaussian elimination.
#[derive(Clone)]
pub struct Lu<T: Factorize, D: Linalg> {
    triangles: Raw<T, D>,
    order: Raw<i64, D>,
}

impl<T: Factorize, D: Linalg> Lu<T, D> {
    /// `A⁻¹b`, or `A⁻ᵀb`.
    #[track_caller]
    pub fn solve(&self, transposed: bool, b: &Raw<T, D>) -> (Raw<T, D>, Option<usize>) {
        let b = b.clone().contiguous();
        let mut out = Raw::unspecified(b.device(), *b.dims());
        let failed = b.device().lu_solve(
            transposed,
            self.triangles.view(),
            self.order.view(),
            b.view(),
            out.view_mut(),
        );
        (out, failed)
    }

    /// `A⁻¹`.
    #[track_caller]
    pub fn inverse(&self) -> (Raw<T, D>, Option<usize>) {
        let dims = *self.triangles.dims();
        self.solve(false, &Raw::identity(self.triangles.device(), dims))
    }

    /// The sign of the determinant, and the logarithm of its absolute value.
    #[track_caller]
    pub fn determinant(&self) -> [Raw<T, D>; 2] {
        let device = self.triangles.device();
        let dims = self.triangles.batch();
        let mut outs = [(); 2].map(|()| Raw::unspecified(device, dims));
        let [sign, log] = outs.each_mut().map(Raw::view_mut);
        device.lu_determinant(self.triangles.view(), self.order.view(), sign, log);
        outs
    }
}

// Factorisations.
impl<T: Factorize, D: Linalg> Raw<T, D> {
    /// The sizes of matrices of another size in the same batch.
    #[track_caller]
    fn sized(&self, rows: usize, columns: usize) -> Dims {
        let r = self.dims().rank();
        self.dims().with(r - 2, rows).with(r - 1, columns)
    }

    /// The sizes of a vector in the place of each matrix.
    #[track_caller]
    fn listed(&self, n: usize) -> Dims {
        let batch = self.batch();
        batch.insert(batch.rank(), n)
    }

    #[track_caller]
    fn made(&self, dims: Dims, make: impl FnOnce(&D, &Self, &mut Self)) -> Self {
        let x = self.clone().contiguous();
        let mut out = Raw::unspecified(x.device(), dims);
        make(x.device(), &x, &mut out);
        out
    }

    /// Gaussian elimination.
    #[track_caller]
    pub fn lu(&self) -> Lu<T, D> {
        let x = self.clone().contiguous();
        let mut order = Raw::unspecified(x.device(), x.listed(x.sizes()[0]));
        let triangles = x.made(*x.dims(), |device, x, lu| {
            device.lu(x.view(), lu.view_mut(), order.view_mut());
        });
        Lu { triangles, order }
    }

    /// The determinants.
    #[must_use]
    #[track_caller]
    pub fn determinant(&self) -> Self {
        self.made(self.batch(), |d, x, out| {
            d.determinant(x.view(), out.view_mut())
        })
    }

    /// The matrix of cofactors.
    #[must_use]
    #[track_caller]
    pub fn cofactor(&self) -> Self {
        self.made(*self.dims(), |d, x, out| {
            d.cofactor(x.view(), out.view_mut())
        })
    }

    /// `A⁻¹b` for a triangular `A`.
    #[track_caller]
    pub fn solve_triangular(&self, which: Triangle, b: &Self) -> (Self, Option<usize>) {
        let a = self.clone().contiguous();
        let mut failed = None;
        let x = b.made(*b.dims(), |d, b, out| {
            failed = d.solve_triangular(which, a.view(), b.view(), out.view_mut());
        });
        (x, failed)
    }

    /// `A⁻¹b` where the caller knows that the diagonal has no zero, or NaN is right.
    #[must_use]
    #[track_caller]
    pub fn over_triangular(&self, which: Triangle, b: &Self) -> Self {
        self.solve_triangular(which, b).0
    }

    /// The Cholesky factor of the symmetric part.
    #[track_caller]
    pub fn cholesky(&self) -> (Self, Option<usize>) {
        let mut failed = None;
        let l = self.made(*self.dims(), |d, x, out| {
            failed = d.cholesky(x.view(), out.view_mut());
        });
        (l, failed)
    }

    /// Orthonormal columns and an upper triangle.
    #[must_use]
    #[track_caller]
    pub fn qr(&self) -> [Self; 2] {
        let [m, n] = self.sizes();
        let mut q = Raw::unspecified(self.device(), self.sized(m, m.min(n)));
        let r = self.made(self.sized(m.min(n), n), |d, x, r| {
            d.qr(x.view(), q.view_mut(), r.view_mut());
        });
        [q, r]
    }

    /// Eigenvalues and eigenvectors of the symmetric part.
    #[track_caller]
    pub fn eigh(&self) -> ([Self; 2], Option<usize>) {
        let mut v = Raw::unspecified(self.device(), *self.dims());
        let mut failed = None;
        let w = self.made(self.listed(self.sizes()[0]), |d, x, w| {
            failed = d.eigh(x.view(), w.view_mut(), Some(v.view_mut()));
        });
        ([w, v], failed)
    }

    /// Eigenvalues of the symmetric part.
    #[track_caller]
    pub fn eigvalsh(&self) -> (Self, Option<usize>) {
        let mut failed = None;
        let w = self.made(self.listed(self.sizes()[0]), |d, x, w| {
            failed = d.eigh(x.view(), w.view_mut(), None);
        });
        (w, failed)
    }

    /// Left vectors, singular values, right vectors as rows.
    #[track_caller]
    pub fn svd(&self) -> ([Self; 3], Option<usize>) {
        let [m, n] = self.sizes();
        let k = m.min(n);
        let mut u = Raw::unspecified(self.device(), self.sized(m, k));
        let mut vt = Raw::unspecified(self.device(), self.sized(k, n));
        let mut failed = None;
        let s = self.made(self.listed(k), |d, x, s| {
            let vectors = Some([u.view_mut(), vt.view_mut()]);
            failed = d.svd(x.view(), s.view_mut(), vectors);
        });
        ([u, s, vt], failed)
    }

    /// Singular values.
    #[track_caller]
    pub fn svdvals(&self) -> (Self, Option<usize>) {
        let [m, n] = self.sizes();
        let mut failed = None;
        let s = self.made(self.listed(m.min(n)), |d, x, s| {
            failed = d.svd(x.view(), s.view_mut(), None);
        });
        (s, failed)
    }

    /// Divided by the gaps of a spectrum.
    #[must_use]
    #[track_caller]
    pub fn divide_gaps(&self, how: Gaps, values: &Self) -> Self {
        let values = values.clone().contiguous();
        self.made(*self.dims(), |d, x, out| {
            d.divide_gaps(how, values.view(), x.view(), out.view_mut());
        })
    }

    /// The exponential of each matrix.
    #[must_use]
    #[track_caller]
    pub fn matrix_exp(&self) -> Self {
        self.made(*self.dims(), |d, x, y| d.matrix_exp(x.view(), y.view_mut()))
    }

    /// The derivative of [`Raw::matrix_exp`] in the direction `t`.
    #[must_use]
    #[track_caller]
    pub fn matrix_exp_derivative(&self, t: &Self) -> Self {
        let t = t.clone().contiguous();
        self.made(*self.dims(), |d, x, y| {
            d.matrix_exp_derivative(x.view(), t.view(), y.view_mut());
        })
    }
}

// Algebra.
impl<T: Float, D: Backend> Raw<T, D> {
    /// The sizes before the last two.
    #[must_use]
    #[track_caller]
    pub fn batch(&self) -> Dims {
        Dims::new(&self.dims()[..self.dims().rank() - 2])
    }

    /// Rows and columns.
    #[must_use]
    #[track_caller]
    pub fn sizes(&self) -> [usize; 2] {
        let r = self.dims().rank();
        [self.dims()[r - 2], self.dims()[r - 1]]
    }

    /// The identity in each matrix.
    #[must_use]
    #[track_caller]
    pub fn identity(device: &D, dims: Dims) -> Self {
        let r = dims.rank();
        let ones = Raw::full(device, dims.remove(r - 1), T::ONE);
        Raw::placed(&ones, dims, |l| l.diagonal(r - 2, r - 1))
    }

    /// Each matrix transposed; shares the buffer.
    #[must_use]
    #[track_caller]
    pub fn flipped(&self) -> Self {
        let r = self.dims().rank();
        self.transpose(r - 2, r - 1)
    }

    /// The product of the matrices.
    #[must_use]
    #[track_caller]
    pub fn by(&self, other: &Self) -> Self {
        Raw::matmul(self, other)
    }

    /// The sum.
    #[must_use]
    #[track_caller]
    pub fn plus(self, other: Self) -> Self {
        Raw::binary(BinaryOp::Add, self, other)
    }

    /// The difference.
    #[must_use]
    #[track_caller]
    pub fn minus(self, other: Self) -> Self {
        Raw::binary(BinaryOp::Sub, self, other)
    }

    /// With the opposite sign.
    #[must_use]
    #[track_caller]
    pub fn negated(self) -> Self {
        self.binary_scalar(BinaryOp::Mul, -T::ONE)
    }

    /// Column `j` of each matrix times entry `j` of a vector.
    #[must_use]
    #[track_caller]
    pub fn times_columns(self, by: &Self) -> Self {
        let r = by.dims().rank();
        Raw::binary(BinaryOp::Mul, self, by.unsqueeze(r - 1))
    }

    /// Row `i` of each matrix times entry `i` of a vector.
    #[must_use]
    #[track_caller]
    pub fn times_rows(self, by: &Self) -> Self {
        let r = by.dims().rank();
        Raw::binary(BinaryOp::Mul, self, by.unsqueeze(r))
    }

    /// Each matrix times one number.
    #[must_use]
    #[track_caller]
    pub fn times_each(self, by: &Self) -> Self {
        let r = by.dims().rank();
        Raw::binary(BinaryOp::Mul, self, by.unsqueeze(r).unsqueeze(r))
    }

    /// `(X + Xᵀ)/2`.
    #[must_use]
    #[track_caller]
    pub fn symmetrised(&self) -> Self {
        self.clone()
            .plus(self.flipped())
            .binary_scalar(BinaryOp::Mul, T::lit(0.5))
    }

    /// Zero above the `k`-th diagonal.
    #[must_use]
    #[track_caller]
    pub fn below(&self, k: isize) -> Self {
        self.copied().triangle(false, k)
    }

    /// Zero below the diagonal.
    #[must_use]
    #[track_caller]
    pub fn above(&self) -> Self {
        self.copied().triangle(true, 0)
    }

    /// The lower triangle with half of the diagonal.
    #[must_use]
    #[track_caller]
    pub fn half_below(&self) -> Self {
        self.below(0)
            .plus(self.below(-1))
            .binary_scalar(BinaryOp::Mul, T::lit(0.5))
    }

    /// A vector on the diagonal of each matrix, zero elsewhere.
    #[must_use]
    #[track_caller]
    pub fn on_diagonal(&self) -> Self {
        let r = self.dims().rank();
        let dims = self.dims().insert(r, self.dims()[r - 1]);
        Raw::placed(self, dims, |l| l.diagonal(r - 1, r))
    }

    /// The diagonal of each matrix; shares the buffer.
    #[must_use]
    #[track_caller]
    pub fn diagonals(&self) -> Self {
        let r = self.dims().rank();
        self.diagonal(r - 2, r - 1)
    }

    /// The sum of the products of the entries of each two matrices.
    #[must_use]
    #[track_caller]
    pub fn inner(self, other: Self) -> Self {
        let r = self.dims().rank();
        let product = Raw::binary(BinaryOp::Mul, self, other);
        let dims = product.batch();
        product
            .reduce_keepdim(ReduceOp::Sum, &[r - 2, r - 1])
            .into_reshaped(dims)
    }
}
