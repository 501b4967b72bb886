//! Values that have a gradient.

use autodiff_core::ad::Differentiable;
use autodiff_core::device::{Backend, Float};
use autodiff_core::tensor::Tensor;

/// A number: what a gradient is the derivative of.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a scalar, so it has no gradient",
    note = "give its cotangent: `tape.backward_with(&y, cotangent)`, `tape.gradient_with(&y, cotangent, &x)`, or take its `sum()`"
)]
pub trait Loss: Differentiable {
    /// The cotangent 1.
    fn one(&self) -> Self::Tangent;
}

macro_rules! floats {
    ($($t:ty)*) => { $(
        impl Loss for $t {
            fn one(&self) -> $t {
                1.0
            }
        }
    )* };
}
floats!(f32 f64);

impl<T: Float, D: Backend> Loss for Tensor<(), T, D> {
    fn one(&self) -> Self {
        Tensor::full_with_on(self.device(), (), T::ONE)
    }
}
