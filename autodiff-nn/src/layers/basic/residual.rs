//! A layer beside its input.

use super::Layer;
use crate::context::Ctx;
use autodiff_core::prelude::*;

/// `x + layer(x)` (He et al. 2016).
#[module]
pub struct Residual<L> {
    /// The layer, whose outputs have the shape of its inputs.
    pub inner: L,
}

#[differentiable]
impl<L: Differentiable> Residual<L> {
    /// The input plus what the layer makes of it.
    pub fn forward<S: Shape, T: Float>(&self, x: &Tensor<S, T>, ctx: &mut Ctx) -> Tensor<S, T>
    where
        L: Layer<Tensor<S, T>, Out = Tensor<S, T>>,
    {
        x + self.inner.apply(x, ctx)
    }
}

#[differentiable]
impl<L: Differentiable + Layer<Tensor<S, T>, Out = Tensor<S, T>>, S: Shape, T: Float>
    Layer<Tensor<S, T>> for Residual<L>
{
    type Out = Tensor<S, T>;
    fn apply(&self, x: &Tensor<S, T>, ctx: &mut Ctx) -> Tensor<S, T> {
        x + self.inner.apply(x, ctx)
    }
}
