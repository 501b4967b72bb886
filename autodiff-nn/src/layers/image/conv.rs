//! Convolutions.
//!
//! `y[b, o, i] = bias[o] + Σ weight[o, c, k]·x[b, c, S·i + D·k − P]` over the input channels `c` and the entries `k` of a
//! window, with zeros outside of `x`.

use crate::context::Ctx;
use crate::layers::Layer;
use autodiff_core::nn::Init;
use autodiff_core::prelude::*;
use autodiff_core::shape::Slide;

// `forward` is named at each layer, so that messages about a wrong call show that line alone.
macro_rules! conv {
    ($($(#[$doc:meta])* $Name:ident $forward:ident $method:ident [$($K:tt)+] ($($X:ident),+);)*) => { $(
        $(#[$doc])*
        ///
        /// Its size along each of these axes becomes `(H + 2P − D(K − 1) − 1)/S + 1`.
        #[module]
        pub struct $Name<
            const I: usize,
            const O: usize,
            const K: usize,
            const S: usize = 1,
            const P: usize = 1,
            const D: usize = 1,
            T: Float = f32,
        > {
            /// Output channels, input channels, window: uniform on `(−a, a)` with `a = 1/√(I·K·…)` at first.
            #[init(Init::FanIn.tensor(I $(* $K)+, O, seeds))]
            pub weight: Tensor<(Sz<O>, Sz<I>, $(Sz<$K>),+), T>,
            /// One number for each output channel, drawn in the same way.
            #[init(Some(Init::FanIn.tensor(I $(* $K)+, O, seeds)))]
            pub bias: Option<Tensor<(Sz<O>,), T>>,
        }

        impl<const I: usize, const O: usize, const K: usize, const S: usize, const P: usize, const D: usize, T: Float> $Name<I, O, K, S, P, D, T> {
            /// A convolution without a bias, as before a normalisation.
            pub fn without_bias(seeds: &mut Seeds) -> Self {
                $Name { bias: None, ..Self::new(seeds) }
            }
        }

        #[differentiable]
        impl<const I: usize, const O: usize, const K: usize, const S: usize, const P: usize, const D: usize, T: Float> $Name<I, O, K, S, P, D, T> {
            /// The convolution of each example.
            pub fn $forward<B: Dim, $($X: Dim + Slide<Sz<K>, Win<S, P, D>>),+>(
                &self,
                x: &Tensor<(B, Sz<I>, $($X),+), T>,
            ) -> Tensor<(B, Sz<O>, $(<$X as Slide<Sz<K>, Win<S, P, D>>>::Out),+), T> {
                let y = x.$method(&self.weight, Win::<S, P, D>);
                match &self.bias {
                    Some(bias) => y.add_channels(bias),
                    None => y,
                }
            }
        }

        #[differentiable]
        impl<const I: usize, const O: usize, const K: usize, const S: usize, const P: usize, const D: usize, B: Dim, $($X: Dim + Slide<Sz<K>, Win<S, P, D>>,)+ T: Float>
            Layer<Tensor<(B, Sz<I>, $($X),+), T>> for $Name<I, O, K, S, P, D, T>
        {
            type Out = Tensor<(B, Sz<O>, $(<$X as Slide<Sz<K>, Win<S, P, D>>>::Out),+), T>;
            fn apply(&self, x: &Tensor<(B, Sz<I>, $($X),+), T>, #[allow(unused_variables)] ctx: &mut Ctx) -> Tensor<(B, Sz<O>, $(<$X as Slide<Sz<K>, Win<S, P, D>>>::Out),+), T> {
                self.$forward(x)
            }
        }
    )* };
}
conv! {
    /// Windows of `K` entries over the last axis of `[B, I, L]`: `Conv1d<I, O, K, S = 1, P = 1, D = 1>` with the step `S`, `P`
    /// zeros at both ends, and the distance `D` between the entries of a window.
    Conv1d forward conv1d [K] (L);
    /// Windows of `K` by `K` entries over the last two axes of `[B, I, H, W]`: `Conv2d<I, O, K, S = 1, P = 1, D = 1>` with
    /// the step `S`, `P` zeros on each side, and the distance `D` between the entries of a window.
    Conv2d forward conv2d [K K] (H, W);
    /// Windows of `K` by `K` by `K` entries over the last three axes of `[B, I, Z, H, W]`: `Conv3d<I, O, K, S = 1, P = 1,
    /// D = 1>` with the step `S`, `P` zeros on each side, and the distance `D` between the entries of a window.
    Conv3d forward conv3d [K K K] (Z, H, W);
}
