//! Products of matrices and vectors.

use crate::again::{Cotangents, bilinear};
use crate::operation::{Active, Operation};
use crate::{Input, Tape, TapeError, Var};
use autodiff_core::ad::{Ct, NoGrad, Off, On};
use autodiff_core::device::{Backend, Float};
use autodiff_core::shape::{Dim, MatMul, SameBatch, SameInner, Shape};
use autodiff_core::tensor::Tensor;

type Pair<S, R, T, D> = (Tensor<S, T, D>, Tensor<R, T, D>);

macro_rules! products {
    ($(
        $(#[$doc:meta])*
        $name:ident $Op:ident $vjp:ident [$($g:ident: $gb:ident),*] $S:ty, $R:ty => $out:ty
        where [$($w:tt)*] method [$($r:ident: $rb:ident),*];
    )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $Op;

        impl<$($g: $gb,)* T: Float, D: Backend> Operation<Pair<$S, $R, T, D>> for $Op
        where
            $($w)*
        {
            type Output = Tensor<$out, T, D>;
            fn name(&self) -> &'static str {
                stringify!($name)
            }
            fn value(&self, (a, b): &Pair<$S, $R, T, D>) -> Self::Output {
                a.$name(b)
            }
            fn run(
                &self,
                (a, b): &Pair<$S, $R, T, D>,
                active: Active,
            ) -> (
                Self::Output,
                impl FnOnce(&Pair<$S, $R, T, D>, Ct<Self::Output>, &mut Ct<Pair<$S, $R, T, D>>) + use<$($g,)* T, D>,
            ) {
                // The product that nobody asks for is as much work as the other one.
                #[allow(clippy::type_complexity)]
                let pulled: (Self::Output, Box<dyn FnOnce(&Pair<$S, $R, T, D>, Ct<Self::Output>, &mut Ct<Pair<$S, $R, T, D>>)>) =
                    match (active.has(0), active.has(1)) {
                        (true, false) => {
                            let (y, pull) = a.$vjp((On, Off), b);
                            (y, Box::new(move |(a, b), ct, sums| pull(ct, a, b, &mut sums.0, &mut NoGrad)))
                        }
                        (false, true) => {
                            let (y, pull) = a.$vjp((Off, On), b);
                            (y, Box::new(move |(a, b), ct, sums| pull(ct, a, b, &mut NoGrad, &mut sums.1)))
                        }
                        _ => {
                            let (y, pull) = a.$vjp((On, On), b);
                            (y, Box::new(move |(a, b), ct, sums| pull(ct, a, b, &mut sums.0, &mut sums.1)))
                        }
                    };
                pulled
            }
            fn again(
                &self,
                _: &Tape,
                args: &(Var<Tensor<$S, T, D>>, Var<Tensor<$R, T, D>>),
                _: &Var<Self::Output>,
                ct: Cotangents,
            ) -> Result<Vec<Cotangents>, TapeError> {
                bilinear::bilinear(self, args, ct)
            }
        }
    )* };
}

products! {
    /// The matrix product.
    matmul Matmul __matmul_vjp [S: Shape, R: Shape] S, R => <S as MatMul<R>>::Out
        where [S: MatMul<R>, <S as MatMul<R>>::Inner: SameInner<S, R>, <S as MatMul<R>>::Batch: SameBatch<S, R>] method [R: Shape];
    /// The inner product.
    dot Dot __dot_vjp [N: Dim] (N,), (N,) => () where [] method [];
    /// The outer product.
    outer Outer __outer_vjp [N: Dim, M: Dim] (N,), (M,) => (N, M) where [] method [M: Dim];
}

impl<S: Shape, T: Float, D: Backend> Var<Tensor<S, T, D>> {
    /// The matrix product, of batches of matrices too; vectors are rows at the left and columns at the right.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[track_caller]
    #[must_use]
    pub fn matmul<R: Shape, W: Input<Value = Tensor<R, T, D>>>(
        &self,
        other: W,
    ) -> Var<Tensor<<S as MatMul<R>>::Out, T, D>>
    where
        S: MatMul<R>,
        <S as MatMul<R>>::Inner: SameInner<S, R>,
        <S as MatMul<R>>::Batch: SameBatch<S, R>,
    {
        self.run_with(Matmul, other)
    }
}

impl<N: Dim, T: Float, D: Backend> Var<Tensor<(N,), T, D>> {
    /// The inner product.
    ///
    /// # Panics
    /// If run-time sizes differ.
    #[track_caller]
    #[must_use]
    pub fn dot<W: Input<Value = Tensor<(N,), T, D>>>(&self, other: W) -> Var<Tensor<(), T, D>> {
        self.run_with(Dot, other)
    }

    /// The outer product: a row for each element of this vector.
    #[track_caller]
    #[must_use]
    pub fn outer<M: Dim, W: Input<Value = Tensor<(M,), T, D>>>(
        &self,
        other: W,
    ) -> Var<Tensor<(N, M), T, D>> {
        self.run_with(Outer, other)
    }
}
