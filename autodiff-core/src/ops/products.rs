//! Products of vectors: `dot outer`. Those with matrices are in `matmul`.
//!
//! With `y = aᵀb`: `ct·b` for `a`, `ct·a` for `b`. With `Y = a bᵀ`: `C b` for `a`, `Cᵀ a` for `b`.

use super::OrPanic;
use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, BinaryOp, Float};
use crate::shape::{Dim, check_same};
use crate::tensor::{Raw, Tensor};

impl<N: Dim, T: Float, D: Backend> Tensor<(N,), T, D> {
    /// The inner product of two vectors: `a.dot(&b).item()`.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[track_caller]
    pub fn dot(&self, other: &Self) -> Tensor<(), T, D> {
        check_same(self.shape(), other.shape()).or_panic("dot");
        self.matmul(other)
    }

    /// The outer product of two vectors: `y[[i, j]] == self[[i]] * other[[j]]`.
    #[track_caller]
    pub fn outer<M: Dim>(&self, other: &Tensor<(M,), T, D>) -> Tensor<(N, M), T, D> {
        let shape = (self.shape().0, other.shape().0);
        let (column, row) = (self.raw().unsqueeze(1), other.raw().unsqueeze(0));
        Tensor::new(shape, Raw::binary(BinaryOp::Mul, column, row))
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __dot_vjp<M0: Mode, M1: Mode>(
        &self,
        _: (M0, M1),
        other: &Self,
    ) -> (
        Tensor<(), T, D>,
        impl FnOnce(Ct<Tensor<(), T, D>>, &Self, &Self, &mut Adj<Self, M0>, &mut Adj<Self, M1>)
        + Clone
        + use<M0, M1, N, T, D>,
    ) {
        (self.dot(other), |ct, a, b, d_a, d_b| {
            let Some(ct) = ct.raw() else { return };
            let times = |x: &Self| {
                let product = Raw::binary(BinaryOp::Mul, ct.expand(x.dims()), x.raw().clone());
                Tensor::new(x.shape(), product)
            };
            if M0::ON {
                d_a.acc(times(b).into());
            }
            if M1::ON {
                d_b.acc(times(a).into());
            }
        })
    }

    #[doc(hidden)]
    #[track_caller]
    pub fn __dot_jvp(
        &self,
        t: &Self,
        other: &Self,
        t_other: &Self,
    ) -> (Tensor<(), T, D>, Tensor<(), T, D>) {
        let mut tangent = t.dot(other);
        tangent.raw_mut().add_assign(self.dot(t_other).raw());
        (self.dot(other), tangent)
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __outer_vjp<M0: Mode, M1: Mode, M: Dim>(
        &self,
        _: (M0, M1),
        other: &Tensor<(M,), T, D>,
    ) -> (
        Tensor<(N, M), T, D>,
        impl FnOnce(
            Ct<Tensor<(N, M), T, D>>,
            &Self,
            &Tensor<(M,), T, D>,
            &mut Adj<Self, M0>,
            &mut Adj<Tensor<(M,), T, D>, M1>,
        ) + Clone
        + use<M0, M1, M, N, T, D>,
    ) {
        (self.outer(other), |ct, a, b, d_a, d_b| {
            let Some(ct) = ct.raw() else { return };
            let by = |ct: &Raw<T, D>, x: &Raw<T, D>| {
                let n = ct.dims()[0];
                Raw::matmul(ct, &x.unsqueeze(1)).into_reshaped([n])
            };
            if M0::ON {
                d_a.acc(Tensor::new(a.shape(), by(ct, b.raw())).into());
            }
            if M1::ON {
                let turned = ct.transpose(0, 1);
                d_b.acc(Tensor::new(b.shape(), by(&turned, a.raw())).into());
            }
        })
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __outer_jvp<M: Dim>(
        &self,
        t: &Self,
        other: &Tensor<(M,), T, D>,
        t_other: &Tensor<(M,), T, D>,
    ) -> (Tensor<(N, M), T, D>, Tensor<(N, M), T, D>) {
        let mut tangent = t.outer(other);
        tangent.raw_mut().add_assign(self.outer(t_other).raw());
        (self.outer(other), tangent)
    }
}
