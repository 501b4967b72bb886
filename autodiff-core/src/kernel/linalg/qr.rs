//! The reduced factorisation `A = Q·R` by Householder reflections.

use super::batch::{count, each, matrix, out, owned, store, threads, with_scratch};
use super::{Field, finite};
use faer::linalg::householder::{
    apply_block_householder_sequence_on_the_left_in_place_scratch,
    apply_block_householder_sequence_on_the_left_in_place_with_conj,
};
use faer::linalg::qr::no_pivoting::factor::{
    qr_in_place, qr_in_place_scratch, recommended_block_size,
};
use faer::{Conj, Mat, Spec};

/// `Q` is `m×k` and `R` is `k×n`, where `k` is the smaller of `m` and `n`.
pub fn factor<T: Field>(m: usize, n: usize, x: &[T], q: &mut [T], r: &mut [T]) {
    let k = m.min(n);
    let outs = (out(q, m * k), out(r, k * n));
    each(count(x.len(), m * n), 4 * m * n * k, outs, |i, (q, r)| {
        let x = matrix(x, m * n, i);
        if !finite(x) {
            q.data.fill(T::NAN);
            r.data.fill(T::NAN);
            return true;
        }
        let mut a = owned(x, m, n);
        let block = recommended_block_size::<T>(m, n);
        let mut coefficients = Mat::<T>::zeros(block, k);
        let par = threads(k);
        with_scratch(
            qr_in_place_scratch::<T>(m, n, block, par, Spec::default()),
            |stack| {
                qr_in_place(
                    a.as_mut(),
                    coefficients.as_mut(),
                    par,
                    stack,
                    Spec::default(),
                )
            },
        );
        for (i, row) in r.data.chunks_mut(n).enumerate() {
            for (j, r) in row.iter_mut().enumerate() {
                *r = if j < i { T::ZERO } else { a[(i, j)] };
            }
        }
        let mut basis = Mat::<T>::identity(m, k);
        with_scratch(
            apply_block_householder_sequence_on_the_left_in_place_scratch::<T>(m, block, k),
            |stack| {
                apply_block_householder_sequence_on_the_left_in_place_with_conj(
                    a.as_ref().subcols(0, k),
                    coefficients.as_ref(),
                    Conj::No,
                    basis.as_mut(),
                    par,
                    stack,
                )
            },
        );
        store(basis.as_ref(), q.data);
        true
    });
}
