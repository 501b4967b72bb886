//! `conv1d`, `conv2d`, `conv3d` and their grouped forms.
//!
//! `out[n, o, p] = Σ_c Σ_k w[o, c, k] · x[n, c, S·p + D·k − P]`, with zeros outside of `x`. It is linear in
//! each operand: the pullback of `c` is the transposed convolution for `x`, and for `w` the sum over the
//! windows of `c` times their entries.

// Groups bound the output channels once more.
#![allow(clippy::multiple_bound_locations, clippy::too_many_arguments)]

use super::{axis, windows};
use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};
use crate::device::{Float, Images, Windows};
use crate::shape::arith::DivExact;
use crate::shape::{Channels, Dim, Groups, Slide, StaticDim, Step, Steps2, Steps3, Sz};
use crate::tensor::Tensor;

macro_rules! convolution {
    (
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident;
        steps $Steps:path;
        axes $($a:ident $A:ident $K:ident [$Part:ty]),+;
        groups $g:expr, ($($arg:ident: $argty:ty, $mode:ident)?) [$(, const $G:ident: usize)?];
        where [$($w:tt)*];
    ) => {
        impl<B: Dim, C: Dim, $($A: Dim,)+ T: Float, D: Images> Tensor<(B, C, $($A),+), T, D> {
            $(#[$doc])*
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $name<O: Dim, I: Dim, $($K: StaticDim,)+ V: $Steps $(, const $G: usize)?>(
                &self,
                weight: &Tensor<(O, I, $($K),+), T, D>,
                _: V,
                $(_: $argty,)?
            ) -> Tensor<(B, O, $(<$A as Slide<$K, $Part>>::Out),+), T, D>
            where
                $($A: Slide<$K, $Part>,)+
                $($w)*
            {
                let (b, _, $($a),+) = self.shape();
                let shape = (b, weight.shape().0, $(Slide::<$K, $Part>::slide($a)),+);
                let moves: Windows = self::windows([$(axis::<$Part>($K::default().size())),+]);
                Tensor::new(shape, self.raw().conv(weight.raw(), moves, $g))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity, unused_parens)]
            #[track_caller]
            pub fn $vjp<M0: Mode, M1: Mode, M2: Mode, $($mode: Mode,)? O: Dim, I: Dim, $($K: StaticDim,)+ V: $Steps + Differentiable $(, const $G: usize)?>(
                &self,
                _: (M0, M1, M2, $($mode,)?),
                weight: &Tensor<(O, I, $($K),+), T, D>,
                windows: V,
                $($arg: $argty,)?
            ) -> (
                Tensor<(B, O, $(<$A as Slide<$K, $Part>>::Out),+), T, D>,
                impl FnOnce(
                    Ct<Tensor<(B, O, $(<$A as Slide<$K, $Part>>::Out),+), T, D>>,
                    &Self,
                    &Tensor<(O, I, $($K),+), T, D>,
                    &mut Adj<Self, M0>,
                    &mut Adj<Tensor<(O, I, $($K),+), T, D>, M1>,
                    &mut Adj<V, M2>,
                    $(&mut Adj<$argty, $mode>)?
                ) + Clone + use<M0, M1, M2, $($mode,)? O, I, $($K,)+ V, B, C, $($A,)+ T, D $(, $G)?>,
            )
            where
                $($A: Slide<$K, $Part>,)+
                $($w)*
            {
                let out = self.$name(weight, windows, $($arg)?);
                (out, move |ct, x, w, d_x, d_w, _, $(convolution!(@ignore $arg))?| {
                    let Some(ct) = ct.raw() else { return };
                    let moves: Windows = self::windows([$(axis::<$Part>($K::default().size())),+]);
                    if M0::ON {
                        let d = ct.conv_input(w.raw(), &x.dims(), moves, $g);
                        d_x.acc(Tensor::new(x.shape(), d).into());
                    }
                    if M1::ON {
                        let d = ct.conv_weight(x.raw(), &w.dims(), moves, $g);
                        d_w.acc(Tensor::new(w.shape(), d).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $jvp<O: Dim, I: Dim, $($K: StaticDim,)+ V: $Steps $(, const $G: usize)?>(
                &self,
                t: &Self,
                weight: &Tensor<(O, I, $($K),+), T, D>,
                t_weight: &Tensor<(O, I, $($K),+), T, D>,
                windows: V,
                _: impl Sized,
                $($arg: $argty, _: ())?
            ) -> (
                Tensor<(B, O, $(<$A as Slide<$K, $Part>>::Out),+), T, D>,
                Tensor<(B, O, $(<$A as Slide<$K, $Part>>::Out),+), T, D>,
            )
            where
                $($A: Slide<$K, $Part>,)+
                $($w)*
            {
                let mut tangent = t.$name(weight, windows, $($arg)?);
                tangent
                    .raw_mut()
                    .add_assign(self.$name(t_weight, windows, $($arg)?).raw());
                (self.$name(weight, windows, $($arg)?), tangent)
            }
        }
    };
    (@ignore $t:ident) => { _ };
}

convolution! {
    /// Slides the windows of `weight` (output channels, input channels, length) over the last axis:
    /// `x.conv1d(&w, Win::new().pad::<1>())`. Sizes: `(L + 2P − D(K − 1) − 1)/S + 1`.
    ///
    /// # Panics
    /// If run-time sizes do not fit.
    conv1d __conv1d_vjp __conv1d_jvp;
    steps Step;
    axes l L KL [V];
    groups 1, () [];
    where [C: Channels<I, (B, C, L), (O, I, KL)>];
}

convolution! {
    /// Slides the windows of `weight` (output channels, input channels, height, width) over the last two
    /// axes: `x.conv2d(&w, Win::new().pad::<1>())`, or with a [`Win`](crate::shape::Win) for each axis,
    /// `x.conv2d(&w, (Win::new(), Win::new().stride::<2>()))`. A `[B, C, H, W]` tensor becomes
    /// `[B, O, H', W']` with `H' = (H + 2P − D(K − 1) − 1)/S + 1`.
    ///
    /// # Panics
    /// If run-time sizes do not fit.
    conv2d __conv2d_vjp __conv2d_jvp;
    steps Steps2;
    axes h H KH [V::H], w W KW [V::W];
    groups 1, () [];
    where [C: Channels<I, (B, C, H, W), (O, I, KH, KW)>];
}

convolution! {
    /// [`conv2d`](Tensor::conv2d) over the last three axes.
    ///
    /// # Panics
    /// If run-time sizes do not fit.
    conv3d __conv3d_vjp __conv3d_jvp;
    steps Steps3;
    axes z Z KZ [V::D], h H KH [V::H], w W KW [V::W];
    groups 1, () [];
    where [C: Channels<I, (B, C, Z, H, W), (O, I, KZ, KH, KW)>];
}

convolution! {
    /// [`conv1d`](Tensor::conv1d) in `G` groups: each output channel sees the input channels of its group
    /// only, so the weights have `C / G` of them; with `G = C` the convolution is depthwise.
    ///
    /// # Panics
    /// If run-time sizes do not fit.
    conv1d_grouped __conv1d_grouped_vjp __conv1d_grouped_jvp;
    steps Step;
    axes l L KL [V];
    groups G, (groups: Groups<G>, M3) [, const G: usize];
    where [
        C: DivExact<Sz<G>>,
        O: DivExact<Sz<G>>,
        <C as DivExact<Sz<G>>>::Out: Channels<I, (B, C, L), (O, I, KL)>
    ];
}

convolution! {
    /// [`conv2d`](Tensor::conv2d) in `G` groups: each output channel sees the input channels of its group
    /// only, so the weights have `C / G` of them; with `G = C` the convolution is depthwise.
    /// `x.conv2d_grouped(&w, Win::new(), Groups::<2>)`.
    ///
    /// # Panics
    /// If run-time sizes do not fit.
    conv2d_grouped __conv2d_grouped_vjp __conv2d_grouped_jvp;
    steps Steps2;
    axes h H KH [V::H], w W KW [V::W];
    groups G, (groups: Groups<G>, M3) [, const G: usize];
    where [
        C: DivExact<Sz<G>>,
        O: DivExact<Sz<G>>,
        <C as DivExact<Sz<G>>>::Out: Channels<I, (B, C, H, W), (O, I, KH, KW)>
    ];
}

convolution! {
    /// [`conv3d`](Tensor::conv3d) in `G` groups, as [`conv2d_grouped`](Tensor::conv2d_grouped).
    ///
    /// # Panics
    /// If run-time sizes do not fit.
    conv3d_grouped __conv3d_grouped_vjp __conv3d_grouped_jvp;
    steps Steps3;
    axes z Z KZ [V::D], h H KH [V::H], w W KW [V::W];
    groups G, (groups: Groups<G>, M3) [, const G: usize];
    where [
        C: DivExact<Sz<G>>,
        O: DivExact<Sz<G>>,
        <C as DivExact<Sz<G>>>::Out: Channels<I, (B, C, Z, H, W), (O, I, KZ, KH, KW)>
    ];
}
