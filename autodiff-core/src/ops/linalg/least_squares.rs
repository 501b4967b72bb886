//! `lstsq`: least squares by QR.
//!
//! `X = A⁺ B` for matrices of full rank, with residuals `E = B − A X` and `C` the cotangent of `X`:
//!
//! - tall, `X = R⁻¹ Qᵀ B`: with `Y = (Aᵀ A)⁻¹ C = R⁻¹ R⁻ᵀ C`, `B` gets `A Y` and `A` gets
//!   `E Yᵀ − A Y Xᵀ`; the pushforward is `R⁻¹ R⁻ᵀ Ȧᵀ E + R⁻¹ Qᵀ (Ḃ − Ȧ X)`;
//! - wide, with `Aᵀ = Q R`, the solution of least norm `X = Q R⁻ᵀ B`: with `Z = (A Aᵀ)⁻¹ B = R⁻¹ R⁻ᵀ B` and
//!   `Y = R⁻¹ Qᵀ C`, `B` gets `Y` and `A` gets `Z (C − Aᵀ Y)ᵀ − Y Xᵀ`; the pushforward is
//!   `Q R⁻ᵀ (Ḃ − Ȧ X) + (I − Q Qᵀ) Ȧᵀ Z`.

use super::solve::rows_agree;
use super::{LinalgError, epsilon};
use crate::ad::Acc;
use crate::device::{Factorize, Linalg, Triangle};
use crate::ops::OrPanic;
use crate::shape::{Agree, Matrices, System};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

type Out<S, R> = <S as Matrices>::Of<<S as Matrices>::Columns, <R as Matrices>::Columns>;

const UPPER: Triangle = Triangle::upper();

/// The factors of `A`, or of `Aᵀ` if `A` is wide.
#[derive(Clone)]
struct Factors<T: Factorize, D: Linalg> {
    wide: bool,
    q: Raw<T, D>,
    r: Raw<T, D>,
}

impl<T: Factorize, D: Linalg> Factors<T, D> {
    #[track_caller]
    fn new(a: &Raw<T, D>) -> Result<Self, LinalgError> {
        let [m, n] = a.sizes();
        let wide = n > m;
        let [q, r] = if wide { a.flipped().qr() } else { a.qr() };
        let k = m.min(n);
        let diagonals = r.diagonals().to_vec();
        for (matrix, diagonal) in diagonals.chunks(k.max(1)).enumerate() {
            let sizes = diagonal.iter().map(|d| d.to_f64().abs());
            let most = sizes.clone().fold(0.0, f64::max);
            let least = sizes.fold(f64::INFINITY, f64::min);
            if least <= most * m.max(n) as f64 * epsilon::<T>() {
                return Err(LinalgError::RankDeficient { matrix });
            }
        }
        Ok(Factors { wide, q, r })
    }

    /// `R⁻¹ X`
    #[track_caller]
    fn over(&self, x: &Raw<T, D>) -> Raw<T, D> {
        self.r.over_triangular(UPPER, x)
    }

    /// `R⁻ᵀ X`
    #[track_caller]
    fn over_turned(&self, x: &Raw<T, D>) -> Raw<T, D> {
        self.r.over_triangular(UPPER.transposed(), x)
    }

    /// `A⁺ X`
    #[track_caller]
    fn apply(&self, x: &Raw<T, D>) -> Raw<T, D> {
        if self.wide {
            self.q.by(&self.over_turned(x))
        } else {
            self.over(&self.q.flipped().by(x))
        }
    }

    /// The cotangents of `A` and `B`.
    #[track_caller]
    fn pull(&self, a: &Raw<T, D>, b: &Raw<T, D>, x: &Raw<T, D>, ct: &Raw<T, D>) -> [Raw<T, D>; 2] {
        if self.wide {
            let z = self.over(&self.over_turned(b));
            let y = self.over(&self.q.flipped().by(ct));
            let outside = ct.clone().minus(a.flipped().by(&y));
            let d_a = z.by(&outside.flipped()).minus(y.by(&x.flipped()));
            [d_a, y]
        } else {
            let e = b.clone().minus(a.by(x));
            let y = self.over(&self.over_turned(ct));
            let d_b = a.by(&y);
            let d_a = e.by(&y.flipped()).minus(d_b.by(&x.flipped()));
            [d_a, d_b]
        }
    }

