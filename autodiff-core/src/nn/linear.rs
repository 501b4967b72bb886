use super::{Init, Seeds};
use crate::ad::{Adj, Ct, Differentiable, Mode};
use crate::device::{Cpu, Device, Float};
use crate::shape::{Affine, Shape, Sz};
use crate::tensor::Tensor;
use autodiff_macros::{Differentiable, Module};

/// A fully connected layer: `x·weight + bias` with `I` inputs and `O` outputs.
///
/// It takes tensors of every rank whose last axis has `I` features; the axes before it are a batch.
#[derive(Clone, Debug, Differentiable, Module)]
pub struct Linear<const I: usize, const O: usize, T: Float = f32, D: Device = Cpu> {
    /// `I` × `O`.
    pub weight: Tensor<(Sz<I>, Sz<O>), T, D>,
    /// One number for each output.
    pub bias: Tensor<(Sz<O>,), T, D>,
}

impl<const I: usize, const O: usize, T: Float> Linear<I, O, T> {
    /// Kaiming-uniform weights, which suit `relu`, and no bias at first.
    pub fn new(seeds: &mut Seeds) -> Self {
        Self::with_init(Init::KaimingUniform, seeds)
    }

    /// Weights drawn as told, and no bias at first.
    pub fn with_init(init: Init, seeds: &mut Seeds) -> Self {
        Linear {
            weight: init.weight(seeds),
            bias: Tensor::zeros(),
        }
    }
}

/// The derivative of a layer is that of [`Tensor::affine`]; written by hand because rustc 1.95
/// crashes while it inlines the generated `forward_value_and_grad` of this signature.
impl<const I: usize, const O: usize, T: Float, D: Device> Linear<I, O, T, D> {
    /// The outputs of the layer.
    pub fn forward<S: Shape + Affine<I, O>>(
        &self,
        x: &Tensor<S, T, D>,
    ) -> Tensor<<S as Affine<I, O>>::Out, T, D> {
        x.affine(&self.weight, &self.bias)
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    pub fn __forward_vjp<M0: Mode, M1: Mode, S: Shape + Affine<I, O>>(
        &self,
        _: (M0, M1),
        x: &Tensor<S, T, D>,
    ) -> (
        Tensor<<S as Affine<I, O>>::Out, T, D>,
        impl FnOnce(
            Ct<Tensor<<S as Affine<I, O>>::Out, T, D>>,
            &Self,
            &Tensor<S, T, D>,
            &mut Adj<Self, M0>,
            &mut Adj<Tensor<S, T, D>, M1>,
        ) + use<M0, M1, S, I, O, T, D>,
    ) {
        let modes = (M1::default(), M0::default(), M0::default());
        let (out, pullback) = x.__affine_vjp(modes, &self.weight, &self.bias);
        (out, move |ct, layer: &Self, x: &Tensor<S, T, D>, d, d_x| {
            // Borrowed before the call: clippy 1.95 crashes on borrows in a call of an opaque type.
            let (weight, bias) = (&layer.weight, &layer.bias);
            let (d_weight, d_bias) = (&mut d.weight, &mut d.bias);
            pullback(ct, x, weight, bias, d_x, d_weight, d_bias)
        })
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    pub fn __forward_jvp<S: Shape + Affine<I, O>>(
        &self,
        t: &<Self as Differentiable>::Tangent,
        x: &Tensor<S, T, D>,
        t_x: &Tensor<S, T, D>,
    ) -> (
        Tensor<<S as Affine<I, O>>::Out, T, D>,
        Tensor<<S as Affine<I, O>>::Out, T, D>,
    ) {
        x.__affine_jvp(t_x, &self.weight, &t.weight, &self.bias, &t.bias)
    }
}
