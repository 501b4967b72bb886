//! The kernels of duals: results by the kernels of their numbers, tangents by the pushforwards of the rules.
//!
//! What has a [`Rule`] takes its `push`. The rest, with `P A = L U`:
//!
//! | kernel | tangent |
//! |---|---|
//! | `lu` | `L̇ = L tril(M, −1)`, `U̇ = triu(M) U` with `M = L⁻¹ P Ȧ U⁻¹` |
//! | `lu_solve` | `A⁻¹(Ḃ − Ȧ X)` with `P Ȧ = L̇ U + L U̇`, and likewise of `Aᵀ` |
//! | `lu_determinant` | of the logarithm `Σ U̇ᵢᵢ/Uᵢᵢ`; the sign is constant |
//! | `cofactor` | of `K = det(A) A⁻ᵀ`: `tr(A⁻¹ Ȧ) K − A⁻ᵀ Ȧᵀ K` |
//! | `solve_triangular` | `A⁻¹(Ḃ − Ȧ X)`, of the triangle |
//! | `divide_gaps` | of `y = x/g(w)`: `(ẋ − y ġ)/g` |
//! | `matrix_exp_derivative` | the upper right block of the exponential of `[A T; 0 A]` is the derivative at `A` along `T` |
//!
//! Of a singular matrix, `lu` has no tangents: they are NaN.

use super::rule::Rule;
use super::{cholesky, eigh, qr, svd};
use crate::ad::{Dual, Scalar, unless_zero};
use crate::device::{BinaryOp, Cpu, Dims, Factorize, FloatElem, Gaps, Triangle};
use crate::kernel::linalg::LinalgKernels;
use crate::tensor::Raw;

type Matrices<T> = Raw<T, Cpu>;

/// How many parts of this size there are; none of those without entries.
fn count(len: usize, size: usize) -> usize {
    len.checked_div(size).unwrap_or(0)
}

fn matrices<T: Factorize>(x: &[T], rows: usize, columns: usize) -> Matrices<T> {
    let dims = [count(x.len(), rows * columns), rows, columns];
    Raw::from_slice(&Cpu, Dims::new(&dims), x)
}

fn lists<T: Factorize>(x: &[T], n: usize) -> Matrices<T> {
    Raw::from_slice(&Cpu, Dims::new(&[count(x.len(), n), n]), x)
}

fn values<T: Factorize + Scalar, const K: usize>(x: &[Dual<T, K>]) -> Vec<T> {
    x.iter().map(|x| x.value).collect()
}

/// The tangents of the operands in direction `k`; `None` if all are zero. What does not change has no derivative to be
/// NaN, also where a factor has none.
fn tangents<T: Factorize + Scalar, const K: usize, const N: usize>(
    k: usize,
    operands: [&[Dual<T, K>]; N],
) -> Option<[Vec<T>; N]> {
    let all = operands.map(|x| x.iter().map(|x| x.tangents[k]).collect::<Vec<T>>());
    let changes = |x: &Vec<T>| x.iter().any(|t| !t.is_zero());
    all.iter().any(changes).then_some(all)
}

/// Each direction in which an operand changes.
fn directions<T: Factorize + Scalar, const K: usize, const N: usize>(
    operands: [&[Dual<T, K>]; N],
) -> impl Iterator<Item = (usize, [Vec<T>; N])> {
    (0..K).filter_map(move |k| Some((k, tangents(k, operands)?)))
}

fn put_values<T: Scalar, const K: usize>(out: &mut [Dual<T, K>], values: Vec<T>) {
    let pairs = out.iter_mut().zip(values);
    pairs.for_each(|(out, value)| *out = Dual::constant(value));
}

fn put_tangents<T: Factorize + Scalar, const K: usize>(
    out: &mut [Dual<T, K>],
    k: usize,
    tangents: &Matrices<T>,
) {
    let pairs = out.iter_mut().zip(tangents.to_vec());
    pairs.for_each(|(out, tangent)| out.tangents[k] = tangent);
}

/// The results and tangents of an operation of matrices of `m` by `n` that has a rule.
fn by_rule<R, T, const K: usize, const N: usize>(
    [m, n]: [usize; 2],
    x: &[Dual<T, K>],
    saved: &R::Saved<T, Cpu>,
    results: &[Matrices<T>; N],
    mut outs: [&mut [Dual<T, K>]; N],
) where
    R: Rule<N>,
    T: Factorize + Scalar,
{
    let a = matrices(&values(x), m, n);
    for (out, result) in outs.iter_mut().zip(results) {
        put_values(out, result.to_vec());
    }
    for (k, [t]) in directions([x]) {
        let pushed = R::push(saved, &a, &matrices(&t, m, n));
        for (out, tangent) in outs.iter_mut().zip(&pushed) {
            put_tangents(out, k, tangent);
        }
    }
}

