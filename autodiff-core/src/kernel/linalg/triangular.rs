//! Systems with a triangular matrix, of which only the triangle is read.

use super::Field;
use super::batch::{count, each, matrix, out, threads};
use faer::linalg::triangular_solve as tri;
use faer::{MatMut, MatRef};

/// Which triangle of a matrix holds a triangular system, and how it is meant. The entries outside the
/// triangle are not read and have no derivative.
///
/// ```
/// use differentiable::prelude::*;
/// let a: Tensor![f64; 2, 2] = tensor([[2.0, 9.0], [1.0, 4.0]]);
/// let b: Tensor![f64; 2, 1] = tensor([[2.0], [9.0]]);
/// assert_eq!(a.solve_triangular(&b, Triangle::lower()).to_vec(), [1.0, 2.0]);
/// assert_eq!(a.solve_triangular(&b, Triangle::lower().unit_diagonal()).to_vec(), [2.0, 7.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle {
    /// Whether it is the one above the diagonal.
    pub upper: bool,
    /// Whether the system is that of the transposed matrix.
    pub transposed: bool,
    /// Whether ones stand for the diagonal, which is then not read.
    pub unit: bool,
}

impl Triangle {
    /// The lower triangle.
    pub const fn lower() -> Self {
        Triangle {
            upper: false,
            transposed: false,
            unit: false,
        }
    }
    /// The upper triangle.
    pub const fn upper() -> Self {
        Triangle {
            upper: true,
            transposed: false,
            unit: false,
        }
    }
    /// The system of the transposed matrix: `Aᵀ x = b`, with the triangle of `A`.
    pub const fn transposed(self) -> Self {
        Triangle {
            transposed: !self.transposed,
            ..self
        }
    }
    /// With ones on the diagonal, whatever stands there.
    pub const fn unit_diagonal(self) -> Self {
        Triangle { unit: true, ..self }
    }
}

crate::__discrete!([] Triangle);
impl crate::ad::NoDerivative for Triangle {}

/// `A⁻¹B`; NaN if the diagonal has a zero, which is reported.
pub fn solve<T: Field>(
    n: usize,
    k: usize,
    which: Triangle,
    a: &[T],
    b: &[T],
    x: &mut [T],
) -> Option<usize> {
    each(count(a.len(), n * n), n * n * k, out(x, n * k), |i, x| {
        let a = matrix(a, n * n, i);
        if !which.unit && (0..n).any(|i| a[i * n + i] == T::ZERO) {
            x.data.fill(T::NAN);
            return false;
        }
        if k == 0 {
            return true;
        }
        x.data.copy_from_slice(matrix(b, n * k, i));
        let a = MatRef::from_row_major_slice(a, n, n);
        let a = if which.transposed { a.transpose() } else { a };
        let x = MatMut::from_row_major_slice_mut(x.data, n, k);
        in_place(which.upper != which.transposed, which.unit, a, x);
        true
    })
}

/// `x ← A⁻¹x` for a triangular `A`, whose diagonal is ones with `unit`.
pub fn in_place<T: Field>(upper: bool, unit: bool, a: MatRef<'_, T>, mut x: MatMut<'_, T>) {
    let (n, par) = (a.nrows(), threads(a.nrows().min(x.ncols())));
    // The reciprocal of a subnormal pivot may be infinite.
    let tiny = |i: usize| crate::device::Float::abs(a[(i, i)]) < T::MIN_POSITIVE;
    if !unit && (0..n).any(tiny) {
        return by_division(upper, a, x.as_mut());
    }
    match (upper, unit) {
        (false, false) => tri::solve_lower_triangular_in_place(a, x, par),
        (false, true) => tri::solve_unit_lower_triangular_in_place(a, x, par),
        (true, false) => tri::solve_upper_triangular_in_place(a, x, par),
        (true, true) => tri::solve_unit_upper_triangular_in_place(a, x, par),
    }
}

/// Substitution that divides by the pivots, where faer multiplies by their reciprocals.
fn by_division<T: Field>(upper: bool, a: MatRef<'_, T>, mut x: MatMut<'_, T>) {
    let n = a.nrows();
    let row = |i: usize| if upper { n - 1 - i } else { i };
    for (i, at) in (0..n).map(|i| (i, row(i))) {
        for k in 0..x.ncols() {
            let known = (0..i).map(row);
            let sum = known.fold(x[(at, k)], |sum, j| sum - a[(at, j)] * x[(j, k)]);
            x[(at, k)] = sum / a[(at, at)];
        }
    }
}
