//! Small dense systems, by Gaussian elimination with partial pivoting.
//!
//! Rows and columns are scaled to a largest entry of 1 first, so that units do not make a matrix look singular.
//! It is singular if `‖A‖₁ ‖A⁻¹‖₁` is then so large that no digit of a solution is right. This needs no
//! feature; `Tensor::solve` is there for large systems.

use crate::ad::Scalar;

/// The factors of a matrix `A`, scaled: `diag(rows) A diag(columns) = Pᵀ L U`.
#[derive(Clone, Debug)]
pub(super) struct Lu<S> {
    n: usize,
    /// Both triangles, the ones on the diagonal of the lower left out.
    factors: Vec<S>,
    order: Vec<usize>,
    rows: Vec<S>,
    columns: Vec<S>,
}

impl<S: Scalar> Lu<S> {
    /// Factorises a matrix given row by row; `Err` has the reciprocal of its condition number, which is NaN
    /// where an entry is not finite.
    pub(super) fn new(n: usize, mut a: Vec<S>) -> Result<Lu<S>, f64> {
        debug_assert_eq!(a.len(), n * n);
        if !a.iter().all(|x| x.is_finite()) {
            return Err(f64::NAN);
        }
        // Scales are held: they cancel.
        let largest =
            |x: &mut dyn Iterator<Item = S>| x.fold(0.0, |m: f64, x| m.max(x.to_f64().abs()));
        let mut rows = vec![S::ZERO; n];
        for i in 0..n {
            rows[i] = S::lit(1.0 / largest(&mut (0..n).map(|j| a[i * n + j])));
            (0..n).for_each(|j| a[i * n + j] *= rows[i]);
        }
        let mut columns = vec![S::ZERO; n];
        for j in 0..n {
            columns[j] = S::lit(1.0 / largest(&mut (0..n).map(|i| a[i * n + j])));
            (0..n).for_each(|i| a[i * n + j] *= columns[j]);
        }
        if !a.iter().all(|x| x.is_finite()) {
            return Err(0.0); // a row or a column of zeros
        }
        let norm = norm(n, |i, j| a[i * n + j].to_f64());
        let mut order: Vec<usize> = (0..n).collect();
        for k in 0..n {
            let pivot = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()));
            let pivot = pivot.unwrap_or(k);
            if a[pivot * n + k] == S::ZERO {
                return Err(0.0);
            }
            if pivot != k {
                order.swap(k, pivot);
                (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
            }
            let (above, below) = a.split_at_mut((k + 1) * n);
            let top = &above[k * n..];
            for row in below.chunks_exact_mut(n) {
                row[k] /= top[k];
                let factor = row[k];
                for (x, t) in row[k + 1..].iter_mut().zip(&top[k + 1..]) {
                    *x -= factor * *t;
                }
            }
        }
        let lu = Lu {
            n,
            factors: a,
            order,
            rows,
            columns,
        };
        let mut inverse = vec![S::ZERO; n * n];
        for (j, column) in inverse.chunks_exact_mut(n.max(1)).enumerate() {
            column[j] = S::ONE;
            lu.scaled(column);
        }
        let condition = norm * self::norm(n, |i, j| inverse[j * n + i].to_f64());
        let reciprocal = if n == 0 { 1.0 } else { 1.0 / condition };
        // NaN too is no number of digits.
        if reciprocal > n as f64 * S::EPSILON {
            Ok(lu)
        } else {
            Err(reciprocal)
        }
    }

    /// Solves with the scaled matrix.
    fn scaled(&self, b: &mut [S]) {
        let (n, lu) = (self.n, &self.factors);
        let permuted: Vec<S> = self.order.iter().map(|&i| b[i]).collect();
        b.copy_from_slice(&permuted);
        for i in 0..n {
            let sum: S = (0..i).map(|j| lu[i * n + j] * b[j]).sum();
            b[i] -= sum;
        }
        for i in (0..n).rev() {
            let sum: S = (i + 1..n).map(|j| lu[i * n + j] * b[j]).sum();
            b[i] = (b[i] - sum) / lu[i * n + i];
        }
    }

    /// `b` becomes `A⁻¹ b`.
    pub(super) fn solve(&self, b: &mut [S]) {
        b.iter_mut().zip(&self.rows).for_each(|(b, r)| *b *= *r);
        self.scaled(b);
        b.iter_mut().zip(&self.columns).for_each(|(b, c)| *b *= *c);
    }

    /// `b` becomes `A⁻ᵀ b`.
    pub(super) fn solve_transposed(&self, b: &mut [S]) {
        let (n, lu) = (self.n, &self.factors);
        b.iter_mut().zip(&self.columns).for_each(|(b, c)| *b *= *c);
        for i in 0..n {
            let sum: S = (0..i).map(|j| lu[j * n + i] * b[j]).sum();
            b[i] = (b[i] - sum) / lu[i * n + i];
        }
        for i in (0..n).rev() {
            let sum: S = (i + 1..n).map(|j| lu[j * n + i] * b[j]).sum();
            b[i] -= sum;
        }
        let permuted = b.to_vec();
        for (&i, x) in self.order.iter().zip(permuted) {
            b[i] = x;
        }
        b.iter_mut().zip(&self.rows).for_each(|(b, r)| *b *= *r);
    }
}