/// Rows in another order: row `i` of the result is row `order[i]`, or back.
fn permuted<T: Factorize>(x: &Matrices<T>, order: &[i64], back: bool) -> Matrices<T> {
    let [n, k] = x.sizes();
    let (from, mut to) = (x.to_vec(), x.to_vec());
    for (i, &p) in order.iter().enumerate() {
        let (here, there) = (i * k, (i / n * n + p as usize) * k);
        let (a, b) = if back { (there, here) } else { (here, there) };
        to[a..a + k].copy_from_slice(&from[b..b + k]);
    }
    matrices(&to, n, k)
}

const UNIT_LOWER: Triangle = Triangle::lower().unit_diagonal();

fn unit_lower<T: Factorize>(lu: &Matrices<T>) -> Matrices<T> {
    lu.below(-1).plus(Raw::identity(&Cpu, *lu.dims()))
}

impl<T: FloatElem + Scalar, const K: usize> LinalgKernels for Dual<T, K> {
    fn lu(n: usize, x: &[Self], lu: &mut [Self], order: &mut [i64]) {
        let mut factors = vec![<T as Scalar>::ZERO; lu.len()];
        T::lu(n, &values(x), &mut factors, order);
        let both = matrices(&factors, n, n);
        let (lower, upper) = (unit_lower(&both), both.above());
        put_values(lu, factors);
        for (k, [t]) in directions([x]) {
            let t = permuted(&matrices(&t, n, n), order, false);
            let left = both.over_triangular(UNIT_LOWER, &t);
            let turned = both.over_triangular(Triangle::upper().transposed(), &left.flipped());
            let m = turned.flipped();
            let tangent = lower.by(&m.below(-1)).plus(m.above().by(&upper));
            put_tangents(lu, k, &tangent);
        }
    }

    fn lu_solve(
        n: usize,
        k: usize,
        transposed: bool,
        lu: &[Self],
        order: &[i64],
        b: &[Self],
        out: &mut [Self],
    ) -> Option<usize> {
        let factors = values(lu);
        let solve = |b: &[T]| {
            let mut x = vec![<T as Scalar>::ZERO; b.len()];
            let failed = T::lu_solve(n, k, transposed, &factors, order, b, &mut x);
            (matrices(&x, n, k), failed)
        };
        let (x, failed) = solve(&values(b));
        put_values(out, x.to_vec());
        let both = matrices(&factors, n, n);
        let (lower, upper) = (unit_lower(&both), both.above());
        for (i, [t, t_b]) in directions([lu, b]) {
            let t = matrices(&t, n, n);
            let permuted_t = t.below(-1).by(&upper).plus(lower.by(&t.above()));
            let moved = match transposed {
                false => permuted(&permuted_t.by(&x), order, true),
                true => permuted_t.flipped().by(&permuted(&x, order, false)),
            };
            let rest = matrices(&t_b, n, k).minus(moved);
            put_tangents(out, i, &solve(&rest.to_vec()).0);
        }
        failed
    }

    fn lu_determinant(
        n: usize,
        lu: &[Self],
        order: &[i64],
        sign: &mut [Self],
        log: &mut [Self],
        det: &mut [Self],
    ) {
        let batch = det.len();
        let mut results = [(); 3].map(|()| vec![<T as Scalar>::ZERO; batch]);
        let [signs, logs, dets] = &mut results;
        T::lu_determinant(n, &values(lu), order, signs, logs, dets);
        for i in 0..batch {
            let lu = &lu[i * n * n..][..n * n];
            let mut of_log = [<T as Scalar>::ZERO; K];
            for pivot in lu.iter().step_by(n + 1) {
                for (sum, t) in of_log.iter_mut().zip(pivot.tangents) {
                    *sum += unless_zero(t, t / pivot.value);
                }
            }
            sign[i] = Dual::constant(signs[i]);
            log[i] = Dual::new(logs[i], of_log);
            det[i] = Dual::new(dets[i], of_log.map(|t| unless_zero(t, dets[i] * t)));
        }
    }

    fn cofactor(n: usize, x: &[Self], out: &mut [Self]) {
        let a = matrices(&values(x), n, n);
        let (cofactors, lu) = (a.cofactor(), a.lu());
        put_values(out, cofactors.to_vec());
        let turned_inverse = lu.inverse().0.flipped();
        for (k, [t]) in directions([x]) {
            let t = matrices(&t, n, n);
            let trace = turned_inverse.clone().inner(t.clone());
            let moved = lu.solve(true, &t.flipped().by(&cofactors)).0;
            let tangent = cofactors.clone().times_each(&trace).minus(moved);
            put_tangents(out, k, &tangent);
        }
    }

