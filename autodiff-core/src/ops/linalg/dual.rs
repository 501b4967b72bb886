//! The kernels of duals: results by the kernels of their numbers, tangents by the pushforwards of the rules.
//!
//! What has a [`Rule`] takes its `push`. The rest, with `P A = L U`:
//!
//! | kernel | tangent |
//! |---|---|
//! | `lu` | `L̇ = L tril(M, −1)`, `U̇ = triu(M) U` with `M = L⁻¹ P Ȧ U⁻¹` |
//! | `lu_solve` | `A⁻¹(Ḃ − Ȧ X)` with `P Ȧ = L̇ U + L U̇`, and likewise of `Aᵀ` |
//! | `lu_determinant` | of the logarithm `Σ U̇ᵢᵢ/Uᵢᵢ`; the sign is constant |
//! | `determinant` | `⟨K, Ȧ⟩` with the matrix of cofactors `K` |
//! | `cofactor` | of `K = det(A) A⁻ᵀ`: `tr(A⁻¹ Ȧ) K − A⁻ᵀ Ȧᵀ K`; where `A` has no good inverse, see below |
//! | `solve_triangular` | `A⁻¹(Ḃ − Ȧ X)`, of the triangle |
//! | `divide_gaps` | of `y = x/g(w)`: `(ẋ − y ġ)/g` |
//! | `matrix_exp_derivative` | the upper right block of the exponential of `[A T; 0 A]` is the derivative at `A` along `T` |
//!
//! Where `A = U diag(s) Vᵀ` has no good inverse, `K = det(U) det(V) U diag(∏_{l≠i} s_l) Vᵀ` and, with `X = Uᵀ Ȧ V` and
//! `p_ij = ∏_{l≠i,j} s_l`, `K̇ = det(U) det(V) U G Vᵀ`, `G_ii = Σ_{j≠i} X_jj p_ij`, `G_ij = −X_ji p_ij`.
//!
//! Of a singular matrix, `lu` has no tangents: they are NaN.

use super::rule::Rule;
use super::{cholesky, eigh, qr, svd};
use crate::ad::{Dual, Scalar, unless_zero};
use crate::device::{BinaryOp, Cpu, Dims, Factorize, FloatElem, Gaps, Triangle};
use crate::kernel::linalg::{LinalgKernels, count, has_good_inverse};
use crate::tensor::Raw;

type Matrices<T> = Raw<T, Cpu>;

#[track_caller]
fn matrices<T: Factorize>(x: &[T], rows: usize, columns: usize) -> Matrices<T> {
    let dims = [count(x.len(), rows * columns), rows, columns];
    Raw::from_slice(&Cpu, Dims::new(&dims), x)
}

#[track_caller]
fn lists<T: Factorize>(x: &[T], n: usize) -> Matrices<T> {
    Raw::from_slice(&Cpu, Dims::new(&[count(x.len(), n), n]), x)
}

#[track_caller]
fn values<T: Factorize + Scalar, const K: usize>(x: &[Dual<T, K>]) -> Vec<T> {
    x.iter().map(|x| x.value).collect()
}

/// The tangents of the operands of a batch in one direction.
#[derive(Clone)]
struct Direction<T, const N: usize> {
    /// Its number.
    k: usize,
    /// For each matrix of the batch, whether an operand changes. What does not has no derivative to be NaN.
    changed: Vec<bool>,
    tangents: [Vec<T>; N],
}

impl<T: Clone, const N: usize> Direction<T, N> {
    /// The same for some of the matrices alone.
    #[track_caller]
    fn of(&self, some: impl Fn(usize) -> bool) -> Self {
        let mut part = self.clone();
        for (i, changed) in part.changed.iter_mut().enumerate() {
            *changed &= some(i);
        }
        part
    }
}

/// The directions in which anything changes; `count` is that of the matrices.
#[track_caller]
fn directions<T: Factorize + Scalar, const K: usize, const N: usize>(
    count: usize,
    operands: [&[Dual<T, K>]; N],
) -> impl Iterator<Item = Direction<T, N>> {
    (0..K).filter_map(move |k| {
        let tangents = operands.map(|x| x.iter().map(|x| x.tangents[k]).collect::<Vec<T>>());
        let changes = |i: usize| {
            tangents.iter().any(|t| {
                let size = t.len() / count;
                t[i * size..][..size].iter().any(|t| !t.is_zero())
            })
        };
        let changed: Vec<bool> = (0..count).map(changes).collect();
        let any = changed.contains(&true);
        any.then_some(Direction {
            k,
            changed,
            tangents,
        })
    })
}

