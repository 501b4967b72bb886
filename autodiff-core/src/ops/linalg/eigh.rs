//! `eigh eigvalsh`: eigenvalues `w` and eigenvectors `V` of the symmetric part `(A + Aᵀ)/2 = S(A)`.
//!
//! With `F_ij = 1/(w_j − w_i)` off the diagonal and 0 on it (Giles 2008):
//!
//! - pushforward: with `X = Vᵀ S(T) V`, `ẇ = diag X` and `V̇ = V (F ∘ X)`;
//! - pullback: `S(V (diag(C_w) + F ∘ (Vᵀ C_V)) Vᵀ)`.
//!
//! Both triangles of `A` are read, as in JAX, so the gradient is symmetric and is the derivative entry
//! by entry. The sign of each vector is arbitrary: a loss should not depend on it.
//!
//! **Equal eigenvalues.** The gradient of the values alone needs no `F` and is fine everywhere for
//! symmetric functions of them. Vectors of equal eigenvalues are not differentiable: where a cotangent
//! of `V` arrives, the gradient is NaN, as in JAX and PyTorch, and so are tangents of `V`. Eigenvalues
//! that differ by no more than `n·ε·max|w|`, which rounding cannot tell apart, count as equal if the
//! loss depends on one of their vectors; JAX and PyTorch give large numbers without meaning there.

use super::rule::{Ran, Rule, operations};
use super::{LinalgError, converged, square};
use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Factorize, Gaps, Linalg};
use crate::shape::{Matrices, Square};
use crate::tensor::{Raw, Tensor};

pub(super) struct Eigh;
pub(super) struct Eigvalsh;

operations! {
    /// The eigenvalues of each symmetric matrix in ascending order, and its eigenvectors as the columns of
    /// an orthogonal matrix: `A = V·diag(w)·Vᵀ`. Of a matrix that is not symmetric, the symmetric part
    /// `(A + Aᵀ)/2` is meant.
    ///
    /// The derivative is NaN where a loss depends on vectors of equal eigenvalues.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let a: Tensor![f64; 2, 2] = tensor([[2.0, 1.0], [1.0, 2.0]]);
    /// let (w, v) = a.eigh();
    /// assert!((w - tensor([1.0, 3.0])).norm().item() < 1e-12);
    /// # let _ = v;
    /// ```
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes, or the iteration does not converge.
    eigh, pub try_eigh, __eigh_vjp, __eigh_jvp by Eigh where [S: Square];
    check square;
    |s| w: S::Vectors<S::Rows> = s.vectors(s.rows()), v: S = s;

    /// The eigenvalues of [`eigh`](Tensor::eigh).
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes, or the iteration does not converge.
    eigvalsh, pub try_eigvalsh, __eigvalsh_vjp, __eigvalsh_jvp by Eigvalsh where [S: Square];
    check square;
    |s| w: S::Vectors<S::Rows> = s.vectors(s.rows());
}

impl Rule<2> for Eigh {
    type Saved<T: Factorize, D: Linalg> = [Raw<T, D>; 2];
    #[track_caller]
    fn run<T: Factorize, D: Linalg>(x: &Raw<T, D>) -> Ran<Self, T, D, 2> {
        converged(x.eigh()).map(|found| (found.clone(), found))
    }
    #[track_caller]
    fn pull<T: Factorize, D: Linalg>(
        [w, v]: &[Raw<T, D>; 2],
        _: &Raw<T, D>,
        [ct_w, ct_v]: [Option<&Raw<T, D>>; 2],
    ) -> Raw<T, D> {
        let from_w = ct_w.map(Raw::on_diagonal);
        let from_v = ct_v.map(|c| v.flipped().by(c).divide_gaps(Gaps::Differences, w));
        let inner = [from_w, from_v].into_iter().flatten().reduce(Raw::plus);
        let inner = inner.expect("one cotangent is not zero");
        v.by(&inner).by(&v.flipped()).symmetrised()
    }
    #[track_caller]
    fn push<T: Factorize, D: Linalg>(
        [w, v]: &[Raw<T, D>; 2],
        _: &Raw<T, D>,
        t: &Raw<T, D>,
    ) -> [Raw<T, D>; 2] {
        let x = v.flipped().by(&t.symmetrised()).by(v);
        let t_w = x.diagonals().copied();
        [t_w, v.by(&x.divide_gaps(Gaps::Differences, w))]
    }
}

impl Rule<1> for Eigvalsh {
    type Saved<T: Factorize, D: Linalg> = ();
    #[track_caller]
    fn run<T: Factorize, D: Linalg>(x: &Raw<T, D>) -> Ran<Self, T, D, 1> {
        converged(x.eigvalsh()).map(|w| ([w], ()))
    }
    // The values have come without the vectors, which take longer.
    #[track_caller]
    fn pull<T: Factorize, D: Linalg>(
        _: &(),
        x: &Raw<T, D>,
        [ct]: [Option<&Raw<T, D>>; 1],
    ) -> Raw<T, D> {
        let ct = ct.expect("the only cotangent is not zero");
        let ([_, v], _) = x.eigh();
        v.clone().times_columns(ct).by(&v.flipped()).symmetrised()
    }
    #[track_caller]
    fn push<T: Factorize, D: Linalg>(_: &(), x: &Raw<T, D>, t: &Raw<T, D>) -> [Raw<T, D>; 1] {
        let ([_, v], _) = x.eigh();
        let x = v.flipped().by(&t.symmetrised()).by(&v);
        [x.diagonals().copied()]
    }
}
