//! Recorded tensors, as annotated functions have them and as tapes do.

use autodiff_core::device::Elem;
use autodiff_core::shape::Shape;
use autodiff_core::tensor::Tensor;
use autodiff_tape::Var;

/// A recorded tensor: itself, or in a [`Var`] of a [`Program`](crate::Program).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no recorded tensor",
    note = "expected a tensor, or a `Var` of one"
)]
pub trait Recorded {
    /// Its shape.
    type Shape: Shape;
    /// The type of its elements.
    type Elem: Elem;
    /// The tensor.
    fn tensor(&self) -> &Tensor<Self::Shape, Self::Elem>;
}

impl<S: Shape, T: Elem> Recorded for Tensor<S, T> {
    type Shape = S;
    type Elem = T;
    fn tensor(&self) -> &Tensor<S, T> {
        self
    }
}

impl<S: Shape, T: Elem> Recorded for Var<Tensor<S, T>> {
    type Shape = S;
    type Elem = T;
    fn tensor(&self) -> &Tensor<S, T> {
        self.value()
    }
}

impl<R: Recorded + ?Sized> Recorded for &R {
    type Shape = R::Shape;
    type Elem = R::Elem;
    fn tensor(&self) -> &Tensor<R::Shape, R::Elem> {
        (**self).tensor()
    }
}
