//! Division by the gaps of a spectrum, where derivatives of its vectors need it.
//!
//! Two values that differ by less than the error with which they were computed cannot be told apart,
//! nor can their vectors. What would be divided by such a gap becomes NaN, unless it is zero and the
//! gap is not: a loss that does not see these vectors does not suffer.

use super::Field;

/// What is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// `w_j − w_i` in row `i`, column `j`; the diagonal becomes zero.
    Differences,
    /// `w_j² − w_i²`; the diagonal becomes zero.
    Squares,
    /// `w_j` in column `j`.
    Values,
}

/// Divides each matrix of `rows` by `n`; `w` holds `n` values for each. Values closer than
/// `max(rows, n)·ε·max|w|` count as equal.
pub fn divide<T: Field>(how: Gaps, rows: usize, n: usize, w: &[T], x: &[T], out: &mut [T]) {
    let size = rows * n;
    if size == 0 {
        return;
    }
    for (i, (out, x)) in out.chunks_mut(size).zip(x.chunks(size)).enumerate() {
        let w = &w[i * n..][..n];
        let most = w.iter().fold(0.0_f64, |m, w| m.max(w.to_f64().abs()));
        let tolerance = T::lit(rows.max(n) as f64 * T::EPSILON * most);
        for (i, (out, x)) in out.chunks_mut(n).zip(x.chunks(n)).enumerate() {
            for (j, (o, &x)) in out.iter_mut().zip(x).enumerate() {
                let (distance, sum) = match how {
                    Gaps::Values => (w[j], T::ONE),
                    _ if i == j => {
                        *o = T::ZERO;
                        continue;
                    }
                    Gaps::Differences => (w[j] - w[i], T::ONE),
                    Gaps::Squares => (w[j] - w[i], w[j] + w[i]),
                };
                let close = crate::device::Float::abs(distance) <= tolerance;
                *o = if close && (x != T::ZERO || distance == T::ZERO) {
                    T::NAN
                } else {
                    x / distance / sum
                };
            }
        }
    }
}