    fn solve_triangular(
        n: usize,
        k: usize,
        which: Triangle,
        a: &[Self],
        b: &[Self],
        out: &mut [Self],
    ) -> Option<usize> {
        let matrix = matrices(&values(a), n, n);
        let (x, failed) = matrix.solve_triangular(which, &matrices(&values(b), n, k));
        put_values(out, x.to_vec());
        for (i, [t, t_b]) in directions([a, b]) {
            let offset = isize::from(which.unit);
            let t = matrices(&t, n, n)
                .triangle(which.upper, if which.upper { offset } else { -offset });
            let t = if which.transposed { t.flipped() } else { t };
            let rest = matrices(&t_b, n, k).minus(t.by(&x));
            put_tangents(out, i, &matrix.over_triangular(which, &rest));
        }
        failed
    }

    fn cholesky(n: usize, x: &[Self], out: &mut [Self]) -> Option<usize> {
        let (l, failed) = matrices(&values(x), n, n).cholesky();
        by_rule::<cholesky::Cholesky, _, _, 1>([n, n], x, &l, &[l.clone()], [out]);
        failed
    }

    fn qr(m: usize, n: usize, x: &[Self], q: &mut [Self], r: &mut [Self]) {
        let factors = matrices(&values(x), m, n).qr();
        by_rule::<qr::Qr, _, _, 2>([m, n], x, &factors, &factors, [q, r]);
    }

    fn eigh(n: usize, x: &[Self], w: &mut [Self], v: &mut [Self]) -> Option<usize> {
        let a = matrices(&values(x), n, n);
        if v.is_empty() {
            let (found, failed) = a.eigvalsh();
            by_rule::<eigh::Eigvalsh, _, _, 1>([n, n], x, &(), &[found], [w]);
            return failed;
        }
        let (found, failed) = a.eigh();
        by_rule::<eigh::Eigh, _, _, 2>([n, n], x, &found, &found, [w, v]);
        failed
    }

    fn svd(
        m: usize,
        n: usize,
        x: &[Self],
        u: &mut [Self],
        s: &mut [Self],
        vt: &mut [Self],
    ) -> Option<usize> {
        let a = matrices(&values(x), m, n);
        if u.is_empty() {
            let (found, failed) = a.svdvals();
            by_rule::<svd::Svdvals, _, _, 1>([m, n], x, &(), &[found], [s]);
            return failed;
        }
        let (found, failed) = a.svd();
        by_rule::<svd::Svd, _, _, 3>([m, n], x, &found, &found, [u, s, vt]);
        failed
    }

    fn divide_gaps(how: Gaps, rows: usize, n: usize, w: &[Self], x: &[Self], out: &mut [Self]) {
        let spectrum = lists(&values(w), n);
        let y = matrices(&values(x), rows, n).divide_gaps(how, &spectrum);
        put_values(out, y.to_vec());
        for (k, [t_w, t_x]) in directions([w, x]) {
            // Of `w²` it is `2 w ẇ`.
            let mut t_w = lists(&t_w, n);
            if how == Gaps::Squares {
                let twice = spectrum.clone().binary_scalar(BinaryOp::Mul, T::lit(2.0));
                t_w = Raw::binary(BinaryOp::Mul, t_w, twice);
            }
            let columns = y.clone().times_columns(&t_w);
            let moved = match how {
                Gaps::Values => columns,
                _ => columns.minus(y.clone().times_rows(&t_w)),
            };
            let rest = matrices(&t_x, rows, n).minus(moved);
            put_tangents(out, k, &rest.divide_gaps(how, &spectrum));
        }
    }

    fn matrix_exp(n: usize, x: &[Self], out: &mut [Self]) {
        let a = matrices(&values(x), n, n);
        put_values(out, a.matrix_exp().to_vec());
        for (k, [t]) in directions([x]) {
            put_tangents(out, k, &a.matrix_exp_derivative(&matrices(&t, n, n)));
        }
    }

    fn matrix_exp_derivative(n: usize, x: &[Self], t: &[Self], out: &mut [Self]) {
        let (a, t) = (matrices(x, n, n), matrices(t, n, n));
        let zeros = Raw::zeros(&Cpu, *a.dims());
        let block = Raw::concat(
            1,
            &[&Raw::concat(2, &[&a, &t]), &Raw::concat(2, &[&zeros, &a])],
        );
        let whole = block.matrix_exp().slice(1, 0, n).slice(2, n, n);
        out.copy_from_slice(&whole.to_vec());
    }
}