    #[track_caller]
    fn push(&self, [a, b, x]: [&Raw<T, D>; 3], [t_a, t_b]: [&Raw<T, D>; 2]) -> Raw<T, D> {
        let first = self.apply(&t_b.clone().minus(t_a.by(x)));
        let second = if self.wide {
            let z = self.over(&self.over_turned(b));
            let moved = t_a.flipped().by(&z);
            moved.clone().minus(self.q.by(&self.q.flipped().by(&moved)))
        } else {
            let e = b.clone().minus(a.by(x));
            self.over(&self.over_turned(&t_a.flipped().by(&e)))
        };
        first.plus(second)
    }
}

#[rule]
impl<S: Matrices, T: Factorize, D: Linalg> Tensor<S, T, D> {
    /// The `X` for which `A X` is nearest to `B`: least squares for matrices `(.., M, N)` of full rank and
    /// right-hand sides `(.., M, K)`. With more columns than rows, the solution of least norm.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// // The line nearest to three points.
    /// let a: Tensor![f64; 3, 2] = tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]);
    /// let y: Tensor![f64; 3, 1] = tensor([[1.0], [3.0], [5.0]]);
    /// let line: Tensor![f64; 2, 1] = a.lstsq(&y);
    /// assert!((line - tensor([[1.0], [2.0]])).norm().item() < 1e-12);
    /// ```
    ///
    /// # Panics
    /// If a matrix does not have full rank (for those, [`pinv`](Tensor::pinv) gives the solution of least
    /// norm), or run-time dimensions of one name have different sizes.
    #[derivative(
        active b;
        let found = self.least_squares(b);
        let (x, factors) = found.or_panic("lstsq");
        let saved = x.raw().clone();
        value x;
        pull |ct, a, b, d_a, d_b| {
            let Some(ct) = ct.raw() else { return };
            let [of_a, of_b] = factors.pull(a.raw(), b.raw(), &saved, ct);
            if M0::ON {
                d_a.acc(Tensor::new(a.shape(), of_a).into());
            }
            if M1::ON {
                d_b.acc(Tensor::new(b.shape(), of_b).into());
            }
        };
        both {
            let found = self.least_squares(b);
            let (x, factors) = found.or_panic("lstsq");
            let tangent = factors.push([self.raw(), b.raw(), x.raw()], [t.raw(), t_b.raw()]);
            let shape = x.shape();
            (x, Tensor::new(shape, tangent))
        };
    )]
    #[track_caller]
    pub fn lstsq<R: Matrices>(&self, b: &Tensor<R, T, D>) -> Tensor<Out<S, R>, T, D>
    where
        S: System<R>,
        <S as System<R>>::Shared: Agree<S, R>,
    {
        self.try_lstsq(b).or_panic("lstsq")
    }

    /// As [`lstsq`](Tensor::lstsq), with an error in the place of a panic.
    #[track_caller]
    pub fn try_lstsq<R: Matrices>(
        &self,
        b: &Tensor<R, T, D>,
    ) -> Result<Tensor<Out<S, R>, T, D>, LinalgError>
    where
        S: System<R>,
        <S as System<R>>::Shared: Agree<S, R>,
    {
        Ok(self.least_squares(b)?.0)
    }

    #[allow(clippy::type_complexity)]
    #[track_caller]
    fn least_squares<R: Matrices>(
        &self,
        b: &Tensor<R, T, D>,
    ) -> Result<(Tensor<Out<S, R>, T, D>, Factors<T, D>), LinalgError> {
        rows_agree(self.shape(), b.shape())?;
        let factors = Factors::new(self.raw())?;
        let shape = self.shape().of(self.shape().columns(), b.shape().columns());
        Ok((Tensor::new(shape, factors.apply(b.raw())), factors))
    }
}
