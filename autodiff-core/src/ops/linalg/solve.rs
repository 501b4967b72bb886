//! `solve solve_vec`: systems of linear equations.
//!
//! `A X = B`. The pullback of `C`: with `G = A⁻ᵀ C`, `B` gets `G` and `A` gets `−G Xᵀ`. The pushforward:
//! `A⁻¹ (Ḃ − Ȧ X)`. Elimination runs once; the derivatives use its triangles.

use super::error::square;
use super::{LinalgError, found};
use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Factorize, Linalg};
use crate::ops::OrPanic;
use crate::shape::{Agree, Last, Matrices, Shape, ShapeError, Square, System, VectorSystem};
use crate::tensor::{Lu, Raw, Tensor};

/// That a square system and a right-hand side, whose types fit, have run-time sizes that fit.
#[track_caller]
pub(super) fn agree<S: Matrices, R: Shape>(a: S, b: R) -> Result<(), LinalgError> {
    square(a)?;
    Ok(rows_agree(a, b)?)
}

/// The rows of a system and of a right-hand side, or of a vector, and their batches.
#[track_caller]
pub(super) fn rows_agree<S: Matrices, R: Shape>(a: S, b: R) -> Result<(), ShapeError> {
    let (l, r) = (a.dims(), b.dims());
    for axis in 0..l.rank() - 1 {
        if l[axis] != r[axis] {
            return Err(ShapeError::Dimension {
                left: S::NAMES[axis],
                left_size: l[axis],
                right: R::NAMES[axis],
                right_size: r[axis],
            });
        }
    }
    Ok(())
}

type Solved<T, D> = (Raw<T, D>, Lu<T, D>);

#[track_caller]
fn solved<T: Factorize, D: Linalg>(
    a: &Raw<T, D>,
    b: &Raw<T, D>,
) -> Result<Solved<T, D>, LinalgError> {
    let lu = a.lu();
    let x = found(lu.solve(false, b), |matrix| LinalgError::Singular {
        matrix,
    })?;
    Ok((x, lu))
}

macro_rules! solves {
    (
        $(#[$doc:meta])*
        $name:ident $try:ident $vjp:ident $jvp:ident for $R:ident: $Rhs:ident by $System:ident;
        column |$x:ident| $column:expr;
        back |$y:ident| $back:expr;
    ) => {
        impl<S: Matrices, T: Factorize, D: Linalg> Tensor<S, T, D> {
            $(#[$doc])*
            #[track_caller]
            pub fn $name<$R: $Rhs>(&self, b: &Tensor<$R, T, D>) -> Tensor<$R, T, D>
            where
                S: Square + $System<$R>,
                <S as $System<$R>>::Shared: Agree<S, $R>,
            {
                self.$try(b).or_panic(stringify!($name))
            }

            #[doc = concat!("As [`", stringify!($name), "`](Tensor::", stringify!($name), "), with an error in the place of a panic.")]
            #[track_caller]
            pub fn $try<$R: $Rhs>(
                &self,
                b: &Tensor<$R, T, D>,
            ) -> Result<Tensor<$R, T, D>, LinalgError>
            where
                S: Square + $System<$R>,
                <S as $System<$R>>::Shared: Agree<S, $R>,
            {
                agree(self.shape(), b.shape())?;
                let column = |$x: &Raw<T, D>| $column;
                let ($y, _) = solved(self.raw(), &column(b.raw()))?;
                Ok(Tensor::new(b.shape(), $back))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M0: Mode, M1: Mode, $R: $Rhs>(
                &self,
                _: (M0, M1),
                b: &Tensor<$R, T, D>,
            ) -> (
                Tensor<$R, T, D>,
                impl FnOnce(
                    Ct<Tensor<$R, T, D>>,
                    &Self,
                    &Tensor<$R, T, D>,
                    &mut Adj<Self, M0>,
                    &mut Adj<Tensor<$R, T, D>, M1>,
                ) + Clone + use<M0, M1, S, $R, T, D>,
            )
            where
                S: Square + $System<$R>,
                <S as $System<$R>>::Shared: Agree<S, $R>,
            {
                let column = |$x: &Raw<T, D>| $column;
                let back = |$y: Raw<T, D>| $back;
                let found = agree(self.shape(), b.shape())
                    .and_then(|()| solved(self.raw(), &column(b.raw())));
                let (x, lu) = found.or_panic(stringify!($name));
                let lu = (M0::ON || M1::ON).then_some(lu);
                let saved = M0::ON.then(|| x.clone());
                (Tensor::new(b.shape(), back(x)), move |ct, a, b, d_a, d_b| {
                    let (Some(ct), Some(lu)) = (ct.raw(), &lu) else { return };
                    let (g, _) = lu.solve(true, &column(ct));
                    if let Some(x) = &saved {
                        let d = g.by(&x.flipped()).negated();
                        d_a.acc(Tensor::new(a.shape(), d).into());
                    }
                    if M1::ON {
                        d_b.acc(Tensor::new(b.shape(), back(g)).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $jvp<$R: $Rhs>(
                &self,
                t: &Self,
                b: &Tensor<$R, T, D>,
                t_b: &Tensor<$R, T, D>,
            ) -> (Tensor<$R, T, D>, Tensor<$R, T, D>)
            where
                S: Square + $System<$R>,
                <S as $System<$R>>::Shared: Agree<S, $R>,
            {
                let column = |$x: &Raw<T, D>| $column;
                let back = |$y: Raw<T, D>| $back;
                let found = agree(self.shape(), b.shape())
                    .and_then(|()| solved(self.raw(), &column(b.raw())));
                let (x, lu) = found.or_panic(stringify!($name));
                let (tangent, _) = lu.solve(false, &column(t_b.raw()).minus(t.raw().by(&x)));
                (Tensor::new(b.shape(), back(x)), Tensor::new(b.shape(), back(tangent)))
            }
        }
    };
}

solves! {
    /// The solution `X` of `A X = B` for square matrices `(.., N, N)` and right-hand sides `(.., N, K)`.
    /// For vectors there is [`solve_vec`](Tensor::solve_vec).
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let a: Tensor![f64; 2, 2] = tensor([[2.0, 1.0], [1.0, 3.0]]);
    /// let b: Tensor![f64; 2, 1] = tensor([[3.0], [5.0]]);
    /// assert!((a.matmul(&a.solve(&b)) - &b).norm().item() < 1e-14);
    /// ```
    ///
    /// # Panics
    /// If a matrix is singular, or run-time dimensions of one name have different sizes.
    solve try_solve __solve_vjp __solve_jvp for R: Matrices by System;
    column |b| b.clone();
    back |x| x;
}

solves! {
    /// The solution `x` of `A x = b` for square matrices `(.., N, N)` and vectors `(.., N)`.
    ///
    /// ```
    /// # use differentiable::prelude::*;
    /// let a: Tensor![f64; 2, 2] = tensor([[2.0, 0.0], [1.0, 4.0]]);
    /// let b: Tensor![f64; 2] = tensor([2.0, 9.0]);
    /// assert_eq!(a.solve_vec(&b), tensor([1.0, 2.0]));
    /// ```
    ///
    /// # Panics
    /// If a matrix is singular, or run-time dimensions of one name have different sizes.
    solve_vec try_solve_vec __solve_vec_vjp __solve_vec_jvp for R: Last by VectorSystem;
    column |b| b.unsqueeze(b.dims().rank());
    back |x| x.squeeze(x.dims().rank() - 1);
}
