//! `svd svdvals pinv`.
//!
//! `A = U diag(s) Vᵀ` in the thin form, `s` in descending order, `V` given as `Vᵀ`. With
//! `F_ij = 1/(s_j² − s_i²)` off the diagonal and 0 on it, `S = diag(s)`, `P = Uᵀ T V` (Townsend 2016):
//!
//! - pushforward: `ṡ = diag P`, `U̇ = U (F ∘ (P S + S Pᵀ)) + (I − U Uᵀ) T V S⁻¹`,
//!   `V̇ = V (F ∘ (S P + Pᵀ S)) + (I − V Vᵀ) Tᵀ U S⁻¹`;
//! - pullback: `U (diag(C_s) + (F ∘ (Uᵀ C_U − C_Uᵀ U)) S + S (F ∘ (Vᵀ C_V − C_Vᵀ V))) Vᵀ
//!   + (I − U Uᵀ) C_U S⁻¹ Vᵀ + U S⁻¹ C_Vᵀ (I − V Vᵀ)`.
//!
//! The sign of each pair of vectors is arbitrary: a loss should not depend on it.
//!
//! **Equal singular values.** As with [`eigh`](super::eigh): the gradient of the values alone is fine;
//! where a cotangent of the vectors arrives, equal singular values (and, of matrices that are not
//! square, a zero singular value) make the gradient NaN, as in JAX and PyTorch. Values closer than
//! `max(m, n)·ε·s_max`, or below it, count as equal, or zero, if the loss depends on their vectors.
//!
//! `P = A⁺`: singular values up to `max(m, n)·ε·s_max` count as zero, as in PyTorch. The rule (Golub and
//! Pereyra 1973) divides by no gaps and holds while the rank does not change: pushforward
//! `−P T P + P Pᵀ Tᵀ (I − A P) + (I − P A) Tᵀ Pᵀ P`, pullback
//! `−Pᵀ C Pᵀ + (I − A P) Cᵀ P Pᵀ + Pᵀ P Cᵀ (I − P A)`.

use super::rule::{Ran, Rule, operations};
use super::{LinalgError, converged, epsilon, rectangular};
use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{BinaryOp, CompareOp, Factorize, Gaps, Linalg, UnaryOp};
use crate::shape::{Matrices, Smaller};
use crate::tensor::{Raw, Tensor};

pub(super) struct Svd;
pub(super) struct Svdvals;
struct Pinv;

type Thin<S> = <<S as Matrices>::Rows as Smaller<<S as Matrices>::Columns>>::Out;

operations! {
    /// The singular value decomposition `A = U·diag(s)·Vᵀ` of each matrix in the thin form: `(U, s, Vᵀ)`
    /// with `s` in descending order; with `k` the smaller of rows and columns, `U` has `k` columns and
    /// `Vᵀ` has `k` rows.
    ///
    /// The derivative is NaN where a loss depends on vectors of equal singular values.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let a: Tensor![f64; 2, 4, 3] = Tensor::randn(0);
    /// let (u, s, vt) = a.svd();
    /// let scaled: Tensor![f64; 2, 4, 3] = u * s.unsqueeze::<1>().expand::<1, _>(Sz::<4>);
    /// assert!((scaled.matmul(&vt) - &a).norm().item() < 1e-12);
    /// ```
    ///
    /// # Panics
    /// If the iteration does not converge.
    svd, pub try_svd, __svd_vjp, __svd_jvp by Svd where [S::Rows: Smaller<S::Columns>];
    check rectangular;
    |x| u: S::Of<S::Rows, Thin<S>> = x.of(x.rows(), x.rows().smaller(x.columns())),
        s: S::Vectors<Thin<S>> = x.vectors(x.rows().smaller(x.columns())),
        vt: S::Of<Thin<S>, S::Columns> = x.of(x.rows().smaller(x.columns()), x.columns());

    /// The singular values of [`svd`](Tensor::svd).
    ///
    /// # Panics
    /// If the iteration does not converge.
    svdvals, pub try_svdvals, __svdvals_vjp, __svdvals_jvp by Svdvals where [S::Rows: Smaller<S::Columns>];
    check rectangular;
    |x| s: S::Vectors<Thin<S>> = x.vectors(x.rows().smaller(x.columns()));

    /// The Moore–Penrose inverse of each matrix. Singular values up to `max(m, n)·ε` times the largest
    /// count as zero.
    ///
    /// # Panics
    /// If the iteration does not converge.
    pinv, pub try_pinv, __pinv_vjp, __pinv_jvp by Pinv where [];
    check rectangular;
    |x| p: S::Of<S::Columns, S::Rows> = x.of(x.columns(), x.rows());
}