#[track_caller]
fn put_values<T: Scalar, const K: usize>(out: &mut [Dual<T, K>], values: Vec<T>) {
    let pairs = out.iter_mut().zip(values);
    pairs.for_each(|(out, value)| *out = Dual::constant(value));
}

/// Writes the tangents of the matrices that change.
#[track_caller]
fn put_tangents<T: Factorize + Scalar, const K: usize, const N: usize>(
    out: &mut [Dual<T, K>],
    along: &Direction<T, N>,
    tangents: &Matrices<T>,
) {
    let size = count(out.len(), along.changed.len());
    for (i, (out, tangent)) in out.iter_mut().zip(tangents.to_vec()).enumerate() {
        if along.changed[i / size] {
            out.tangents[along.k] = tangent;
        }
    }
}

/// The results and tangents of an operation of matrices of `m` by `n` that has a rule.
#[track_caller]
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
    for along in directions(count(x.len(), m * n), [x]) {
        let pushed = R::push(saved, &a, &matrices(&along.tangents[0], m, n));
        for (out, tangent) in outs.iter_mut().zip(&pushed) {
            put_tangents(out, &along, tangent);
        }
    }
}

/// Rows in another order: row `i` of the result is row `order[i]`, or back.
#[track_caller]
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

#[track_caller]
fn unit_lower<T: Factorize>(lu: &Matrices<T>) -> Matrices<T> {
    lu.below(-1).plus(Raw::identity(&Cpu, *lu.dims()))
}

/// The size of the largest number, of tangents too.
#[track_caller]
fn most<T: Scalar, const K: usize>(x: &[Dual<T, K>]) -> f64 {
    let parts = x
        .iter()
        .flat_map(|x| [x.value].into_iter().chain(x.tangents));
    parts.fold(0.0, |m, x| m.max(Scalar::to_f64(x).abs()))
}

/// Whether the inverse of each matrix has lost many digits, as the kernel of the cofactors decides.
#[track_caller]
fn nearly_singular<T: Factorize>(a: &Matrices<T>) -> Vec<bool> {
    let n = a.sizes()[0];
    let (mut lu, mut order) = (vec![T::ZERO; a.numel()], vec![0; a.dims()[0] * n]);
    T::lu(n, &a.to_vec(), &mut lu, &mut order);
    let judged = lu.chunks(n * n);
    judged
        .map(|lu| !has_good_inverse(n, lu, super::epsilon::<T>()))
        .collect()
}

/// The tangents of the cofactors of matrices with a good inverse.
#[track_caller]
fn by_inverse<T: Factorize>(
    a: &Matrices<T>,
    cofactors: &Matrices<T>,
) -> impl Fn(&Matrices<T>) -> Matrices<T> {
    let (cofactors, lu) = (cofactors.clone(), a.lu());
    let turned = lu.inverse().0.flipped();
    move |t| {
        let moved = lu.solve(true, &t.flipped().by(&cofactors)).0;
        let trace = turned.clone().inner(t.clone());
        cofactors.clone().times_each(&trace).minus(moved)
    }
}

/// Those of any matrices, by the singular values: it divides by nothing.
#[track_caller]
fn by_singular_values<T: Factorize>(a: &Matrices<T>) -> impl Fn(&Matrices<T>) -> Matrices<T> {
    let n = a.sizes()[0];
    let ([u, s, vt], _) = a.svd();
    let sign = Raw::binary(BinaryOp::Mul, u.determinant(), vt.determinant());
    let s = s.to_vec();
    move |t| {
        let x = u.flipped().by(t).by(&vt.flipped()).to_vec();
        let mut g = vec![T::ZERO; x.len()];
        let matrices_of_g = g.chunks_mut(n * n).zip(x.chunks(n * n));
        for ((g, x), s) in matrices_of_g.zip(s.chunks(n)) {
            for i in 0..n {
                for j in (0..n).filter(|&j| j != i) {
                    let others = (0..n).filter(|&l| l != i && l != j);
                    let product = others.fold(T::ONE, |p, l| p * s[l]);
                    g[i * n + i] = g[i * n + i] + x[j * n + j] * product;
                    g[i * n + j] = -x[j * n + i] * product;
                }
            }
        }
        u.by(&matrices(&g, n, n)).by(&vt).times_each(&sign)
    }
}

