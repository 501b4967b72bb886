//! A number for each channel, added everywhere in it: the bias of a convolution.
//!
//! `y[b, c, ..] = x[b, c, ..] + bias[c]`; the pullback is the cotangent itself for `x`, and its sum over a channel for the
//! bias.

use crate::device::{Backend, Float};
use crate::ops::norm::rows::for_each_channel;
use crate::shape::{Axis, Shape};
use crate::tensor::{Raw, Tensor};
use autodiff_macros::rule;

#[rule]
impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
    /// One number added to all elements of a channel (axis 1): `x.add_channels(&bias)` with a bias for each channel.
    ///
    /// # Panics
    /// If a run-time number of channels differs.
    #[derivative(
        pull self => ct.clone();
        pull bias => ct.channel_sums().into_reshaped(bias.dims());
        push t.add_channels(t_bias);
    )]
    #[track_caller]
    pub fn add_channels(&self, bias: &Tensor<(<S as Axis<1>>::Dim,), T, D>) -> Self
    where
        S: Axis<1>,
    {
        let channels = self.dims()[1];
        for_each_channel::<<S as Axis<1>>::Dim, _, _>(
            "add_channels",
            channels,
            &[("bias", bias.raw())],
        );
        let (zero, one) = (T::ZERO, T::lit(1.0));
        let vector = |value| Raw::full(self.device(), [channels], value);
        let out = self
            .raw()
            .channel_affine(&vector(zero), &vector(one), bias.raw());
        Tensor::new(self.shape(), out)
    }
}