/// `X − Xᵀ`
#[track_caller]
fn skew<T: Factorize, D: Linalg>(x: Raw<T, D>) -> Raw<T, D> {
    let turned = x.flipped();
    x.minus(turned)
}

/// `X − U Uᵀ X`
#[track_caller]
fn outside<T: Factorize, D: Linalg>(x: &Raw<T, D>, u: &Raw<T, D>) -> Raw<T, D> {
    x.clone().minus(u.by(&u.flipped().by(x)))
}

impl Rule<3> for Svd {
    type Saved<T: Factorize, D: Linalg> = [Raw<T, D>; 3];
    #[track_caller]
    fn run<T: Factorize, D: Linalg>(x: &Raw<T, D>) -> Ran<Self, T, D, 3> {
        converged(x.svd()).map(|found| (found.clone(), found))
    }
    #[track_caller]
    fn pull<T: Factorize, D: Linalg>(
        [u, s, vt]: &[Raw<T, D>; 3],
        x: &Raw<T, D>,
        [ct_u, ct_s, ct_vt]: [Option<&Raw<T, D>>; 3],
    ) -> Raw<T, D> {
        let [m, n] = x.sizes();
        let v = vt.flipped();
        let from_s = ct_s.map(Raw::on_diagonal);
        let from_u = ct_u.map(|c| {
            let inner = skew(u.flipped().by(c));
            inner.divide_gaps(Gaps::Squares, s).times_columns(s)
        });
        let from_v = ct_vt.map(|c| {
            let inner = skew(vt.by(&c.flipped()));
            inner.divide_gaps(Gaps::Squares, s).times_rows(s)
        });
        let inner = [from_s, from_u, from_v].into_iter().flatten();
        let inner = inner.reduce(Raw::plus).expect("one cotangent is not zero");
        let mut sum = u.by(&inner);
        if let Some(c) = ct_u
            && m > n
        {
            sum = sum.plus(outside(c, u).divide_gaps(Gaps::Values, s));
        }
        let mut sum = sum.by(vt);
        if let Some(c) = ct_vt
            && n > m
        {
            let right = outside(&c.flipped(), &v).divide_gaps(Gaps::Values, s);
            sum = sum.plus(u.by(&right.flipped()));
        }
        sum
    }
    #[track_caller]
    fn push<T: Factorize, D: Linalg>(
        [u, s, vt]: &[Raw<T, D>; 3],
        x: &Raw<T, D>,
        t: &Raw<T, D>,
    ) -> [Raw<T, D>; 3] {
        let [m, n] = x.sizes();
        let v = vt.flipped();
        let tv = t.by(&v);
        let p = u.flipped().by(&tv);
        let t_s = p.diagonals().copied();
        let both = |x: Raw<T, D>| {
            let turned = x.flipped();
            x.plus(turned).divide_gaps(Gaps::Squares, s)
        };
        let mut t_u = u.by(&both(p.clone().times_columns(s)));
        let mut t_v = v.by(&both(p.times_rows(s)));
        if m > n {
            t_u = t_u.plus(outside(&tv, u).divide_gaps(Gaps::Values, s));
        }
        if n > m {
            let tu = t.flipped().by(u);
            t_v = t_v.plus(outside(&tu, &v).divide_gaps(Gaps::Values, s));
        }
        [t_u, t_s, t_v.flipped()]
    }
}

