//! `conv_transpose1d`, `conv_transpose2d`, `conv_transpose3d` and their grouped forms.
//!
//! The transpose of a convolution as a linear map: `conv_transpose2d(x, w)` is the pullback of
//! `y ↦ conv2d(y, w)` at the cotangent `x`. Its own pullback is a convolution, and that of the weights the
//! same sum over windows with the roles of the two operands exchanged.
//!
//! With a stride `S` a convolution takes inputs of `S` sizes to one size; the transpose makes the smallest
//! of them, and with an output padding of `N` the one with `N` more entries.

// Groups bound the output channels once more.
#![allow(clippy::multiple_bound_locations, clippy::too_many_arguments)]

use super::{axis, windows};
use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};
use crate::device::{Float, Images, Windows};
use crate::shape::arith::{DivExact, Times};
use crate::shape::{Channels, Dim, Groups, Shape, Spread, StaticDim, Step, Steps2, Steps3, Sz};
use crate::tensor::Tensor;

macro_rules! transposed {
    (
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident;
        steps $Steps:path;
        axes $($a:ident $A:ident $K:ident [$Part:ty]),+;
        channels $Out:ty, |$o:pat_param| $out:expr;
        groups $g:expr, ($($arg:ident: $argty:ty, $mode:ident)?) [$(, const $G:ident: usize)?];
        where [$($w:tt)*];
    ) => {
        impl<B: Dim, C: Dim, $($A: Dim,)+ T: Float, D: Images> Tensor<(B, C, $($A),+), T, D> {
            $(#[$doc])*
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $name<I: Dim, O: Dim, $($K: StaticDim,)+ V: $Steps $(, const $G: usize)?>(
                &self,
                weight: &Tensor<(I, O, $($K),+), T, D>,
                _: V,
                $(_: $argty,)?
            ) -> Tensor<(B, $Out, $(<$A as Spread<$K, $Part>>::Out),+), T, D>
            where
                $($A: Spread<$K, $Part>,)+
                C: Channels<I, (B, C, $($A),+), (I, O, $($K),+)>,
                $($w)*
            {
                let (b, _, $($a),+) = self.shape();
                let $o = weight.shape().1;
                let shape = (b, $out, $(Spread::<$K, $Part>::spread($a)),+);
                let moves: Windows = self::windows([$(axis::<$Part>($K::default().size())),+]);
                Tensor::new(shape, self.raw().conv_input(weight.raw(), &shape.dims(), moves, $g))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity, unused_parens)]
            #[track_caller]
            pub fn $vjp<M0: Mode, M1: Mode, M2: Mode, $($mode: Mode,)? I: Dim, O: Dim, $($K: StaticDim,)+ V: $Steps + Differentiable $(, const $G: usize)?>(
                &self,
                _: (M0, M1, M2, $($mode,)?),
                weight: &Tensor<(I, O, $($K),+), T, D>,
                windows: V,
                $($arg: $argty,)?
            ) -> (
                Tensor<(B, $Out, $(<$A as Spread<$K, $Part>>::Out),+), T, D>,
                impl FnOnce(
                    Ct<Tensor<(B, $Out, $(<$A as Spread<$K, $Part>>::Out),+), T, D>>,
                    &Self,
                    &Tensor<(I, O, $($K),+), T, D>,
                    &mut Adj<Self, M0>,
                    &mut Adj<Tensor<(I, O, $($K),+), T, D>, M1>,
                    &mut Adj<V, M2>,
                    $(&mut Adj<$argty, $mode>)?
                ) + Clone + use<M0, M1, M2, $($mode,)? I, O, $($K,)+ V, B, C, $($A,)+ T, D $(, $G)?>,
            )
            where
                $($A: Spread<$K, $Part>,)+
                C: Channels<I, (B, C, $($A),+), (I, O, $($K),+)>,
                $($w)*
            {
                let out = self.$name(weight, windows, $($arg)?);
                (out, move |ct, x, w, d_x, d_w, _, $(transposed!(@ignore $arg))?| {
                    let Some(ct) = ct.raw() else { return };
                    let moves: Windows = self::windows([$(axis::<$Part>($K::default().size())),+]);
                    if M0::ON {
                        d_x.acc(Tensor::new(x.shape(), ct.conv(w.raw(), moves, $g)).into());
                    }
                    if M1::ON {
                        let d = x.raw().conv_weight(ct, &w.dims(), moves, $g);
                        d_w.acc(Tensor::new(w.shape(), d).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $jvp<I: Dim, O: Dim, $($K: StaticDim,)+ V: $Steps $(, const $G: usize)?>(
                &self,
                t: &Self,
                weight: &Tensor<(I, O, $($K),+), T, D>,
                t_weight: &Tensor<(I, O, $($K),+), T, D>,
                windows: V,
                _: impl Sized,
                $($arg: $argty, _: ())?
            ) -> (
                Tensor<(B, $Out, $(<$A as Spread<$K, $Part>>::Out),+), T, D>,
                Tensor<(B, $Out, $(<$A as Spread<$K, $Part>>::Out),+), T, D>,
            )
            where
                $($A: Spread<$K, $Part>,)+
                C: Channels<I, (B, C, $($A),+), (I, O, $($K),+)>,
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

transposed! {
    /// The transpose of [`conv1d`](Tensor::conv1d) with the same weights (here input channels first).
    /// Sizes: `(L − 1)·S + D(K − 1) + 1 − 2P`.
    ///
    /// # Panics
    /// If nothing is left of a run-time axis.
    conv_transpose1d __conv_transpose1d_vjp __conv_transpose1d_jvp;
    steps Step;
    axes l L KL [V];
    channels O, |o| o;
    groups 1, () [];
    where [];
}

transposed! {
    /// The transpose of [`conv2d`](Tensor::conv2d) with the same weights: a `[B, C, H, W]` tensor and weights
    /// `[C, O, KH, KW]` give `[B, O, H', W']` with `H' = (H − 1)·S + D(K − 1) + 1 − 2P`, so that
    /// `x.conv_transpose2d(&w, Win::new().stride::<2>())` with a 2 by 2 window doubles the image, as does
    /// `Win::new().stride::<2>().pad::<1>().output_pad::<1>()` with a 3 by 3 window.
    ///
    /// # Panics
    /// If nothing is left of a run-time axis.
    conv_transpose2d __conv_transpose2d_vjp __conv_transpose2d_jvp;
    steps Steps2;
    axes h H KH [V::H], w W KW [V::W];
    channels O, |o| o;
    groups 1, () [];
    where [];
}

transposed! {
    /// The transpose of [`conv3d`](Tensor::conv3d), as [`conv_transpose2d`](Tensor::conv_transpose2d).
    ///
    /// # Panics
    /// If nothing is left of a run-time axis.
    conv_transpose3d __conv_transpose3d_vjp __conv_transpose3d_jvp;
    steps Steps3;
    axes z Z KZ [V::D], h H KH [V::H], w W KW [V::W];
    channels O, |o| o;
    groups 1, () [];
    where [];
}

transposed! {
    /// [`conv_transpose1d`](Tensor::conv_transpose1d) in `G` groups: the transpose of
    /// [`conv1d_grouped`](Tensor::conv1d_grouped). Weights `[C, O, K]` make `O · G` channels.
    ///
    /// # Panics
    /// If nothing is left of a run-time axis.
    conv_transpose1d_grouped __conv_transpose1d_grouped_vjp __conv_transpose1d_grouped_jvp;
    steps Step;
    axes l L KL [V];
    channels <O as Times<Sz<G>>>::Out, |_| Default::default();
    groups G, (groups: Groups<G>, M3) [, const G: usize];
    where [C: DivExact<Sz<G>>, O: Times<Sz<G>>];
}

transposed! {
    /// [`conv_transpose2d`](Tensor::conv_transpose2d) in `G` groups: the transpose of
    /// [`conv2d_grouped`](Tensor::conv2d_grouped). Weights `[C, O, KH, KW]` make `O · G` channels:
    /// `x.conv_transpose2d_grouped(&w, Win::new(), Groups::<2>)`.
    ///
    /// # Panics
    /// If nothing is left of a run-time axis.
    conv_transpose2d_grouped __conv_transpose2d_grouped_vjp __conv_transpose2d_grouped_jvp;
    steps Steps2;
    axes h H KH [V::H], w W KW [V::W];
    channels <O as Times<Sz<G>>>::Out, |_| Default::default();
    groups G, (groups: Groups<G>, M3) [, const G: usize];
    where [C: DivExact<Sz<G>>, O: Times<Sz<G>>];
}

transposed! {
    /// [`conv_transpose3d`](Tensor::conv_transpose3d) in `G` groups, as
    /// [`conv_transpose2d_grouped`](Tensor::conv_transpose2d_grouped).
    ///
    /// # Panics
    /// If nothing is left of a run-time axis.
    conv_transpose3d_grouped __conv_transpose3d_grouped_vjp __conv_transpose3d_grouped_jvp;
    steps Steps3;
    axes z Z KZ [V::D], h H KH [V::H], w W KW [V::W];
    channels <O as Times<Sz<G>>>::Out, |_| Default::default();
    groups G, (groups: Groups<G>, M3) [, const G: usize];
    where [C: DivExact<Sz<G>>, O: Times<Sz<G>>];
}
