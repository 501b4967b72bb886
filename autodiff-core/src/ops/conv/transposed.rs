//! `conv_transpose1d`, `conv_transpose2d`, `conv_transpose3d`.
//!
//! The transpose of a convolution as a linear map: `conv_transpose2d(x, w)` is the pullback of
//! `y ↦ conv2d(y, w)` at the cotangent `x`. Its own pullback is a convolution, and that of the weights the
//! same sum over windows with the roles of the two operands exchanged.

use super::{axis, windows};
use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};
use crate::device::{Device, Float};
use crate::shape::{Channels, Dim, Shape, Spread, StaticDim, Step, Steps2, Steps3};
use crate::tensor::Tensor;

macro_rules! transposed {
    ($(
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident;
        steps $Steps:path;
        axes $($a:ident $A:ident $K:ident [$Part:ty]),+;
    )*) => { $(
        impl<B: Dim, C: Dim, $($A: Dim,)+ T: Float, D: Device> Tensor<(B, C, $($A),+), T, D> {
            $(#[$doc])*
            #[allow(clippy::type_complexity)]
            pub fn $name<I: Dim, O: Dim, $($K: StaticDim,)+ V: $Steps>(
                &self,
                weight: &Tensor<(I, O, $($K),+), T, D>,
                _: V,
            ) -> Tensor<(B, O, $(<$A as Spread<$K, $Part>>::Out),+), T, D>
            where
                $($A: Spread<$K, $Part>,)+
                C: Channels<I, (B, C, $($A),+), (I, O, $($K),+)>,
            {
                let (b, _, $($a),+) = self.shape();
                let shape = (b, weight.shape().1, $(Spread::<$K, $Part>::spread($a)),+);
                let moves = windows([$(axis::<$Part>($K::default().size())),+]);
                Tensor::new(shape, self.raw().conv_input(weight.raw(), &shape.dims(), moves, 1))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            pub fn $vjp<M0: Mode, M1: Mode, M2: Mode, I: Dim, O: Dim, $($K: StaticDim,)+ V: $Steps + Differentiable>(
                &self,
                _: (M0, M1, M2),
                weight: &Tensor<(I, O, $($K),+), T, D>,
                v: V,
            ) -> (
                Tensor<(B, O, $(<$A as Spread<$K, $Part>>::Out),+), T, D>,
                impl FnOnce(
                    Ct<Tensor<(B, O, $(<$A as Spread<$K, $Part>>::Out),+), T, D>>,
                    &Self,
                    &Tensor<(I, O, $($K),+), T, D>,
                    &mut Adj<Self, M0>,
                    &mut Adj<Tensor<(I, O, $($K),+), T, D>, M1>,
                    &mut Adj<V, M2>,
                ) + Clone + use<M0, M1, M2, I, O, $($K,)+ V, B, C, $($A,)+ T, D>,
            )
            where
                $($A: Spread<$K, $Part>,)+
                C: Channels<I, (B, C, $($A),+), (I, O, $($K),+)>,
            {
                (self.$name(weight, v), move |ct, x, w, d_x, d_w, _| {
                    let Some(ct) = ct.raw() else { return };
                    let moves = windows([$(axis::<$Part>($K::default().size())),+]);
                    if M0::ON {
                        d_x.acc(Tensor::new(x.shape(), ct.conv(w.raw(), moves, 1)).into());
                    }
                    if M1::ON {
                        let d = x.raw().conv_weight(ct, &w.dims(), moves, 1);
                        d_w.acc(Tensor::new(w.shape(), d).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            pub fn $jvp<I: Dim, O: Dim, $($K: StaticDim,)+ V: $Steps + Differentiable>(
                &self,
                t: &Self,
                weight: &Tensor<(I, O, $($K),+), T, D>,
                t_weight: &Tensor<(I, O, $($K),+), T, D>,
                v: V,
                _: V::Tangent,
            ) -> (
                Tensor<(B, O, $(<$A as Spread<$K, $Part>>::Out),+), T, D>,
                Tensor<(B, O, $(<$A as Spread<$K, $Part>>::Out),+), T, D>,
            )
            where
                $($A: Spread<$K, $Part>,)+
                C: Channels<I, (B, C, $($A),+), (I, O, $($K),+)>,
            {
                let mut tangent = t.$name(weight, v);
                tangent.raw_mut().add_assign(self.$name(t_weight, v).raw());
                (self.$name(weight, v), tangent)
            }
        }
    )* };
}

transposed! {
    /// The transpose of [`conv1d`](Tensor::conv1d) with the same weights (here input channels first).
    /// Sizes: `(L − 1)·S + D(K − 1) + 1 − 2P`.
    conv_transpose1d __conv_transpose1d_vjp __conv_transpose1d_jvp;
    steps Step;
    axes l L KL [V];

    /// The transpose of [`conv2d`](Tensor::conv2d) with the same weights: a `[B, C, H, W]` tensor and weights
    /// `[C, O, KH, KW]` give `[B, O, H', W']` with `H' = (H − 1)·S + D(K − 1) + 1 − 2P`, so that
    /// `x.conv_transpose2d(&w, Win::new().stride::<2>())` with a 2 by 2 window doubles the image.
    conv_transpose2d __conv_transpose2d_vjp __conv_transpose2d_jvp;
    steps Steps2;
    axes h H KH [V::H], w W KW [V::W];

    /// The transpose of [`conv3d`](Tensor::conv3d), as [`conv_transpose2d`](Tensor::conv_transpose2d).
    conv_transpose3d __conv_transpose3d_vjp __conv_transpose3d_jvp;
    steps Steps3;
    axes z Z KZ [V::D], h H KH [V::H], w W KW [V::W];
}
