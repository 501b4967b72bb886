//! `solve_triangular`.
//!
//! `A X = B` where `A` is the triangle that a [`Triangle`] names (transposed if it says so). With
//! `G = A⁻ᵀ C`, `B` gets `G` and `A` gets the triangle of `−G Xᵀ`; with a unit diagonal, without the
//! diagonal. What is outside the triangle is not read and gets 0.

use super::solve::agree;
use super::{LinalgError, found};
use crate::ad::{Acc, Inactive};
use crate::device::{Factorize, Linalg, Triangle};
use crate::ops::OrPanic;
use crate::shape::{Agree, Matrices, Square, System};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

/// What is read of a matrix.
#[track_caller]
fn masked<T: Factorize, D: Linalg>(x: &Raw<T, D>, which: Triangle) -> Raw<T, D> {
    let k = isize::from(which.unit);
    x.copied()
        .triangle(which.upper, if which.upper { k } else { -k })
}

/// As a factor of the system.
#[track_caller]
fn turned<T: Factorize, D: Linalg>(x: &Raw<T, D>, which: Triangle) -> Raw<T, D> {
    if which.transposed {
        x.flipped()
    } else {
        x.clone()
    }
}

#[rule]
impl<S: Matrices, T: Factorize, D: Linalg> Tensor<S, T, D> {
    /// The solution `X` of `A X = B` for triangular matrices `(.., N, N)` and right-hand sides `(.., N, K)`:
    /// `l.solve_triangular(&b, Triangle::lower())`. Only the triangle is read.
    ///
    /// # Panics
    /// If the diagonal of a matrix has a zero, or run-time dimensions of one name have different sizes.
    #[derivative(
        mode which: Inactive;
        active b;
        let saved = M0::ON.then(|| out.raw().clone());
        pull |ct, a, b, d_a, d_b, _| {
            let Some(ct) = ct.raw() else { return };
            let g = a.raw().over_triangular(which.transposed(), ct);
            if let Some(x) = &saved {
                let d = turned(&g.by(&x.flipped()), which).negated();
                d_a.acc(Tensor::new(a.shape(), masked(&d, which)).into());
            }
            if M1::ON {
                d_b.acc(Tensor::new(b.shape(), g).into());
            }
        };
        push {
            let moved = turned(&masked(t.raw(), which), which).by(out.raw());
            let rest = t_b.raw().clone().minus(moved);
            let tangent = self.raw().over_triangular(which, &rest);
            Tensor::new(b.shape(), tangent)
        };
    )]
    #[track_caller]
    pub fn solve_triangular<R: Matrices>(
        &self,
        b: &Tensor<R, T, D>,
        which: Triangle,
    ) -> Tensor<R, T, D>
    where
        S: Square + System<R>,
        <S as System<R>>::Shared: Agree<S, R>,
    {
        self.try_solve_triangular(b, which)
            .or_panic("solve_triangular")
    }

    /// As [`solve_triangular`](Tensor::solve_triangular), with an error in the place of a panic.
    #[track_caller]
    pub fn try_solve_triangular<R: Matrices>(
        &self,
        b: &Tensor<R, T, D>,
        which: Triangle,
    ) -> Result<Tensor<R, T, D>, LinalgError>
    where
        S: Square + System<R>,
        <S as System<R>>::Shared: Agree<S, R>,
    {
        agree(self.shape(), b.shape())?;
        let solved = self.raw().solve_triangular(which, b.raw());
        let x = found(solved, |matrix| LinalgError::Singular { matrix })?;
        Ok(Tensor::new(b.shape(), x))
    }
}
