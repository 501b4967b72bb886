//! Products of vectors: `dot outer`. Those with matrices are in `matmul`.
//!
//! With `y = aᵀb`: `ct·b` for `a`, `ct·a` for `b`. With `Y = a bᵀ`: `C b` for `a`, `Cᵀ a` for `b`.

use crate::ad::Acc;
use crate::device::{Backend, BinaryOp, Float};
use crate::ops::OrPanic;
use crate::shape::{Dim, check_same};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

#[rule]
impl<N: Dim, T: Float, D: Backend> Tensor<(N,), T, D> {
    /// The inner product of two vectors: `a.dot(&b).item()`.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[derivative(
        active other;
        pull |ct, a, b, d_a, d_b| {
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
        };
        push {
            let mut tangent = t.dot(other);
            tangent.raw_mut().add_assign(self.dot(t_other).raw());
            tangent
        };
    )]
    #[track_caller]
    pub fn dot(&self, other: &Self) -> Tensor<(), T, D> {
        check_same(self.shape(), other.shape()).or_panic("dot");
        self.matmul(other)
    }

    /// The outer product of two vectors: `y[[i, j]] == self[[i]] * other[[j]]`.
    #[derivative(
        active other;
        pull |ct, a, b, d_a, d_b| {
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
        };
        push {
            let mut tangent = t.outer(other);
            tangent.raw_mut().add_assign(self.outer(t_other).raw());
            tangent
        };
    )]
    #[track_caller]
    pub fn outer<M: Dim>(&self, other: &Tensor<(M,), T, D>) -> Tensor<(N, M), T, D> {
        let shape = (self.shape().0, other.shape().0);
        let (column, row) = (self.raw().unsqueeze(1), other.raw().unsqueeze(0));
        Tensor::new(shape, Raw::binary(BinaryOp::Mul, column, row))
    }
}