impl<T: FloatElem + Scalar, const K: usize> LinalgKernels for Dual<T, K> {
    #[track_caller]
    fn lu(n: usize, x: &[Self], lu: &mut [Self], order: &mut [i64]) {
        let mut factors = vec![<T as Scalar>::ZERO; lu.len()];
        T::lu(n, &values(x), &mut factors, order);
        let both = matrices(&factors, n, n);
        let (lower, upper) = (unit_lower(&both), both.above());
        put_values(lu, factors);
        for along in directions(count(x.len(), n * n), [x]) {
            let t = permuted(&matrices(&along.tangents[0], n, n), order, false);
            let left = both.over_triangular(UNIT_LOWER, &t);
            let turned = both.over_triangular(Triangle::upper().transposed(), &left.flipped());
            let m = turned.flipped();
            let tangent = lower.by(&m.below(-1)).plus(m.above().by(&upper));
            put_tangents(lu, &along, &tangent);
        }
    }

    #[track_caller]
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
        if out.is_empty() {
            return failed;
        }
        let both = matrices(&factors, n, n);
        let (lower, upper) = (unit_lower(&both), both.above());
        for along in directions(count(lu.len(), n * n), [lu, b]) {
            let [t, t_b] = &along.tangents;
            let t = matrices(t, n, n);
            let permuted_t = t.below(-1).by(&upper).plus(lower.by(&t.above()));
            let moved = match transposed {
                false => permuted(&permuted_t.by(&x), order, true),
                true => permuted_t.flipped().by(&permuted(&x, order, false)),
            };
            let rest = matrices(t_b, n, k).minus(moved);
            put_tangents(out, &along, &solve(&rest.to_vec()).0);
        }
        failed
    }

    #[track_caller]
    fn lu_determinant(n: usize, lu: &[Self], order: &[i64], sign: &mut [Self], log: &mut [Self]) {
        let batch = log.len();
        let mut signs = vec![<T as Scalar>::ZERO; batch];
        let mut logs = signs.clone();
        T::lu_determinant(n, &values(lu), order, &mut signs, &mut logs);
        put_values(sign, signs);
        put_values(log, logs);
        for (i, log) in log.iter_mut().enumerate() {
            for pivot in lu[i * n * n..][..n * n].iter().step_by(n + 1) {
                for (sum, t) in log.tangents.iter_mut().zip(pivot.tangents) {
                    *sum += unless_zero(t, t / pivot.value);
                }
            }
        }
    }

    #[track_caller]
    fn determinant(n: usize, x: &[Self], det: &mut [Self]) {
        let mut dets = vec![<T as Scalar>::ZERO; det.len()];
        T::determinant(n, &values(x), &mut dets);
        put_values(det, dets);
        let mut directions = directions(count(x.len(), n * n), [x]).peekable();
        if directions.peek().is_none() {
            return;
        }
        let cofactors = matrices(&values(x), n, n).cofactor();
        for along in directions {
            let tangent = cofactors.clone().inner(matrices(&along.tangents[0], n, n));
            put_tangents(det, &along, &tangent);
        }
    }

    #[track_caller]
    fn cofactor(n: usize, x: &[Self], out: &mut [Self]) {
        let a = matrices(&values(x), n, n);
        let cofactors = a.cofactor();
        put_values(out, cofactors.to_vec());
        let mut directions = directions(count(x.len(), n * n), [x]).peekable();
        if directions.peek().is_none() {
            return;
        }
        let singular = nearly_singular(&a);
        let inverse = singular
            .contains(&false)
            .then(|| by_inverse(&a, &cofactors));
        let svd = singular.contains(&true).then(|| by_singular_values(&a));
        for along in directions {
            let t = matrices(&along.tangents[0], n, n);
            if let Some(tangent) = &inverse {
                put_tangents(out, &along.of(|i| !singular[i]), &tangent(&t));
            }
            if let Some(tangent) = &svd {
                put_tangents(out, &along.of(|i| singular[i]), &tangent(&t));
            }
        }
    }

    #[track_caller]
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
        if out.is_empty() {
            return failed;
        }
        for along in directions(count(a.len(), n * n), [a, b]) {
            let [t, t_b] = &along.tangents;
            let offset = isize::from(which.unit);
            let t =
                matrices(t, n, n).triangle(which.upper, if which.upper { offset } else { -offset });
            let t = if which.transposed { t.flipped() } else { t };
            let rest = matrices(t_b, n, k).minus(t.by(&x));
            put_tangents(out, &along, &matrix.over_triangular(which, &rest));
        }
        failed
    }

    #[track_caller]
    fn cholesky(n: usize, x: &[Self], out: &mut [Self]) -> Option<usize> {
        let (l, failed) = matrices(&values(x), n, n).cholesky();
        by_rule::<cholesky::Cholesky, _, _, 1>([n, n], x, &l, core::array::from_ref(&l), [out]);
        failed
    }

    #[track_caller]
    fn qr(m: usize, n: usize, x: &[Self], q: &mut [Self], r: &mut [Self]) {
        let factors = matrices(&values(x), m, n).qr();
        by_rule::<qr::Qr, _, _, 2>([m, n], x, &factors, &factors, [q, r]);
    }

    #[track_caller]
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

    #[track_caller]
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

    #[track_caller]
    fn divide_gaps(how: Gaps, rows: usize, n: usize, w: &[Self], x: &[Self], out: &mut [Self]) {
        let spectrum = lists(&values(w), n);
        let y = matrices(&values(x), rows, n).divide_gaps(how, &spectrum);
        put_values(out, y.to_vec());
        for along in directions(count(w.len(), n), [w, x]) {
            let [t_w, t_x] = &along.tangents;
            // Of `w²` it is `2 w ẇ`.
            let mut t_w = lists(t_w, n);
            if how == Gaps::Squares {
                let twice = spectrum.clone().binary_scalar(BinaryOp::Mul, T::lit(2.0));
                t_w = Raw::binary(BinaryOp::Mul, t_w, twice);
            }
            let columns = y.clone().times_columns(&t_w);
            let moved = match how {
                Gaps::Values => columns,
                _ => columns.minus(y.clone().times_rows(&t_w)),
            };
            let rest = matrices(t_x, rows, n).minus(moved);
            put_tangents(out, &along, &rest.divide_gaps(how, &spectrum));
        }
    }

    #[track_caller]
    fn matrix_exp(n: usize, x: &[Self], out: &mut [Self]) {
        let a = matrices(&values(x), n, n);
        put_values(out, a.matrix_exp().to_vec());
        for along in directions(count(x.len(), n * n), [x]) {
            let t = matrices(&along.tangents[0], n, n);
            put_tangents(out, &along, &a.matrix_exp_derivative(&t));
        }
    }

    #[track_caller]
    fn matrix_exp_derivative(n: usize, x: &[Self], t: &[Self], out: &mut [Self]) {
        // It is linear in `t`, which is brought to the size of `x` or to 1: a large one would ask for superfluous
        // squarings.
        let (mut scaled, mut scales) = (t.to_vec(), Vec::new());
        let size = n * n;
        for (x, t) in x.chunks(size.max(1)).zip(scaled.chunks_mut(size.max(1))) {
            let by = most(t) / most(x).max(1.0);
            let by = if by > 0.0 && by.is_finite() { by } else { 1.0 };
            t.iter_mut().for_each(|t| *t /= Self::lit(by));
            scales.push(Self::lit(by));
        }
        let (a, t) = (matrices(x, n, n), matrices(&scaled, n, n));
        let zeros = Raw::zeros(&Cpu, *a.dims());
        let block = Raw::concat(
            1,
            &[&Raw::concat(2, &[&a, &t]), &Raw::concat(2, &[&zeros, &a])],
        );
        let corner = block.matrix_exp().slice(1, 0, n).slice(2, n, n);
        let scales = Raw::from_slice(&Cpu, Dims::new(&[scales.len()]), &scales);
        let whole = corner.times_each(&scales);
        out.copy_from_slice(&whole.to_vec());
    }
}
