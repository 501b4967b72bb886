//! Gaussian elimination with partial pivoting: row `i` of the triangles is row `order[i]` of the matrix.
//!
//! A matrix in which elimination finds a column without a pivot is singular; its factors are zero.

use super::batch::{count, each, matrix, out, owned, store, threads, with_scratch};
use super::product::Product;
use super::{Field, finite, triangular};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::{MatMut, MatRef, Spec};

/// Both triangles in one matrix, the ones on the diagonal of the lower one left out.
pub fn factor<T: Field>(n: usize, x: &[T], lu: &mut [T], order: &mut [i64]) {
    let outs = (out(lu, n * n), out(order, n));
    each(count(x.len(), n * n), n * n * n, outs, |i, (lu, order)| {
        let x = matrix(x, n * n, i);
        for (k, o) in order.data.iter_mut().enumerate() {
            *o = k as i64;
        }
        if !finite(x) {
            lu.data.fill(T::NAN);
            return true;
        }
        let mut a = owned(x, n, n);
        let (mut forward, mut back) = (vec![0usize; n], vec![0usize; n]);
        let scratch = lu_in_place_scratch::<usize, T>(n, n, threads(n), Spec::default());
        with_scratch(scratch, |stack| {
            lu_in_place(
                a.as_mut(),
                &mut forward,
                &mut back,
                threads(n),
                stack,
                Spec::default(),
            );
        });
        // The first pivot that is none decides: what comes after a division by zero is NaN.
        let singular = (0..n).find_map(|k| {
            let pivot = a[(k, k)];
            (pivot == T::ZERO || !finite(&[pivot])).then_some(pivot == T::ZERO)
        });
        if singular == Some(true) {
            lu.data.fill(T::ZERO);
            return true;
        }
        store(a.as_ref(), lu.data);
        for (o, p) in order.data.iter_mut().zip(forward) {
            *o = p as i64;
        }
        true
    });
}

/// `A⁻¹B`, or `A⁻ᵀB`, from the factors of `A`; NaN if `A` is singular, which is reported.
pub fn solve<T: Field>(
    n: usize,
    k: usize,
    transposed: bool,
    lu: &[T],
    order: &[i64],
    b: &[T],
    x: &mut [T],
) -> Option<usize> {
    let count = count(lu.len(), n * n);
    each(count, n * n * k, out(x, n * k), |i, x| {
        let (lu, order) = (matrix(lu, n * n, i), matrix(order, n, i));
        if (0..n).any(|i| lu[i * n + i] == T::ZERO) {
            x.data.fill(T::NAN);
            return false;
        }
        if k == 0 {
            return true;
        }
        let b = matrix(b, n * k, i);
        let lu = MatRef::from_row_major_slice(lu, n, n);
        if !transposed {
            for (x, &p) in x.data.chunks_mut(k).zip(order) {
                x.copy_from_slice(&b[p as usize * k..][..k]);
            }
            let mut x = MatMut::from_row_major_slice_mut(x.data, n, k);
            triangular::in_place(false, true, lu, x.as_mut());
            triangular::in_place(true, false, lu, x.as_mut());
        } else {
            let mut y = b.to_vec();
            let mut view = MatMut::from_row_major_slice_mut(&mut y, n, k);
            triangular::in_place(false, false, lu.transpose(), view.as_mut());
            triangular::in_place(true, true, lu.transpose(), view.as_mut());
            for (y, &p) in y.chunks(k).zip(order) {
                x.data[p as usize * k..][..k].copy_from_slice(y);
            }
        }
        true
    })
}

/// The determinant, which overflows only as a whole.
pub fn whole_determinant<T: Field>(n: usize, x: &[T], det: &mut [T]) {
    let (mut lu, mut order) = (vec![T::ZERO; x.len()], vec![0; det.len() * n]);
    factor(n, x, &mut lu, &mut order);
    for (i, det) in det.iter_mut().enumerate() {
        let (lu, order) = (&lu[i * n * n..][..n * n], &order[i * n..][..n]);
        *det = T::from_f64(product_of_pivots(n, lu, order).value());
    }
}

/// The determinant, from the factors.
pub fn product_of_pivots<T: Field>(n: usize, lu: &[T], order: &[i64]) -> Product {
    let mut product = Product::of(parity::<T>(order).to_f64());
    (0..n).for_each(|k| product.times(lu[k * n + k].to_f64()));
    product
}

/// The sign of the determinant (0 if it is zero), and the logarithm of its absolute value.
pub fn determinant<T: Field>(n: usize, lu: &[T], order: &[i64], sign: &mut [T], log: &mut [T]) {
    for i in 0..log.len() {
        let (lu, order) = (&lu[i * n * n..][..n * n], &order[i * n..][..n]);
        let parity: T = parity(order);
        let (mut s, mut l) = (parity, T::ZERO);
        for k in 0..n {
            let pivot = lu[k * n + k];
            s = if pivot == T::ZERO {
                T::ZERO
            } else if pivot < T::ZERO {
                -s
            } else if pivot > T::ZERO {
                s
            } else {
                T::NAN
            };
            l += crate::device::Float::ln(crate::device::Float::abs(pivot));
            if s == T::ZERO {
                break;
            }
        }
        (sign[i], log[i]) = (s, l);
    }
}

/// The sign of a permutation.
pub fn parity<T: Field>(order: &[i64]) -> T {
    let mut seen = vec![false; order.len()];
    let mut odd = false;
    for start in 0..order.len() {
        let mut at = start;
        while !seen[at] {
            seen[at] = true;
            at = order[at] as usize;
            odd ^= !seen[at];
        }
    }
    if odd { -T::ONE } else { T::ONE }
}
