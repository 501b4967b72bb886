//! Images in another size: `interpolate_nearest interpolate_bilinear interpolate_bilinear_aligned`, and along
//! the last axis alone `interpolate_nearest1d interpolate_linear interpolate_linear_aligned`; by a whole
//! factor `upsample_nearest upsample_bilinear`.
//!
//! With `n` entries before and `m` after, entry `i` stands at
//!
//! | operation | position | PyTorch |
//! |---|---|---|
//! | nearest | `⌊i·n/m⌋` | `mode="nearest"` |
//! | linear | `max(0, (i + ½)·n/m − ½)` | `align_corners=False` |
//! | aligned | `i·(n − 1)/(m − 1)`, 0 if `m = 1` | `align_corners=True` |
//!
//! and is the mean of the entries on both sides of it, weighted by how near they are; beyond the last one
//! it is the last. All are linear, so the pushforward is the operation itself, and the pullback spreads each
//! cotangent over the same entries with the same weights.

use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Float, Images, Interpolation};
use crate::ops::rule::linear;
use crate::shape::arith::Times;
use crate::shape::{Axis, Dim, Shape, Sz};
use crate::tensor::Tensor;

type DimOf<S, const I: isize> = <S as Axis<I>>::Dim;
type Resized<S, H, W> = <<S as Axis<-2>>::With<H> as Axis<-1>>::With<W>;
type Larger<S, const I: isize, const K: usize> = <DimOf<S, I> as Times<Sz<K>>>::Out;

