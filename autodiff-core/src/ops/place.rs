//! Where a tensor is: `to`, and new tensors like another: `zeros_like ones_like full_like`.
//!
//! The cotangent of a tensor that was brought elsewhere goes back to where the tensor is. Of a tensor that another is made
//! like, only shape and device matter: its cotangent is zero.

use crate::ad::Acc;
use crate::device::{Backend, Elem, Float};
use crate::shape::Shape;
use crate::tensor::Tensor;
use autodiff_macros::rule;

#[rule]
impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// The same elements on another device; shares them if they are there.
    ///
    /// ```
    /// # use autodiff_core as differentiable;
    /// use differentiable::prelude::*;
    ///
    /// let x = tensor([1.0_f32, 2.0]);
    /// assert_eq!(x.to(&Device::cpu()), x);
    /// ```
    #[derivative(
        where T: Float;
        pull self => ct.to(self.device());
        push t.to(device);
    )]
    #[must_use]
    #[track_caller]
    pub fn to<E: Backend>(&self, device: &E) -> Tensor<S, T, E> {
        Tensor::new(self.shape(), self.raw().to(device))
    }

    /// Zeros of the same shape, on the same device.
    #[derivative(
        where T: Float;
        pull |_, _, _| ();
        push self.zeros_like();
    )]
    #[must_use]
    #[track_caller]
    pub fn zeros_like(&self) -> Self {
        Self::zeros_with_on(self.device(), self.shape())
    }

    /// Ones of the same shape, on the same device.
    #[derivative(
        where T: Float;
        pull |_, _, _| ();
        push self.zeros_like();
    )]
    #[must_use]
    #[track_caller]
    pub fn ones_like(&self) -> Self {
        Self::ones_with_on(self.device(), self.shape())
    }

    /// The same value everywhere, of the same shape, on the same device.
    #[derivative(
        where T: Float;
        active value;
        pull |ct, _, _, d| {
            if let (true, Some(ct)) = (M1::ON, ct.raw()) {
                d.acc(ct.cotangent_of_number());
            }
        };
        push self.full_like(t_value);
    )]
    #[must_use]
    #[track_caller]
    pub fn full_like(&self, value: T) -> Self {
        Self::full_with_on(self.device(), self.shape(), value)
    }
}