impl Rule<1> for Svdvals {
    type Saved<T: Factorize, D: Linalg> = ();
    #[track_caller]
    fn run<T: Factorize, D: Linalg>(x: &Raw<T, D>) -> Ran<Self, T, D, 1> {
        converged(x.svdvals()).map(|s| ([s], ()))
    }
    // The values have come without the vectors, which take longer.
    #[track_caller]
    fn pull<T: Factorize, D: Linalg>(
        _: &(),
        x: &Raw<T, D>,
        [ct]: [Option<&Raw<T, D>>; 1],
    ) -> Raw<T, D> {
        let ct = ct.expect("the only cotangent is not zero");
        let ([u, _, vt], _) = x.svd();
        u.times_columns(ct).by(&vt)
    }
    #[track_caller]
    fn push<T: Factorize, D: Linalg>(_: &(), x: &Raw<T, D>, t: &Raw<T, D>) -> [Raw<T, D>; 1] {
        let ([u, _, vt], _) = x.svd();
        let p = u.flipped().by(t).by(&vt.flipped());
        [p.diagonals().copied()]
    }
}

impl Rule<1> for Pinv {
    type Saved<T: Factorize, D: Linalg> = Raw<T, D>;
    #[track_caller]
    fn run<T: Factorize, D: Linalg>(x: &Raw<T, D>) -> Ran<Self, T, D, 1> {
        let [u, s, vt] = converged(x.svd())?;
        let [m, n] = x.sizes();
        if m.min(n) == 0 {
            let p = Raw::zeros(x.device(), *x.flipped().dims());
            return Ok(([p.clone()], p));
        }
        let axis = s.dims().rank() - 1;
        let least = s
            .slice(axis, 0, 1)
            .binary_scalar(BinaryOp::Mul, T::lit(m.max(n) as f64 * epsilon::<T>()))
            .expand(*s.dims());
        // A NaN is not above anything; the vectors, which are NaN too, keep it.
        let kept = Raw::compare(CompareOp::Gt, &s, &least);
        let zeros = Raw::zeros(x.device(), *s.dims());
        let inverse = Raw::select(&kept, &s.unary(UnaryOp::Recip), &zeros);
        let p = vt.flipped().times_columns(&inverse).by(&u.flipped());
        Ok(([p.clone()], p))
    }
    #[track_caller]
    fn pull<T: Factorize, D: Linalg>(
        p: &Raw<T, D>,
        x: &Raw<T, D>,
        [ct]: [Option<&Raw<T, D>>; 1],
    ) -> Raw<T, D> {
        let ct = ct.expect("the only cotangent is not zero");
        let (pt, turned) = (p.flipped(), ct.flipped());
        let first = pt.by(ct).by(&pt).negated();
        // (I − A P) Cᵀ P Pᵀ
        let left = turned.by(p).by(&pt);
        let second = left.clone().minus(x.by(&p.by(&left)));
        // Pᵀ P Cᵀ (I − P A)
        let right = pt.by(p).by(&turned);
        let third = right.clone().minus(right.by(p).by(x));
        first.plus(second).plus(third)
    }
    #[track_caller]
    fn push<T: Factorize, D: Linalg>(
        p: &Raw<T, D>,
        x: &Raw<T, D>,
        t: &Raw<T, D>,
    ) -> [Raw<T, D>; 1] {
        let (pt, turned) = (p.flipped(), t.flipped());
        let first = p.by(t).by(p).negated();
        let left = p.by(&pt).by(&turned);
        let second = left.clone().minus(left.by(x).by(p));
        let right = turned.by(&pt).by(p);
        let third = right.clone().minus(p.by(&x.by(&right)));
        [first.plus(second).plus(third)]
    }
}
