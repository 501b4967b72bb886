//! Convolutions whose channels are split into groups.
//!
//! Each of `G` groups of output channels sees one group of `I` input channels:
//! `y[b, o, i] = bias[o] + Σ weight[o, c, k]·x[b, g·I + c, S·i + D·k − P]` with `g = ⌊o·G/O⌋`, summed over `c < I` and the
//! entries `k` of a window.

use crate::context::Ctx;
use crate::layers::Layer;
use autodiff_core::nn::Init;
use autodiff_core::prelude::*;
use autodiff_core::shape::arith::DivExact;
use autodiff_core::shape::{Groups, Slide};

// `forward` is named at each layer, so that messages about a wrong call show that line alone.
macro_rules! conv {
    ($($(#[$doc:meta])* $Name:ident $Depthwise:ident $forward:ident $method:ident [$($K:tt)+] ($($X:ident),+);)*) => { $(
        $(#[$doc])*
        ///
        /// The parameters are `<I, O, G, K, S = 1, P = 1, D = 1>`: input channels *of each group*, output channels of all
        /// groups, groups, window, step, padding, distance between the entries of a window.
        #[module]
        pub struct $Name<
            const I: usize,
            const O: usize,
            const G: usize,
            const K: usize,
            const S: usize = 1,
            const P: usize = 1,
            const D: usize = 1,
            T: Float = f32,
        > {
            /// Output channels, input channels of a group, window: uniform on `(−a, a)` with `a = 1/√(I·K·…)` at first.
            #[init(Init::FanIn.tensor(I $(* $K)+, O, seeds))]
            pub weight: Tensor<(Sz<O>, Sz<I>, $(Sz<$K>),+), T>,
            /// One number for each output channel, drawn in the same way.
            #[init(Some(Init::FanIn.tensor(I $(* $K)+, O, seeds)))]
            pub bias: Option<Tensor<(Sz<O>,), T>>,
        }

        #[doc = concat!("[`", stringify!($Name), "`] with one input channel in each group (Chollet 2017): `C` channels give `C`.")]
        pub type $Depthwise<const C: usize, const K: usize, const S: usize = 1, const P: usize = 1, const D: usize = 1, T = f32> =
            $Name<1, C, C, K, S, P, D, T>;

        impl<const I: usize, const O: usize, const G: usize, const K: usize, const S: usize, const P: usize, const D: usize, T: Float>
            $Name<I, O, G, K, S, P, D, T>
        {
            /// A convolution without a bias, as before a normalisation.
            pub fn without_bias(seeds: &mut Seeds) -> Self {
                $Name { bias: None, ..Self::new(seeds) }
            }
        }

        #[differentiable]
        impl<const I: usize, const O: usize, const G: usize, const K: usize, const S: usize, const P: usize, const D: usize, T: Float>
            $Name<I, O, G, K, S, P, D, T>
        where
            Sz<O>: DivExact<Sz<G>>,
        {
            /// The convolution of each example; `C` is `I·G`.
            pub fn $forward<B: Dim, C: Dim + DivExact<Sz<G>, Out = Sz<I>>, $($X: Dim + Slide<Sz<K>, Win<S, P, D>>),+>(
                &self,
                x: &Tensor<(B, C, $($X),+), T>,
            ) -> Tensor<(B, Sz<O>, $(<$X as Slide<Sz<K>, Win<S, P, D>>>::Out),+), T> {
                let y = x.$method(&self.weight, Win::<S, P, D>, Groups::<G>);
                match &self.bias {
                    Some(bias) => y.add_channels(bias),
                    None => y,
                }
            }
        }

        #[differentiable]
        impl<
            const I: usize, const O: usize, const G: usize, const K: usize, const S: usize, const P: usize, const D: usize,
            B: Dim, C: Dim + DivExact<Sz<G>, Out = Sz<I>>, $($X: Dim + Slide<Sz<K>, Win<S, P, D>>,)+ T: Float,
        > Layer<Tensor<(B, C, $($X),+), T>> for $Name<I, O, G, K, S, P, D, T>
        where
            Sz<O>: DivExact<Sz<G>>,
        {
            type Out = Tensor<(B, Sz<O>, $(<$X as Slide<Sz<K>, Win<S, P, D>>>::Out),+), T>;
            fn apply(&self, x: &Tensor<(B, C, $($X),+), T>, #[allow(unused_variables)] ctx: &mut Ctx) -> Tensor<(B, Sz<O>, $(<$X as Slide<Sz<K>, Win<S, P, D>>>::Out),+), T> {
                self.$forward(x)
            }
        }
    )* };
}
conv! {
    /// [`Conv1d`](super::Conv1d) in `G` groups of channels.
    GroupedConv1d DepthwiseConv1d forward conv1d_grouped [K] (L);
    /// [`Conv2d`](super::Conv2d) in `G` groups of channels.
    ///
    /// ```
    /// use differentiable::prelude::*;
    /// use differentiable::nn::{DepthwiseConv2d, GroupedConv2d};
    ///
    /// let x: Tensor![1, 6, 8, 8] = Tensor::randn(1);
    /// let two = GroupedConv2d::<3, 4, 2, 3>::new(&mut Seeds::new(0)); // 3 channels give 2, twice
    /// let y: Tensor![1, 4, 8, 8] = two.forward(&x);
    /// let each = DepthwiseConv2d::<6, 3>::new(&mut Seeds::new(0)); // a window for each channel
    /// let z: Tensor![1, 6, 8, 8] = each.forward(&x);
    /// # let _ = (y, z);
    /// ```
    GroupedConv2d DepthwiseConv2d forward conv2d_grouped [K K] (H, W);
    /// [`Conv3d`](super::Conv3d) in `G` groups of channels.
    GroupedConv3d DepthwiseConv3d forward conv3d_grouped [K K K] (Z, H, W);
}
