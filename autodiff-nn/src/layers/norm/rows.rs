//! Normalisation of each example by itself: training and inference are the same.

use crate::context::Ctx;
use crate::layers::Layer;
use autodiff_core::prelude::*;
use autodiff_core::shape::arith::DivExact;
use autodiff_core::shape::{Axis, Last};

/// The last axis, of `N` features, brought to mean 0 and variance 1, then scaled and shifted:
/// `y = weight·(x − m)/√(v + eps) + bias` (Ba et al. 2016).
#[module]
pub struct LayerNorm<const N: usize, T: Float = f32> {
    /// The scales, 1 at first.
    #[init(Tensor::ones())]
    pub weight: Tensor![T; { N }],
    /// The shifts, 0 at first.
    #[init(Tensor::zeros())]
    pub bias: Tensor![T; { N }],
    /// Added to the variance.
    #[config]
    #[init(1e-5)]
    pub eps: f64,
}

#[differentiable]
impl<const N: usize, T: Float> LayerNorm<N, T> {
    /// The normalised rows.
    pub fn forward<S: Shape + Last<Dim = Sz<N>>>(&self, x: &Tensor<S, T>) -> Tensor<S, T> {
        x.layer_norm(&self.weight, &self.bias, self.eps)
    }
}

/// The last axis, of `N` features, divided by its root mean square and scaled:
/// `y = weight·x/√(mean(x²) + eps)` (Zhang & Sennrich 2019).
#[module]
pub struct RmsNorm<const N: usize, T: Float = f32> {
    /// The scales, 1 at first.
    #[init(Tensor::ones())]
    pub weight: Tensor![T; { N }],
    /// Added to the mean square.
    #[config]
    #[init(1e-6)]
    pub eps: f64,
}

#[differentiable]
impl<const N: usize, T: Float> RmsNorm<N, T> {
    /// The normalised rows.
    pub fn forward<S: Shape + Last<Dim = Sz<N>>>(&self, x: &Tensor<S, T>) -> Tensor<S, T> {
        x.rms_norm(&self.weight, self.eps)
    }
}

/// The `C` channels (axis 1) of each example normalised in `G` groups with all axes behind (Wu & He 2018):
/// `y = weight·(x − m)/√(v + eps) + bias`, with the mean and the variance of a group, and a weight for each channel.
#[module]
pub struct GroupNorm<const G: usize, const C: usize, T: Float = f32> {
    /// The scale of each channel, 1 at first.
    #[init(Tensor::ones())]
    pub weight: Tensor![T; { C }],
    /// The shift of each channel, 0 at first.
    #[init(Tensor::zeros())]
    pub bias: Tensor![T; { C }],
    /// Added to the variance.
    #[config]
    #[init(1e-5)]
    pub eps: f64,
}

#[differentiable]
impl<const G: usize, const C: usize, T: Float> GroupNorm<G, C, T>
where
    Sz<C>: DivExact<Sz<G>>,
{
    /// The normalised examples.
    pub fn forward<S: Shape + Axis<1, Dim = Sz<C>>>(&self, x: &Tensor<S, T>) -> Tensor<S, T> {
        x.group_norm::<G>(&self.weight, &self.bias, self.eps)
    }
}

/// Each of the `C` channels (axis 1) of each example normalised over all axes behind (Ulyanov et al. 2016):
/// `y = weight·(x − m)/√(v + eps) + bias`. Unlike PyTorch's it has weights unless they stay as they begin, 1 and 0.
#[module]
pub struct InstanceNorm<const C: usize, T: Float = f32> {
    /// The scale of each channel, 1 at first.
    #[init(Tensor::ones())]
    pub weight: Tensor![T; { C }],
    /// The shift of each channel, 0 at first.
    #[init(Tensor::zeros())]
    pub bias: Tensor![T; { C }],
    /// Added to the variance.
    #[config]
    #[init(1e-5)]
    pub eps: f64,
}

#[differentiable]
impl<const C: usize, T: Float> InstanceNorm<C, T> {
    /// The normalised examples.
    pub fn forward<S: Shape + Axis<1, Dim = Sz<C>>>(&self, x: &Tensor<S, T>) -> Tensor<S, T> {
        x.instance_norm(&self.weight, &self.bias, self.eps)
    }
}

macro_rules! layers {
    ($([$($generics:tt)*] $Name:ty;)*) => { $(
        #[differentiable]
        impl<$($generics)*, T: Float> Layer<Tensor<S, T>> for $Name {
            type Out = Tensor<S, T>;
            fn apply(&self, x: &Tensor<S, T>, #[allow(unused_variables)] ctx: &mut Ctx) -> Tensor<S, T> {
                self.forward(x)
            }
        }
    )* };
}
layers! {
    [const N: usize, S: Shape + Last<Dim = Sz<N>>] LayerNorm<N, T>;
    [const N: usize, S: Shape + Last<Dim = Sz<N>>] RmsNorm<N, T>;
    [const C: usize, S: Shape + Axis<1, Dim = Sz<C>>] InstanceNorm<C, T>;
}

#[differentiable]
impl<const G: usize, const C: usize, S: Shape + Axis<1, Dim = Sz<C>>, T: Float> Layer<Tensor<S, T>>
    for GroupNorm<G, C, T>
where
    Sz<C>: DivExact<Sz<G>>,
{
    type Out = Tensor<S, T>;
    fn apply(&self, x: &Tensor<S, T>, #[allow(unused_variables)] ctx: &mut Ctx) -> Tensor<S, T> {
        self.forward(x)
    }
}
