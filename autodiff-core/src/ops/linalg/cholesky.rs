//! `cholesky cholesky_solve`.
//!
//! With `Φ(X)` the lower triangle of `X` with half of its diagonal, and `S(X) = (X + Xᵀ)/2`:
//!
//! - `L = cholesky(A)` factorises the symmetric part, `L Lᵀ = S(A)`. The pullback of `C` is
//!   `S(L⁻ᵀ Φ(Lᵀ C) L⁻¹)`, the pushforward of `T` is `L Φ(L⁻¹ S(T) L⁻ᵀ)`. Both triangles of `A` are read, as
//!   in JAX, so the gradient is symmetric and is the derivative entry by entry. What `C` has above the
//!   diagonal does not count: `L` is constant there.
//! - `X = L⁻ᵀ L⁻¹ B`: with `G = L⁻ᵀ L⁻¹ C`, `B` gets `G` and `L` the lower triangle of
//!   `−(G Xᵀ + X Gᵀ) L`. The upper triangle of `L` is not read.

use super::rule::{Ran, Rule, operations};
use super::solve::agree;
use super::{LinalgError, found, square};
use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Factorize, Linalg, Triangle};
use crate::ops::OrPanic;
use crate::shape::{Agree, Matrices, Square, System};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

pub(super) struct Cholesky;

operations! {
    /// The lower triangular `L` with positive diagonal and `L·Lᵀ = A`, for symmetric positive definite
    /// matrices. Of a matrix that is not symmetric, the symmetric part `(A + Aᵀ)/2` is meant.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let a: Tensor![f64; 2, 2] = tensor([[4.0, 2.0], [2.0, 10.0]]);
    /// assert_eq!(a.cholesky(), tensor([[2.0, 0.0], [1.0, 3.0]]));
    /// ```
    ///
    /// # Panics
    /// If a matrix is not positive definite, or run-time dimensions of one name have different sizes.
    cholesky, pub try_cholesky, __cholesky_vjp, __cholesky_jvp by Cholesky where [S: Square];
    check square;
    |s| l: S = s;
}

const LOWER: Triangle = Triangle::lower();

/// `L⁻¹ X L⁻ᵀ`
#[track_caller]
fn between<T: Factorize, D: Linalg>(l: &Raw<T, D>, x: &Raw<T, D>) -> Raw<T, D> {
    let left = l.over_triangular(LOWER, x);
    l.over_triangular(LOWER, &left.flipped()).flipped()
}

/// `L⁻ᵀ L⁻¹ B`
#[track_caller]
fn solved<T: Factorize, D: Linalg>(l: &Raw<T, D>, b: &Raw<T, D>) -> (Raw<T, D>, Option<usize>) {
    let (y, failed) = l.solve_triangular(LOWER, b);
    (l.over_triangular(LOWER.transposed(), &y), failed)
}

impl Rule<1> for Cholesky {
    type Saved<T: Factorize, D: Linalg> = Raw<T, D>;
    #[track_caller]
    fn run<T: Factorize, D: Linalg>(x: &Raw<T, D>) -> Ran<Self, T, D, 1> {
        let error = |matrix| LinalgError::NotPositiveDefinite { matrix };
        found(x.cholesky(), error).map(|l| ([l.clone()], l))
    }
    #[track_caller]
    fn pull<T: Factorize, D: Linalg>(
        l: &Raw<T, D>,
        _: &Raw<T, D>,
        [ct]: [Option<&Raw<T, D>>; 1],
    ) -> Raw<T, D> {
        let ct = ct.expect("the only cotangent is not zero");
        let half = l.flipped().by(ct).half_below();
        let up = LOWER.transposed();
        let left = l.over_triangular(up, &half);
        l.over_triangular(up, &left.flipped()).symmetrised()
    }
    #[track_caller]
    fn push<T: Factorize, D: Linalg>(
        l: &Raw<T, D>,
        _: &Raw<T, D>,
        t: &Raw<T, D>,
    ) -> [Raw<T, D>; 1] {
        [l.by(&between(l, &t.symmetrised()).half_below())]
    }
}

#[rule]
impl<S: Matrices, T: Factorize, D: Linalg> Tensor<S, T, D> {
    /// Solves `A X = B` where `self` is the [Cholesky factor](Tensor::cholesky) of `A`. Only its lower
    /// triangle is read.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let a: Tensor![f64; 2, 2] = tensor([[4.0, 2.0], [2.0, 10.0]]);
    /// let b: Tensor![f64; 2, 1] = tensor([[6.0], [12.0]]);
    /// let x = a.cholesky().cholesky_solve(&b);
    /// assert!((x - 1.0).norm().item() < 1e-14);
    /// ```
    ///
    /// # Panics
    /// If the diagonal of a factor has a zero, or run-time dimensions of one name have different sizes.
    #[derivative(
        active b;
        let saved = M0::ON.then(|| out.raw().clone());
        pull |ct, l, b, d_l, d_b| {
            let Some(ct) = ct.raw() else { return };
            let (g, _) = solved(l.raw(), ct);
            if let Some(x) = &saved {
                let outer = g.by(&x.flipped());
                let both = outer.clone().plus(outer.flipped());
                let d = both.by(&l.raw().below(0)).below(0).negated();
                d_l.acc(Tensor::new(l.shape(), d).into());
            }
            if M1::ON {
                d_b.acc(Tensor::new(b.shape(), g).into());
            }
        };
        push {
            let outer = t.raw().below(0).by(&self.raw().below(0).flipped());
            let moved = outer.clone().plus(outer.flipped()).by(out.raw());
            let (tangent, _) = solved(self.raw(), &t_b.raw().clone().minus(moved));
            Tensor::new(b.shape(), tangent)
        };
    )]
    #[track_caller]
    pub fn cholesky_solve<R: Matrices>(&self, b: &Tensor<R, T, D>) -> Tensor<R, T, D>
    where
        S: Square + System<R>,
        <S as System<R>>::Shared: Agree<S, R>,
    {
        let x = agree(self.shape(), b.shape()).and_then(|()| {
            found(solved(self.raw(), b.raw()), |matrix| {
                LinalgError::Singular { matrix }
            })
        });
        let x = x.or_panic("cholesky_solve");
        Tensor::new(b.shape(), x)
    }
}
