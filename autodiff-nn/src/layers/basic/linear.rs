//! Products with a matrix alone.

use super::Layer;
use crate::context::Ctx;
use autodiff_core::nn::Init;
use autodiff_core::prelude::*;
use autodiff_core::shape::Affine;

/// `x·weight`, for inputs of any rank whose last axis has `I` features: a [`Linear`] without a bias.
#[module]
pub struct LinearNoBias<const I: usize, const O: usize, T: Float = f32> {
    /// `I` × `O`, uniform on `(−1/√I, 1/√I)` at first.
    #[init(Init::FanIn.weight(seeds))]
    #[torch(transposed(1))]
    pub weight: Tensor![T; { I }, { O }],
}

#[differentiable]
impl<const I: usize, const O: usize, T: Float> LinearNoBias<I, O, T> {
    /// The outputs of the layer.
    pub fn forward<S: Shape + Affine<I, O>>(
        &self,
        x: &Tensor<S, T>,
    ) -> Tensor<<S as Affine<I, O>>::Out, T> {
        x.affine(&self.weight, &no_grad!(Tensor::<(Sz<O>,), T>::zeros()))
    }
}

#[differentiable]
impl<const I: usize, const O: usize, S: Shape + Affine<I, O>, T: Float> Layer<Tensor<S, T>>
    for LinearNoBias<I, O, T>
{
    type Out = Tensor<<S as Affine<I, O>>::Out, T>;
    fn apply(
        &self,
        x: &Tensor<S, T>,
        #[allow(unused_variables)] ctx: &mut Ctx,
    ) -> Tensor<<S as Affine<I, O>>::Out, T> {
        self.forward(x)
    }
}
