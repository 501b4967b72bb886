//! The Cholesky factor of the symmetric part of a matrix.

use super::batch::{count, each, matrix, out, threads, with_scratch};
use super::{Field, finite};
use faer::linalg::cholesky::llt::factor::{
    LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::{Mat, Spec};

/// The symmetric part `(A + Aᵀ)/2`.
pub fn symmetric<T: Field>(x: &[T], n: usize) -> Mat<T> {
    let half = T::lit(0.5);
    Mat::from_fn(n, n, |i, j| half * x[i * n + j] + half * x[j * n + i])
}

/// The lower triangular `L` with `L·Lᵀ = (A + Aᵀ)/2`; NaN if there is none, which is reported.
pub fn factor<T: Field>(n: usize, x: &[T], l: &mut [T]) -> Option<usize> {
    each(
        count(x.len(), n * n),
        n * n * n / 2,
        out(l, n * n),
        |i, l| {
            let x = matrix(x, n * n, i);
            if !finite(x) {
                l.data.fill(T::NAN);
                return true;
            }
            let mut a = symmetric(x, n);
            let scratch = cholesky_in_place_scratch::<T>(n, threads(n), Spec::default());
            let done = with_scratch(scratch, |stack| {
                cholesky_in_place(
                    a.as_mut(),
                    LltRegularization::default(),
                    threads(n),
                    stack,
                    Spec::default(),
                )
            });
            for (i, row) in l.data.chunks_mut(n).enumerate() {
                for (j, l) in row.iter_mut().enumerate() {
                    *l = match done {
                        Err(_) => T::NAN,
                        Ok(_) if j <= i => a[(i, j)],
                        Ok(_) => T::ZERO,
                    };
                }
            }
            done.is_ok()
        },
    )
}