macro_rules! images {
    ($($(#[$doc:meta])* $name:ident $vjp:ident $jvp:ident $By:ident;)*) => { $(
        impl<S: Shape, T: Float, D: Images> Tensor<S, T, D> {
            $(#[$doc])*
            ///
            /// # Panics
            /// If there are no entries to make more of.
            #[track_caller]
            pub fn $name<H: Dim, W: Dim>(&self, height: H, width: W) -> Tensor<Resized<S, H, W>, T, D>
            where
                S: Axis<-2>,
                <S as Axis<-2>>::With<H>: Axis<-1>,
            {
                let shape = Axis::<-1>::with(Axis::<-2>::with(self.shape(), height), width);
                Tensor::new(shape, self.raw().resample(Interpolation::$By, shape.dims(), 2))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M0: Mode, M1: Mode, M2: Mode, H: Dim, W: Dim>(
                &self,
                _: (M0, M1, M2),
                height: H,
                width: W,
            ) -> (
                Tensor<Resized<S, H, W>, T, D>,
                impl FnOnce(
                    Ct<Tensor<Resized<S, H, W>, T, D>>,
                    &Self,
                    &mut Adj<Self, M0>,
                    &mut Adj<H, M1>,
                    &mut Adj<W, M2>,
                ) + Clone + use<M0, M1, M2, H, W, S, T, D>,
            )
            where
                S: Axis<-2>,
                <S as Axis<-2>>::With<H>: Axis<-1>,
            {
                (self.$name(height, width), |ct, x, d, _, _| {
                    if M0::ON && let Some(ct) = ct.raw() {
                        let ct = ct.resample_pullback(Interpolation::$By, x.dims(), 2);
                        d.acc(Tensor::new(x.shape(), ct).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $jvp<H: Dim, W: Dim>(
                &self,
                t: &Self,
                height: H,
                _: (),
                width: W,
                _: (),
            ) -> (Tensor<Resized<S, H, W>, T, D>, Tensor<Resized<S, H, W>, T, D>)
            where
                S: Axis<-2>,
                <S as Axis<-2>>::With<H>: Axis<-1>,
            {
                (self.$name(height, width), t.$name(height, width))
            }
        }
    )* };
}

images! {
    /// The last two axes brought to the sizes given, each entry a copy of one:
    /// `x.interpolate_nearest(Sz::<56>, Sz::<56>)`, or sizes known at run time only,
    /// `x.interpolate_nearest(Height(h), Width(w))`.
    interpolate_nearest __interpolate_nearest_vjp __interpolate_nearest_jvp Nearest;

    /// The last two axes brought to the sizes given by linear interpolation along both:
    /// `x.interpolate_bilinear(Sz::<56>, Sz::<56>)`, or sizes known at run time only,
    /// `x.interpolate_bilinear(Height(h), Width(w))`. The edges of the image stay where they are
    /// (`align_corners=False` of PyTorch).
    ///
    /// ```
    /// use differentiable::prelude::*;
    /// let x: Tensor![1, 1, 1, 2] = tensor([[[[0.0, 4.0]]]]);
    /// let y: Tensor![1, 1, 1, 4] = x.interpolate_bilinear(Sz::<1>, Sz::<4>);
    /// assert_eq!(y.to_vec(), [0.0, 1.0, 3.0, 4.0]);
    /// ```
    interpolate_bilinear __interpolate_bilinear_vjp __interpolate_bilinear_jvp Linear;

    /// As [`interpolate_bilinear`](Tensor::interpolate_bilinear), with the middles of the corner entries
    /// left where they are (`align_corners=True` of PyTorch).
    interpolate_bilinear_aligned __interpolate_bilinear_aligned_vjp __interpolate_bilinear_aligned_jvp LinearAligned;
}

macro_rules! lines {
    ($($(#[$doc:meta])* $name:ident $vjp:ident $jvp:ident $By:ident;)*) => { $(
        impl<S: Shape, T: Float, D: Images> Tensor<S, T, D> {
            $(#[$doc])*
            ///
            /// # Panics
            /// If there are no entries to make more of.
            #[track_caller]
            pub fn $name<N: Dim>(&self, length: N) -> Tensor<<S as Axis<-1>>::With<N>, T, D>
            where
                S: Axis<-1>,
            {
                let shape = Axis::<-1>::with(self.shape(), length);
                Tensor::new(shape, self.raw().resample(Interpolation::$By, shape.dims(), 1))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M0: Mode, M1: Mode, N: Dim>(
                &self,
                _: (M0, M1),
                length: N,
            ) -> (
                Tensor<<S as Axis<-1>>::With<N>, T, D>,
                impl FnOnce(
                    Ct<Tensor<<S as Axis<-1>>::With<N>, T, D>>,
                    &Self,
                    &mut Adj<Self, M0>,
                    &mut Adj<N, M1>,
                ) + Clone + use<M0, M1, N, S, T, D>,
            )
            where
                S: Axis<-1>,
            {
                (self.$name(length), |ct, x, d, _| {
                    if M0::ON && let Some(ct) = ct.raw() {
                        let ct = ct.resample_pullback(Interpolation::$By, x.dims(), 1);
                        d.acc(Tensor::new(x.shape(), ct).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $jvp<N: Dim>(
                &self,
                t: &Self,
                length: N,
                _: (),
            ) -> (Tensor<<S as Axis<-1>>::With<N>, T, D>, Tensor<<S as Axis<-1>>::With<N>, T, D>)
            where
                S: Axis<-1>,
            {
                (self.$name(length), t.$name(length))
            }
        }
    )* };
}

lines! {
    /// [`interpolate_nearest`](Tensor::interpolate_nearest) along the last axis alone.
    interpolate_nearest1d __interpolate_nearest1d_vjp __interpolate_nearest1d_jvp Nearest;

    /// [`interpolate_bilinear`](Tensor::interpolate_bilinear) along the last axis alone.
    interpolate_linear __interpolate_linear_vjp __interpolate_linear_jvp Linear;

    /// [`interpolate_bilinear_aligned`](Tensor::interpolate_bilinear_aligned) along the last axis alone.
    interpolate_linear_aligned __interpolate_linear_aligned_vjp __interpolate_linear_aligned_jvp LinearAligned;
}

linear! { Float on Images;
    /// The last two axes `K` times as long, each entry copied: `x.upsample_nearest::<2>()`.
    upsample_nearest, __upsample_nearest_vjp, __upsample_nearest_jvp [const K: usize]
        -> [Resized<S, Larger<S, -2, K>, Larger<S, -1, K>>]
        where [S: Axis<-1> + Axis<-2>, DimOf<S, -2>: Times<Sz<K>>, DimOf<S, -1>: Times<Sz<K>>, <S as Axis<-2>>::With<Larger<S, -2, K>>: Axis<-1>];
    shape |s| Axis::<-1>::with(Axis::<-2>::with(s, Default::default()), Default::default());
    forward |x, to| x.resample(Interpolation::Nearest, to, 2);
    pullback |ct, dims| ct.resample_pullback(Interpolation::Nearest, dims, 2);

    /// The last two axes `K` times as long, by [`interpolate_bilinear`](Tensor::interpolate_bilinear):
    /// `x.upsample_bilinear::<2>()`.
    upsample_bilinear, __upsample_bilinear_vjp, __upsample_bilinear_jvp [const K: usize]
        -> [Resized<S, Larger<S, -2, K>, Larger<S, -1, K>>]
        where [S: Axis<-1> + Axis<-2>, DimOf<S, -2>: Times<Sz<K>>, DimOf<S, -1>: Times<Sz<K>>, <S as Axis<-2>>::With<Larger<S, -2, K>>: Axis<-1>];
    shape |s| Axis::<-1>::with(Axis::<-2>::with(s, Default::default()), Default::default());
    forward |x, to| x.resample(Interpolation::Linear, to, 2);
    pullback |ct, dims| ct.resample_pullback(Interpolation::Linear, dims, 2);
}
