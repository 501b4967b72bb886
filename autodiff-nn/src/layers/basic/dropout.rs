//! Layers that leave something out at random, in training only.

use super::Layer;
use crate::context::Ctx;
use autodiff_core::prelude::*;
use autodiff_core::shape::Axis;
use autodiff_core::tensor::raw::Raw;

#[track_caller]
fn checked(p: f64) -> f64 {
    assert!(
        (0.0..1.0).contains(&p),
        "the probability to leave out is {p}, not in [0, 1)"
    );
    p
}

/// In training each element becomes 0 with probability `p`, and is multiplied by `1/(1 − p)` otherwise (Srivastava et al.
/// 2014); in inference nothing changes.
#[module(no_new)]
#[derive(Copy, PartialEq)]
pub struct Dropout {
    /// The probability to leave out.
    #[config]
    pub p: f64,
}

impl Dropout {
    /// # Panics
    /// If `p` is not in `[0, 1)`.
    #[track_caller]
    pub fn new(p: f64) -> Self {
        Dropout { p: checked(p) }
    }
}

#[differentiable]
impl Dropout {
    /// The input with some elements left out.
    pub fn forward<S: Shape, T: Float>(&self, x: &Tensor<S, T>, ctx: &mut Ctx) -> Tensor<S, T> {
        if ctx.is_train() && self.p > 0.0 {
            x.dropout(self.p, ctx.next_seed())
        } else {
            x.clone()
        }
    }
}

#[differentiable]
impl<S: Shape, T: Float> Layer<Tensor<S, T>> for Dropout {
    type Out = Tensor<S, T>;
    fn apply(&self, x: &Tensor<S, T>, ctx: &mut Ctx) -> Tensor<S, T> {
        self.forward(x, ctx)
    }
}

/// A mask of a tensor's shape that is the same along all axes but the first `axes`: 0 with probability `p`, else
/// `1/(1 − p)`.
fn mask<S: Shape, T: Float>(x: &Tensor<S, T>, axes: usize, p: f64, seed: u64) -> Tensor<S, T> {
    let all = x.dims();
    let kept = all
        .iter()
        .enumerate()
        .map(|(i, &d)| if i < axes { d } else { 1 });
    let dims: Vec<usize> = kept.collect();
    let ones = Raw::full(x.device(), dims.as_slice(), T::lit(1.0));
    let mut mask = x.clone();
    *mask.raw_mut() = ones.dropout(p, seed).expand(x.dims());
    mask
}

// `forward` is named at each layer, so that messages about a wrong call show that line alone.
macro_rules! channels {
    ($($(#[$doc:meta])* $Name:ident $forward:ident ($($X:ident),+);)*) => { $(
        $(#[$doc])*
        #[module(no_new)]
        #[derive(Copy, PartialEq)]
        pub struct $Name {
            /// The probability to leave out.
            #[config]
            pub p: f64,
        }

        impl $Name {
            /// # Panics
            /// If `p` is not in `[0, 1)`.
            #[track_caller]
            pub fn new(p: f64) -> Self {
                $Name { p: checked(p) }
            }
        }

        #[differentiable]
        impl $Name {
            /// The input with some channels left out.
            pub fn $forward<B: Dim, C: Dim, $($X: Dim,)+ T: Float>(&self, x: &Tensor<(B, C, $($X),+), T>, ctx: &mut Ctx) -> Tensor<(B, C, $($X),+), T> {
                if ctx.is_train() && self.p > 0.0 {
                    let seed = ctx.next_seed();
                    x * no_grad!(mask(x, 2, self.p, seed))
                } else {
                    x.clone()
                }
            }
        }

        #[differentiable]
        impl<B: Dim, C: Dim, $($X: Dim,)+ T: Float> Layer<Tensor<(B, C, $($X),+), T>> for $Name {
            type Out = Tensor<(B, C, $($X),+), T>;
            fn apply(&self, x: &Tensor<(B, C, $($X),+), T>, ctx: &mut Ctx) -> Tensor<(B, C, $($X),+), T> {
                self.$forward(x, ctx)
            }
        }
    )* };
}
channels! {
    /// [`Dropout`] of whole channels of sequences `[B, C, L]`.
    Dropout1d forward (L);
    /// [`Dropout`] of whole channels of images `[B, C, H, W]` (Tompson et al. 2015).
    Dropout2d forward (H, W);
    /// [`Dropout`] of whole channels of volumes `[B, C, D, H, W]`.
    Dropout3d forward (Z, H, W);
}

/// In training the whole tensor of an example (an entry of the first axis) becomes 0 with probability `p`, and is
/// multiplied by `1/(1 − p)` otherwise: stochastic depth, for the branch of a residual (Huang et al. 2016).
#[module(no_new)]
#[derive(Copy, PartialEq)]
pub struct DropPath {
    /// The probability to leave out.
    #[config]
    pub p: f64,
}

impl DropPath {
    /// # Panics
    /// If `p` is not in `[0, 1)`.
    #[track_caller]
    pub fn new(p: f64) -> Self {
        DropPath { p: checked(p) }
    }
}

#[differentiable]
impl DropPath {
    /// The input with some examples left out.
    pub fn forward<S: Shape + Axis<0>, T: Float>(
        &self,
        x: &Tensor<S, T>,
        ctx: &mut Ctx,
    ) -> Tensor<S, T> {
        if ctx.is_train() && self.p > 0.0 {
            let seed = ctx.next_seed();
            x * no_grad!(mask(x, 1, self.p, seed))
        } else {
            x.clone()
        }
    }
}

#[differentiable]
impl<S: Shape + Axis<0>, T: Float> Layer<Tensor<S, T>> for DropPath {
    type Out = Tensor<S, T>;
    fn apply(&self, x: &Tensor<S, T>, ctx: &mut Ctx) -> Tensor<S, T> {
        self.forward(x, ctx)
    }
}
