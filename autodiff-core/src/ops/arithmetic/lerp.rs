//! `lerp`: between two tensors, `(1 − w)·a + w·b`.
//!
//! Pullback of `c`: `(1 − w)·c` to `a`, `w·c` to `b`, `Σ c·(b − a)` to `w`. This form gives `a` and `b` exactly at
//! the ends, which `a + w·(b − a)` does not.

use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, BinaryOp, Float, ReduceOp};
use crate::ops::OrPanic;
use crate::shape::{Shape, check_same};
use crate::tensor::{Raw, Tensor};

#[track_caller]
fn times<T: Float, D: Backend>(x: &Raw<T, D>, factor: T) -> Raw<T, D> {
    x.clone().binary_scalar(BinaryOp::Mul, factor)
}

impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// The point between two tensors, `self` at `weight` 0 and `other` at 1: `a.lerp(&b, 0.3)`. Other weights
    /// lie beyond.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[track_caller]
    pub fn lerp(&self, other: &Self, weight: T) -> Self {
        check_same(self.shape(), other.shape()).or_panic("lerp");
        let mut out = times(self.raw(), T::ONE - weight);
        out.add_scaled(weight, other.raw());
        Tensor::new(self.shape(), out)
    }
}

impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __lerp_vjp<M0: Mode, M1: Mode, M2: Mode>(
        &self,
        _: (M0, M1, M2),
        other: &Self,
        weight: T,
    ) -> (
        Self,
        impl FnOnce(Ct<Self>, &Self, &Self, &mut Adj<Self, M0>, &mut Adj<Self, M1>, &mut Adj<T, M2>)
        + Clone
        + use<M0, M1, M2, S, T, D>,
    ) {
        (self.lerp(other, weight), move |ct, a, b, d_a, d_b, d_w| {
            let Some(ct) = ct.raw() else { return };
            if M0::ON {
                d_a.acc(Tensor::new(a.shape(), times(ct, T::ONE - weight)).into());
            }
            if M1::ON {
                d_b.acc(Tensor::new(b.shape(), times(ct, weight)).into());
            }
            if M2::ON {
                let way = Raw::binary_ref(BinaryOp::Sub, b.raw(), a.raw());
                d_w.acc(
                    Raw::binary(BinaryOp::Mul, way, ct.clone())
                        .reduce_all(ReduceOp::Sum)
                        .item(),
                );
            }
        })
    }

    #[doc(hidden)]
    #[track_caller]
    pub fn __lerp_jvp(
        &self,
        t: &Self,
        other: &Self,
        t_other: &Self,
        weight: T,
        t_weight: T,
    ) -> (Self, Self) {
        let mut tangent = t.lerp(t_other, weight);
        let way = Raw::binary_ref(BinaryOp::Sub, other.raw(), self.raw());
        tangent.raw_mut().add_scaled(t_weight, &way);
        (self.lerp(other, weight), tangent)
    }
}
