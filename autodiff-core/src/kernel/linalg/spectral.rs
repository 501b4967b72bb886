//! Eigenvalues of symmetric matrices and singular values, with their vectors.
//!
//! Matrices whose squares would leave the range of the type are scaled first.

use super::batch::{count, each, matrix, out, owned, store, threads, with_scratch};
use super::{Field, cholesky, finite};
use faer::diag::DiagMut;
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::linalg::svd::{ComputeSvdVectors, svd as faer_svd, svd_scratch};
use faer::{Mat, Spec};

/// The size of the largest entry if it needs scaling, or 1.
fn scale<T: Field>(x: &[T]) -> T {
    let most = x.iter().fold(0.0_f64, |m, x| m.max(x.to_f64().abs()));
    let [low, high] = T::SAFE;
    if most == 0.0 || (low..high).contains(&most) {
        T::ONE
    } else {
        T::lit(most)
    }
}

/// The eigenvalues of the symmetric part in ascending order, and the vectors as columns. An empty `v`
/// asks for the values alone. NaN if the iteration does not converge, which is reported.
pub fn eigh<T: Field>(n: usize, x: &[T], w: &mut [T], v: &mut [T]) -> Option<usize> {
    let vectors = !v.is_empty();
    let outs = (out(w, n), out(v, if vectors { n * n } else { 0 }));
    let flops = if vectors { 9 } else { 2 } * n * n * n;
    each(count(x.len(), n * n), flops, outs, |i, (w, v)| {
        let x = matrix(x, n * n, i);
        if !finite(x) {
            w.data.fill(T::NAN);
            v.data.fill(T::NAN);
            return true;
        }
        let by = scale(x);
        let mut a = cholesky::symmetric(x, n);
        if by != T::ONE {
            a = Mat::from_fn(n, n, |i, j| a[(i, j)] / by);
        }
        let par = threads(n);
        let (compute, mut basis) = if vectors {
            (ComputeEigenvectors::Yes, Some(Mat::<T>::zeros(n, n)))
        } else {
            (ComputeEigenvectors::No, None)
        };
        let scratch = self_adjoint_evd_scratch::<T>(n, compute, par, Spec::default());
        let done = with_scratch(scratch, |stack| {
            self_adjoint_evd(
                a.as_ref(),
                DiagMut::from_slice_mut(w.data),
                basis.as_mut().map(|b| b.as_mut()),
                par,
                stack,
                Spec::default(),
            )
        });
        if done.is_err() {
            w.data.fill(T::NAN);
            v.data.fill(T::NAN);
            return false;
        }
        if by != T::ONE {
            w.data.iter_mut().for_each(|w| *w *= by);
        }
        if let Some(basis) = basis {
            store(basis.as_ref(), v.data);
        }
        true
    })
}

/// The singular values in descending order, the left vectors as columns of `u`, the right ones as rows
/// of `vt`. Empty `u` and `vt` ask for the values alone. NaN if the iteration does not converge, which
/// is reported.
pub fn svd<T: Field>(
    m: usize,
    n: usize,
    x: &[T],
    u: &mut [T],
    s: &mut [T],
    vt: &mut [T],
) -> Option<usize> {
    let k = m.min(n);
    let vectors = !u.is_empty();
    let size = |s: usize| if vectors { s } else { 0 };
    let outs = (out(u, size(m * k)), out(s, k), out(vt, size(k * n)));
    let flops = if vectors { 20 } else { 4 } * m * n * k;
    each(count(x.len(), m * n), flops, outs, |i, (u, s, vt)| {
        let x = matrix(x, m * n, i);
        let fail = |u: &mut [T], s: &mut [T], vt: &mut [T]| {
            for o in [u, s, vt] {
                o.fill(T::NAN);
            }
        };
        if !finite(x) {
            fail(u.data, s.data, vt.data);
            return true;
        }
        let by = scale(x);
        let mut a = owned(x, m, n);
        if by != T::ONE {
            a = Mat::from_fn(m, n, |i, j| a[(i, j)] / by);
        }
        let par = threads(k);
        let compute = if vectors {
            ComputeSvdVectors::Thin
        } else {
            ComputeSvdVectors::No
        };
        let mut bases = vectors.then(|| (Mat::<T>::zeros(m, k), Mat::<T>::zeros(n, k)));
        let (left, right) = match &mut bases {
            Some((left, right)) => (Some(left.as_mut()), Some(right.as_mut())),
            None => (None, None),
        };
        let scratch = svd_scratch::<T>(m, n, compute, compute, par, Spec::default());
        let done = with_scratch(scratch, |stack| {
            let s = DiagMut::from_slice_mut(s.data);
            faer_svd(a.as_ref(), s, left, right, par, stack, Spec::default())
        });
        if done.is_err() {
            fail(u.data, s.data, vt.data);
            return false;
        }
        if by != T::ONE {
            s.data.iter_mut().for_each(|s| *s *= by);
        }
        if let Some((left, right)) = bases {
            store(left.as_ref(), u.data);
            store(right.transpose(), vt.data);
        }
        true
    })
}
