use super::{Init, Seeds};
use crate::device::{Backend, Device, Float};
use crate::shape::{Affine, Shape, Sz};
use crate::tensor::Tensor;
use autodiff_macros::{Differentiable, Module, differentiable};

/// A fully connected layer: `x·weight + bias` with `I` inputs and `O` outputs.
///
/// It takes tensors of every rank whose last axis has `I` features; the axes before it are a batch.
#[derive(Clone, Debug, Differentiable, Module)]
pub struct Linear<const I: usize, const O: usize, T: Float = f32, D: Backend = Device> {
    /// `I` × `O`.
    #[torch(transposed(1))]
    pub weight: Tensor<(Sz<I>, Sz<O>), T, D>,
    /// One number for each output.
    pub bias: Tensor<(Sz<O>,), T, D>,
}

impl<const I: usize, const O: usize, T: Float> Linear<I, O, T> {
    /// Weights and bias uniform on `(−1/√I, 1/√I)`, as PyTorch's `nn.Linear` begins.
    pub fn new(seeds: &mut Seeds) -> Self {
        let weight = Init::FanIn.weight(seeds);
        let bias = Init::FanIn.tensor(I, O, seeds);
        Linear { weight, bias }
    }

    /// Weights drawn as told, and no bias at first.
    pub fn with_init(init: Init, seeds: &mut Seeds) -> Self {
        Linear {
            weight: init.weight(seeds),
            bias: Tensor::zeros(),
        }
    }
}

#[differentiable]
impl<const I: usize, const O: usize, T: Float, D: Backend> Linear<I, O, T, D> {
    /// The outputs of the layer.
    pub fn forward<S: Shape + Affine<I, O>>(
        &self,
        x: &Tensor<S, T, D>,
    ) -> Tensor<<S as Affine<I, O>>::Out, T, D> {
        x.affine(&self.weight, &self.bias)
    }
}
