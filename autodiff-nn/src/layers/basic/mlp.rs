//! The blocks of two and three products between attentions.

use super::Layer;
use crate::context::Ctx;
use autodiff_core::prelude::*;
use autodiff_core::shape::Affine;

/// `W2·gelu(W1·x + b1) + b2` from `D` features over `F` back to `D`.
#[module]
pub struct Mlp<const D: usize, const F: usize, T: Float = f32> {
    /// `D` to `F`.
    pub up: Linear<D, F, T>,
    /// `F` back to `D`.
    pub down: Linear<F, D, T>,
}

#[differentiable]
impl<const D: usize, const F: usize, T: Float> Mlp<D, F, T> {
    /// The outputs, for inputs `[.., D]`.
    pub fn forward<S: Shape + Affine<D, F>>(
        &self,
        x: &Tensor<S, T>,
    ) -> Tensor<<<S as Affine<D, F>>::Out as Affine<F, D>>::Out, T>
    where
        <S as Affine<D, F>>::Out: Affine<F, D>,
    {
        self.down.forward(&self.up.forward(x).gelu())
    }
}

/// `W3·(silu(W1·x) ∘ W2·x)`, without biases: the SwiGLU of Shazeer (2020), as in Llama.
#[module]
pub struct GatedMlp<const D: usize, const F: usize, T: Float = f32> {
    /// `W1`, `D` to `F`.
    #[torch(named("gate_proj"))]
    pub gate: super::LinearNoBias<D, F, T>,
    /// `W2`, `D` to `F`.
    #[torch(named("up_proj"))]
    pub up: super::LinearNoBias<D, F, T>,
    /// `W3`, `F` back to `D`.
    #[torch(named("down_proj"))]
    pub down: super::LinearNoBias<F, D, T>,
}

#[differentiable]
impl<const D: usize, const F: usize, T: Float> GatedMlp<D, F, T> {
    /// The outputs, for inputs `[.., D]`.
    pub fn forward<S: Shape + Affine<D, F>>(
        &self,
        x: &Tensor<S, T>,
    ) -> Tensor<<<S as Affine<D, F>>::Out as Affine<F, D>>::Out, T>
    where
        <S as Affine<D, F>>::Out: Affine<F, D>,
    {
        let h = self.gate.forward(x).silu() * self.up.forward(x);
        self.down.forward(&h)
    }
}

#[differentiable]
impl<const D: usize, const F: usize, S: Shape + Affine<D, F>, T: Float> Layer<Tensor<S, T>>
    for Mlp<D, F, T>
where
    <S as Affine<D, F>>::Out: Affine<F, D>,
{
    type Out = Tensor<<<S as Affine<D, F>>::Out as Affine<F, D>>::Out, T>;
    fn apply(
        &self,
        x: &Tensor<S, T>,
        #[allow(unused_variables)] ctx: &mut Ctx,
    ) -> Tensor<<<S as Affine<D, F>>::Out as Affine<F, D>>::Out, T> {
        self.forward(x)
    }
}

#[differentiable]
impl<const D: usize, const F: usize, S: Shape + Affine<D, F>, T: Float> Layer<Tensor<S, T>>
    for GatedMlp<D, F, T>
where
    <S as Affine<D, F>>::Out: Affine<F, D>,
{
    type Out = Tensor<<<S as Affine<D, F>>::Out as Affine<F, D>>::Out, T>;
    fn apply(
        &self,
        x: &Tensor<S, T>,
        #[allow(unused_variables)] ctx: &mut Ctx,
    ) -> Tensor<<<S as Affine<D, F>>::Out as Affine<F, D>>::Out, T> {
        self.forward(x)
    }
}
