//! Pools as layers, for [`Sequential`](crate::nn::Sequential). In a `forward` of your own the methods of tensors do,
//! `h.max_pool::<2, 2>()`.

use crate::context::Ctx;
use crate::layers::Layer;
use autodiff_core::prelude::*;
use autodiff_core::shape::Slide;

macro_rules! pools {
    ($($(#[$doc:meta])* $Name:ident $method:ident [$($K:tt)+] ($($X:ident),+);)*) => { $(
        $(#[$doc])*
        #[module]
        #[derive(Copy, Default, PartialEq)]
        pub struct $Name<const K: usize, const S: usize = K, const P: usize = 0>;

        #[differentiable]
        impl<const K: usize, const S: usize, const P: usize, B: Dim, C: Dim, $($X: Dim + Slide<Sz<K>, Win<S, P>>,)+ T: Float>
            Layer<Tensor<(B, C, $($X),+), T>> for $Name<K, S, P>
        {
            type Out = Tensor<(B, C, $(<$X as Slide<Sz<K>, Win<S, P>>>::Out),+), T>;
            fn apply(&self, x: &Tensor<(B, C, $($X),+), T>, #[allow(unused_variables)] ctx: &mut Ctx) -> Tensor<(B, C, $(<$X as Slide<Sz<K>, Win<S, P>>>::Out),+), T> {
                x.$method::<$($K,)+ _>(Win::<S, P>)
            }
        }
    )* };
}
pools! {
    /// The largest entry of each window of `K` entries, which are `S` apart.
    MaxPool1d max_pool1d [K] (L);
    /// The largest entry of each window of `K` by `K` entries, which are `S` apart.
    MaxPool2d max_pool2d [K K] (H, W);
    /// The largest entry of each window of `K` by `K` by `K` entries, which are `S` apart.
    MaxPool3d max_pool3d [K K K] (Z, H, W);
    /// The mean of each window of `K` entries, which are `S` apart; padding counts as zeros.
    AvgPool1d avg_pool1d [K] (L);
    /// The mean of each window of `K` by `K` entries, which are `S` apart; padding counts as zeros.
    AvgPool2d avg_pool2d [K K] (H, W);
    /// The mean of each window of `K` by `K` by `K` entries, which are `S` apart; padding counts as zeros.
    AvgPool3d avg_pool3d [K K K] (Z, H, W);
}

macro_rules! adaptive {
    ($($(#[$doc:meta])* $Name:ident $method:ident ($($O:ident),+) ($($X:ident),+);)*) => { $(
        $(#[$doc])*
        #[module]
        #[derive(Copy, Default, PartialEq)]
        pub struct $Name<$(const $O: usize),+>;

        #[differentiable]
        impl<$(const $O: usize,)+ B: Dim, C: Dim, $($X: Dim,)+ T: Float> Layer<Tensor<(B, C, $($X),+), T>> for $Name<$($O),+> {
            type Out = Tensor<(B, C, $(Sz<$O>),+), T>;
            fn apply(&self, x: &Tensor<(B, C, $($X),+), T>, #[allow(unused_variables)] ctx: &mut Ctx) -> Tensor<(B, C, $(Sz<$O>),+), T> {
                x.$method::<$($O),+>()
            }
        }
    )* };
}
adaptive! {
    /// The largest entry of each of `OL` parts, as even as whole entries allow.
    AdaptiveMaxPool1d adaptive_max_pool1d (OL) (L);
    /// The largest entry of each of `OH` by `OW` parts, as even as whole entries allow.
    AdaptiveMaxPool2d adaptive_max_pool2d (OH, OW) (H, W);
    /// The largest entry of each of `OZ` by `OH` by `OW` parts, as even as whole entries allow.
    AdaptiveMaxPool3d adaptive_max_pool3d (OZ, OH, OW) (Z, H, W);
    /// The mean of each of `OL` parts, as even as whole entries allow.
    AdaptiveAvgPool1d adaptive_avg_pool1d (OL) (L);
    /// The mean of each of `OH` by `OW` parts, as even as whole entries allow.
    AdaptiveAvgPool2d adaptive_avg_pool2d (OH, OW) (H, W);
    /// The mean of each of `OZ` by `OH` by `OW` parts, as even as whole entries allow.
    AdaptiveAvgPool3d adaptive_avg_pool3d (OZ, OH, OW) (Z, H, W);
}
