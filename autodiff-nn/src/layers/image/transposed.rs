//! Transposed convolutions: the adjoint of a convolution with the same window, which enlarges.

use crate::context::Ctx;
use crate::layers::Layer;
use autodiff_core::nn::Init;
use autodiff_core::prelude::*;
use autodiff_core::shape::{OutputPad, Spread};

// `forward` is named at each layer, so that messages about a wrong call show that line alone.
macro_rules! conv {
    ($($(#[$doc:meta])* $Name:ident $forward:ident $method:ident [$($K:tt)+] ($($X:ident),+);)*) => { $(
        $(#[$doc])*
        ///
        /// Its size along each of these axes becomes `(H − 1)·S + D(K − 1) + 1 − 2P`.
        #[module]
        pub struct $Name<
            const I: usize,
            const O: usize,
            const K: usize,
            const S: usize = 1,
            const P: usize = 0,
            const D: usize = 1,
            T: Float = f32,
        > {
            /// Input channels, output channels, window: uniform on `(−a, a)` with `a = 1/√(O·K·…)` at first.
            #[init(Init::FanIn.tensor(O $(* $K)+, I, seeds))]
            pub weight: Tensor<(Sz<I>, Sz<O>, $(Sz<$K>),+), T>,
            /// One number for each output channel, drawn in the same way.
            #[init(Some(Init::FanIn.tensor(O $(* $K)+, I, seeds)))]
            pub bias: Option<Tensor<(Sz<O>,), T>>,
        }

        impl<const I: usize, const O: usize, const K: usize, const S: usize, const P: usize, const D: usize, T: Float> $Name<I, O, K, S, P, D, T> {
            /// One without a bias, as before a normalisation.
            pub fn without_bias(seeds: &mut Seeds) -> Self {
                $Name { bias: None, ..Self::new(seeds) }
            }
        }

        #[differentiable]
        impl<const I: usize, const O: usize, const K: usize, const S: usize, const P: usize, const D: usize, T: Float> $Name<I, O, K, S, P, D, T> {
            /// The transposed convolution of each example.
            pub fn $forward<B: Dim, $($X: Dim + Spread<Sz<K>, Win<S, P, D>>),+>(
                &self,
                x: &Tensor<(B, Sz<I>, $($X),+), T>,
            ) -> Tensor<(B, Sz<O>, $(<$X as Spread<Sz<K>, Win<S, P, D>>>::Out),+), T> {
                let y = x.$method(&self.weight, Win::<S, P, D>);
                match &self.bias {
                    Some(bias) => y.add_channels(bias),
                    None => y,
                }
            }

            /// The same with `E` more entries at the end of each of these axes, fewer than the stride: PyTorch's
            /// `output_padding`. A convolution with a stride takes inputs of several sizes to one; `E` chooses among them.
            pub fn forward_output_padded<const E: usize, B: Dim, $($X: Dim + Spread<Sz<K>, OutputPad<Win<S, P, D>, E>>),+>(
                &self,
                x: &Tensor<(B, Sz<I>, $($X),+), T>,
            ) -> Tensor<(B, Sz<O>, $(<$X as Spread<Sz<K>, OutputPad<Win<S, P, D>, E>>>::Out),+), T> {
                let y = x.$method(&self.weight, Win::<S, P, D>.output_pad::<E>());
                match &self.bias {
                    Some(bias) => y.add_channels(bias),
                    None => y,
                }
            }
        }

        #[differentiable]
        impl<const I: usize, const O: usize, const K: usize, const S: usize, const P: usize, const D: usize, B: Dim, $($X: Dim + Spread<Sz<K>, Win<S, P, D>>,)+ T: Float>
            Layer<Tensor<(B, Sz<I>, $($X),+), T>> for $Name<I, O, K, S, P, D, T>
        {
            type Out = Tensor<(B, Sz<O>, $(<$X as Spread<Sz<K>, Win<S, P, D>>>::Out),+), T>;
            fn apply(&self, x: &Tensor<(B, Sz<I>, $($X),+), T>, #[allow(unused_variables)] ctx: &mut Ctx) -> Tensor<(B, Sz<O>, $(<$X as Spread<Sz<K>, Win<S, P, D>>>::Out),+), T> {
                self.$forward(x)
            }
        }
    )* };
}
conv! {
    /// The transposed convolution over the last axis of `[B, I, L]`.
    ConvTranspose1d forward conv_transpose1d [K] (L);
    /// The transposed convolution over the last two axes of `[B, I, H, W]`: with `K = 2` and `S = 2` it doubles an image.
    ConvTranspose2d forward conv_transpose2d [K K] (H, W);
    /// The transposed convolution over the last three axes of `[B, I, Z, H, W]`.
    ConvTranspose3d forward conv_transpose3d [K K K] (Z, H, W);
}