/// The largest sum of the absolute values of a column.
fn norm(n: usize, entry: impl Fn(usize, usize) -> f64) -> f64 {
    let sum = |j| (0..n).map(|i| entry(i, j).abs()).sum::<f64>();
    (0..n).map(sum).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(n: usize, a: &[f64], x: &[f64], transposed: bool) -> Vec<f64> {
        let entry = |i, j| {
            if transposed {
                a[j * n + i]
            } else {
                a[i * n + j]
            }
        };
        let row = |i| (0..n).map(|j| entry(i, j) * x[j]).sum();
        (0..n).map(row).collect()
    }

    #[test]
    fn solutions_of_any_size_and_scale() {
        for n in [0, 1, 2, 3, 7, 20] {
            let unit = |i: usize| 10f64.powi((i % 5) as i32 * 6 - 12);
            let entry = |k: usize| {
                let (i, j) = (k / n, k % n);
                ((3 * k * k + 7 * k + 5) as f64).sin() * unit(i) * unit(j + 3)
            };
            let a: Vec<f64> = (0..n * n).map(entry).collect();
            let lu = Lu::<f64>::new(n, a.clone()).unwrap();
            let x: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
            for transposed in [false, true] {
                let mut b = product(n, &a, &x, transposed);
                let expected = b.clone();
                match transposed {
                    true => lu.solve_transposed(&mut b),
                    false => lu.solve(&mut b),
                }
                let again = product(n, &a, &b, transposed);
                for (i, (found, wanted)) in again.iter().zip(&expected).enumerate() {
                    let size = (0..n).map(|j| {
                        let k = if transposed { j * n + i } else { i * n + j };
                        (a[k] * b[j]).abs()
                    });
                    assert!((found - wanted).abs() <= 1e-10 * size.sum::<f64>());
                }
            }
        }
    }

    #[test]
    fn singular_matrices_are_refused() {
        assert_eq!(Lu::<f64>::new(1, vec![0.0]).unwrap_err(), 0.0);
        assert_eq!(
            Lu::<f64>::new(2, vec![1.0, 2.0, 0.0, 0.0]).unwrap_err(),
            0.0
        );
        assert_eq!(
            Lu::<f64>::new(2, vec![0.0, 2.0, 0.0, 1.0]).unwrap_err(),
            0.0
        );
        assert!(Lu::<f64>::new(2, vec![1.0, 2.0, 2.0, 4.0]).unwrap_err() < 1e-15);
        let almost = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
        assert!(Lu::<f64>::new(3, almost).unwrap_err() < 1e-15);
        assert!(Lu::<f64>::new(1, vec![f64::NAN]).unwrap_err().is_nan());
        assert!(Lu::<f64>::new(1, vec![1e-200]).is_ok());
    }
}
