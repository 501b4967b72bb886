//! The matrix of cofactors, which is the gradient of the determinant: `det(A)·A⁻ᵀ` where `A` has a good
//! inverse. Otherwise from the singular values: with `A = U·diag(s)·Vᵀ` it is
//! `det(U)·det(V) · U·diag(∏_{j≠i} s_j)·Vᵀ`, which divides by nothing and is right for every rank.

use super::batch::{count, each, matrix, out};
use super::product::Product;
use super::{Field, lu, spectral};
use crate::device::Float;
use faer::{Accum, MatMut, MatRef, Par};

pub fn cofactor<T: Field>(n: usize, x: &[T], y: &mut [T]) {
    each(
        count(x.len(), n * n),
        4 * n * n * n,
        out(y, n * n),
        |i, y| {
            one(n, matrix(x, n * n, i), y.data);
            true
        },
    );
}

/// Whether an inverse by these factors keeps most of its digits; `epsilon` is that of the numbers.
pub fn has_good_inverse<T: Float>(n: usize, factors: &[T], epsilon: f64) -> bool {
    let pivots = (0..n).map(|k| factors[k * n + k].to_f64().abs());
    let (least, most) = pivots.fold((f64::INFINITY, 0.0), |(l, m): (f64, f64), p| {
        (l.min(p), m.max(p))
    });
    least > most * epsilon.powf(0.25)
}

fn one<T: Field>(n: usize, x: &[T], y: &mut [T]) {
    let (mut factors, mut order) = (vec![T::ZERO; n * n], vec![0; n]);
    lu::factor(n, x, &mut factors, &mut order);
    let det = lu::product_of_pivots(n, &factors, &order);
    if det.mantissa().is_nan() {
        return y.fill(T::NAN);
    }
    if has_good_inverse(n, &factors, T::EPSILON) {
        let mut scaled = vec![T::ZERO; n * n];
        for k in 0..n {
            scaled[k * n + k] = T::lit(det.mantissa());
        }
        lu::solve(n, n, true, &factors, &order, &scaled, y);
        y.iter_mut()
            .for_each(|y| *y = T::lit(det.shifted(y.to_f64())));
        return;
    }
    let (mut u, mut s, mut vt) = (vec![T::ZERO; n * n], vec![T::ZERO; n], vec![T::ZERO; n * n]);
    if spectral::svd(n, n, x, &mut u, &mut s, &mut vt).is_some() {
        return y.fill(T::NAN);
    }
    // Each is 1 or −1 but for rounding.
    let mut sign = T::ONE;
    for orthogonal in [&u, &vt] {
        lu::factor(n, orthogonal, &mut factors, &mut order);
        if lu::product_of_pivots(n, &factors, &order).mantissa() < 0.0 {
            sign = -sign;
        }
    }
    for (i, row) in vt.chunks_mut(n).enumerate() {
        let mut others = Product::of(sign.to_f64());
        (0..n)
            .filter(|&j| j != i)
            .for_each(|j| others.times(s[j].to_f64()));
        let others = T::lit(others.value());
        row.iter_mut().for_each(|v| *v *= others);
    }
    faer::linalg::matmul::matmul(
        MatMut::from_row_major_slice_mut(y, n, n),
        Accum::Replace,
        MatRef::from_row_major_slice(&u, n, n),
        MatRef::from_row_major_slice(&vt, n, n),
        T::ONE,
        Par::Seq,
    );
}
