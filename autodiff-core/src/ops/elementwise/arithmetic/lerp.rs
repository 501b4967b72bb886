//! `lerp`: between two tensors, `(1 − w)·a + w·b`.
//!
//! Pullback of `c`: `(1 − w)·c` to `a`, `w·c` to `b`, `Σ c·(b − a)` to `w`. This form gives `a` and `b` exactly at
//! the ends, which `a + w·(b − a)` does not.

use crate::ad::Acc;
use crate::device::{Backend, BinaryOp, Float};
use crate::ops::OrPanic;
use crate::shape::{Shape, check_same};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

#[track_caller]
fn times<T: Float, D: Backend>(x: &Raw<T, D>, factor: T) -> Raw<T, D> {
    x.clone().binary_scalar(BinaryOp::Mul, factor)
}

#[rule]
impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// The point between two tensors, `self` at `weight` 0 and `other` at 1: `a.lerp(&b, 0.3)`. Other weights
    /// lie beyond.
    ///
    /// # Panics
    /// If run-time dimensions of one name have different sizes.
    #[derivative(
        active other, weight;
        pull |ct, a, b, d_a, d_b, d_w| {
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
                        .cotangent_of_number(),
                );
            }
        };
        push {
            let mut tangent = t.lerp(t_other, weight);
            let way = Raw::binary_ref(BinaryOp::Sub, other.raw(), self.raw());
            tangent.raw_mut().add_scaled(t_weight, &way);
            tangent
        };
    )]
    #[track_caller]
    pub fn lerp(&self, other: &Self, weight: T) -> Self {
        check_same(self.shape(), other.shape()).or_panic("lerp");
        let mut out = times(self.raw(), T::ONE - weight);
        out.add_scaled(weight, other.raw());
        Tensor::new(self.shape(), out)
    }
}
