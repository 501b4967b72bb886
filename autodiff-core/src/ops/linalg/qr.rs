//! `qr`, after Walter and Lehmann (2018); of wide matrices after Roberts and Roberts (2020).
//!
//! With `k` the smaller of rows and columns, `A = Q R` has `Q` of `k` orthonormal columns.
//!
//! Square or tall, `R` is square. The pushforward: with `X = T R⁻¹`, `Y = Qᵀ X` and the antisymmetric
//! `Ω = tril(Y, −1) − tril(Y, −1)ᵀ`, `Q̇ = X − Q Y + Q Ω` and `Ṙ = (Y − Ω) R`. The pullback: with
//! `M = R C_Rᵀ − C_Qᵀ Q` and `N` symmetric with the lower triangle of `M`, `(C_Q + Q N) R⁻ᵀ`.
//!
//! Wide, `A = [A₁ A₂]` with `A₁` square, and `R = [R₁ R₂]`: `A₁ = Q R₁` is the square case and
//! `R₂ = Qᵀ A₂`.
//!
//! The signs are those of the Householder reflections: the diagonal of `R` need not be positive, and a
//! loss should not depend on it. Where the first `k` columns are linearly dependent, there is no
//! derivative: it is NaN or ±∞ (NaN if `R` has an exact zero), as in JAX and PyTorch.

use super::rule::{Ran, Rule, operations};
use super::{LinalgError, rectangular};
use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Factorize, Linalg, Triangle};
use crate::shape::{Matrices, Smaller};
use crate::tensor::{Raw, Tensor};

pub(super) struct Qr;

type Thin<S> = <<S as Matrices>::Rows as Smaller<<S as Matrices>::Columns>>::Out;

operations! {
    /// The factors `(Q, R)` of each matrix: `A = Q·R`, where the columns of `Q` are orthonormal and `R` is
    /// an upper triangle. The reduced form: with `k` the smaller of rows and columns, `Q` has `k` columns
    /// and `R` has `k` rows.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let a: Tensor![f64; 5, 3] = Tensor::randn(0);
    /// let (q, r): (Tensor![f64; 5, 3], Tensor![f64; 3, 3]) = a.qr();
    /// assert!((q.matmul(&r) - &a).norm().item() < 1e-12);
    /// ```
    qr, pub(crate) try_qr, __qr_vjp, __qr_jvp by Qr where [S::Rows: Smaller<S::Columns>];
    check rectangular;
    |s| q: S::Of<S::Rows, Thin<S>> = s.of(s.rows(), s.rows().smaller(s.columns())),
        r: S::Of<Thin<S>, S::Columns> = s.of(s.rows().smaller(s.columns()), s.columns());
}

const UPPER: Triangle = Triangle::upper();

/// `X R⁻¹`
#[track_caller]
fn over<T: Factorize, D: Linalg>(x: &Raw<T, D>, r: &Raw<T, D>) -> Raw<T, D> {
    r.over_triangular(UPPER.transposed(), &x.flipped())
        .flipped()
}

/// The columns of the square part, and the rest.
#[track_caller]
fn parts<T: Factorize, D: Linalg>(x: &Raw<T, D>, k: usize) -> [Raw<T, D>; 2] {
    let axis = x.dims().rank() - 1;
    let n = x.dims()[axis];
    [x.slice(axis, 0, k), x.slice(axis, k, n - k)]
}

#[track_caller]
fn joined<T: Factorize, D: Linalg>(parts: [&Raw<T, D>; 2]) -> Raw<T, D> {
    Raw::concat(parts[0].dims().rank() - 1, &parts)
}

/// The pullback where `R` is square.
#[track_caller]
fn pull<T: Factorize, D: Linalg>(
    [q, r]: [&Raw<T, D>; 2],
    [ct_q, ct_r]: [Option<&Raw<T, D>>; 2],
) -> Raw<T, D> {
    let from_r = ct_r.map(|c| r.by(&c.above().flipped()));
    let from_q = ct_q.map(|c| c.flipped().by(q).negated());
    let m = [from_r, from_q].into_iter().flatten().reduce(Raw::plus);
    let m = m.expect("one cotangent is not zero");
    let n = m.below(0).plus(m.below(-1).flipped());
    let mut sum = q.by(&n);
    if let Some(c) = ct_q {
        sum = sum.plus(c.clone());
    }
    // X R⁻ᵀ
    r.over_triangular(UPPER, &sum.flipped()).flipped()
}

#[track_caller]
fn push<T: Factorize, D: Linalg>([q, r]: [&Raw<T, D>; 2], t: &Raw<T, D>) -> [Raw<T, D>; 2] {
    let x = over(t, r);
    let y = q.flipped().by(&x);
    let omega = y.below(-1).minus(y.below(-1).flipped());
    let inner = y.minus(omega);
    let t_q = x.minus(q.by(&inner));
    // `Y − Ω` is an upper triangle, but for rounding.
    [t_q, inner.above().by(r)]
}

impl Rule<2> for Qr {
    type Saved<T: Factorize, D: Linalg> = [Raw<T, D>; 2];
    #[track_caller]
    fn run<T: Factorize, D: Linalg>(x: &Raw<T, D>) -> Ran<Self, T, D, 2> {
        let factors = x.qr();
        Ok((factors.clone(), factors))
    }
    #[track_caller]
    fn pull<T: Factorize, D: Linalg>(
        [q, r]: &[Raw<T, D>; 2],
        x: &Raw<T, D>,
        [ct_q, ct_r]: [Option<&Raw<T, D>>; 2],
    ) -> Raw<T, D> {
        let [m, n] = x.sizes();
        if m >= n {
            return pull([q, r], [ct_q, ct_r]);
        }
        let [r1, _] = parts(r, m);
        let [_, x2] = parts(x, m);
        let Some([ct_1, ct_2]) = ct_r.map(|c| parts(c, m)) else {
            let first = pull([q, &r1], [ct_q, None]);
            return joined([&first, &Raw::zeros(x.device(), *x2.dims())]);
        };
        let mut from_q = x2.by(&ct_2.flipped());
        if let Some(c) = ct_q {
            from_q = from_q.plus(c.clone());
        }
        let first = pull([q, &r1], [Some(&from_q), Some(&ct_1)]);
        joined([&first, &q.by(&ct_2)])
    }
    #[track_caller]
    fn push<T: Factorize, D: Linalg>(
        [q, r]: &[Raw<T, D>; 2],
        x: &Raw<T, D>,
        t: &Raw<T, D>,
    ) -> [Raw<T, D>; 2] {
        let [m, n] = x.sizes();
        if m >= n {
            return push([q, r], t);
        }
        let [r1, _] = parts(r, m);
        let ([_, x2], [t1, t2]) = (parts(x, m), parts(t, m));
        let [t_q, t_r1] = push([q, &r1], &t1);
        let t_r2 = t_q.flipped().by(&x2).plus(q.flipped().by(&t2));
        let t_r = joined([&t_r1, &t_r2]);
        [t_q, t_r]
    }
}
