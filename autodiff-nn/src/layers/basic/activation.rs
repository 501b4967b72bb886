//! Activation functions as layers, for [`Sequential`](super::Sequential). In a `forward` of your own the methods of
//! tensors do, `h.relu()`.

use super::Layer;
use crate::context::Ctx;
use autodiff_core::prelude::*;
use autodiff_core::shape::{Axis, Broadcast, Paired};

macro_rules! activations {
    ($($(#[$doc:meta])* $Name:ident $method:ident;)*) => { $(
        $(#[$doc])*
        #[module]
        #[derive(Copy, Default, PartialEq)]
        pub struct $Name;

        #[differentiable]
        impl<S: Shape, T: Float> Layer<Tensor<S, T>> for $Name {
            type Out = Tensor<S, T>;
            fn apply(&self, x: &Tensor<S, T>, #[allow(unused_variables)] ctx: &mut Ctx) -> Tensor<S, T> {
                x.$method()
            }
        }
    )* };
}
activations! {
    /// `max(x, 0)`.
    Relu relu;
    /// `x·Φ(x)` with the normal distribution function `Φ`.
    Gelu gelu;
    /// `x·sigmoid(x)`.
    Silu silu;
    /// The hyperbolic tangent.
    Tanh tanh;
    /// `1/(1 + e^−x)`.
    Sigmoid sigmoid;
    /// `ln(1 + e^x)`.
    Softplus softplus;
    /// `x·tanh(softplus(x))`.
    Mish mish;
    /// `silu` of straight pieces.
    Hardswish hardswish;
    /// `λx` above 0, `λα(e^x − 1)` below, with the constants of self-normalising networks.
    Selu selu;
    /// [`Gelu`] with the hyperbolic tangent in place of `Φ` (Hendrycks & Gimpel 2016), as in GPT-2.
    GeluTanh gelu_tanh;
    /// `(x + 3)/6`, cut off at 0 and 1.
    Hardsigmoid hardsigmoid;
    /// `x/(1 + |x|)`.
    Softsign softsign;
    /// `ln(1/(1 + e^−x))`, accurate on both sides.
    LogSigmoid log_sigmoid;
}

/// `max(x, 0)`, cut off at 6 (Howard et al. 2017).
#[module]
#[derive(Copy, Default, PartialEq)]
pub struct Relu6;

#[differentiable]
impl<S: Shape, T: Float> Layer<Tensor<S, T>> for Relu6 {
    type Out = Tensor<S, T>;
    fn apply(&self, x: &Tensor<S, T>, #[allow(unused_variables)] ctx: &mut Ctx) -> Tensor<S, T> {
        x.clamp(no_grad!(T::ZERO), no_grad!(T::lit(6.0)))
    }
}

macro_rules! along_features {
    ($($(#[$doc:meta])* $Name:ident $method:ident;)*) => { $(
        $(#[$doc])*
        #[module]
        #[derive(Copy, Default, PartialEq)]
        pub struct $Name;

        #[differentiable]
        impl<S: Shape + Axis<-1>, T: Float> Layer<Tensor<S, T>> for $Name {
            type Out = Tensor<S, T>;
            fn apply(&self, x: &Tensor<S, T>, #[allow(unused_variables)] ctx: &mut Ctx) -> Tensor<S, T> {
                x.$method::<-1>()
            }
        }
    )* };
}
along_features! {
    /// `e^xᵢ/Σ e^xⱼ` along the last axis. Losses such as `cross_entropy` take the inputs of it.
    Softmax softmax;
    /// `xᵢ − ln Σ e^xⱼ` along the last axis. Losses such as `cross_entropy` take the inputs of it.
    LogSoftmax log_softmax;
}

macro_rules! scaled {
    ($($(#[$doc:meta])* $Name:ident $method:ident;)*) => { $(
        $(#[$doc])*
        #[module]
        #[derive(Copy, PartialEq)]
        pub struct $Name {
            /// The scale `α`, 1 at first.
            #[config]
            #[init(1.0)]
            pub alpha: f64,
        }

        #[differentiable]
        impl<S: Shape, T: Float> Layer<Tensor<S, T>> for $Name {
            type Out = Tensor<S, T>;
            fn apply(&self, x: &Tensor<S, T>, #[allow(unused_variables)] ctx: &mut Ctx) -> Tensor<S, T> {
                x.$method(no_grad!(T::lit(self.alpha)))
            }
        }
    )* };
}
scaled! {
    /// `x` above 0, `α(e^x − 1)` below (Clevert et al. 2016).
    Elu elu;
    /// `x` above 0, `α(e^(x/α) − 1)` below: smooth for every `α` (Barron 2017).
    Celu celu;
}

/// `x` above 0, `slope·x` below.
#[module]
#[derive(Copy, PartialEq)]
pub struct LeakyRelu {
    /// The slope below 0.
    #[config]
    #[init(0.01)]
    pub slope: f64,
}

#[differentiable]
impl<S: Shape, T: Float> Layer<Tensor<S, T>> for LeakyRelu {
    type Out = Tensor<S, T>;
    fn apply(&self, x: &Tensor<S, T>, #[allow(unused_variables)] ctx: &mut Ctx) -> Tensor<S, T> {
        x.leaky_relu(no_grad!(T::lit(self.slope)))
    }
}

/// `x` above 0, `weight·x` below, with a slope that is trained (He et al. 2015).
#[module]
pub struct PRelu<T: Float = f32> {
    /// The slope below 0.
    #[init(Tensor::full(T::lit(0.25)))]
    pub weight: Tensor![T; 1],
}

#[differentiable]
impl<T: Float> PRelu<T> {
    /// `max(x, 0) − weight·max(−x, 0)`.
    pub fn forward<S: Shape>(&self, x: &Tensor<S, T>) -> Tensor<S, T>
    where
        (): Broadcast<S, Joint = S, Pairs: Paired<(), S>>,
    {
        x.relu() - (-x).relu() * self.weight.squeeze::<0>().expand_as(x)
    }
}

#[differentiable]
impl<S: Shape, T: Float> Layer<Tensor<S, T>> for PRelu<T>
where
    (): Broadcast<S, Joint = S, Pairs: Paired<(), S>>,
{
    type Out = Tensor<S, T>;
    fn apply(&self, x: &Tensor<S, T>, #[allow(unused_variables)] ctx: &mut Ctx) -> Tensor<S, T> {
        self.forward(x)
    }
}
