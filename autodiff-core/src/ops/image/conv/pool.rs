//! Pooling: the largest entry or the mean of each window.
//!
//! Derivatives of a maximum go to the first largest entry of the window, as in PyTorch and JAX; those of
//! a mean to all entries alike.

use super::{axis, windows};
use crate::ad::{Acc, Adj, Ct, Differentiable, Mode};
use crate::device::{Float, Images, PoolOp};
use crate::shape::{Dim, Slide, Step, Steps2, Steps3, Sz, Win};
use crate::tensor::{Pool, Tensor};

/// Pooling whose windows are in the type arguments alone.
macro_rules! pooling {
    ($(
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident $Op:ident [$(const $K:ident),+] -> [$($out:expr => $Out:ty),+];
        how $how:expr;
        where [$($w:tt)*];
    )*) => { $(
        impl<B: Dim, C: Dim, H: Dim, W: Dim, T: Float, D: Images> Tensor<(B, C, H, W), T, D> {
            $(#[$doc])*
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $name<$(const $K: usize),+>(&self) -> Tensor<(B, C, $($Out),+), T, D>
            where
                $($w)*
            {
                let s = self.shape();
                let shape = (s.0, s.1, $($out(s)),+);
                Tensor::new(shape, self.raw().pool(PoolOp::$Op, $how))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M0: Mode, $(const $K: usize),+>(
                &self,
                _: (M0,),
            ) -> (
                Tensor<(B, C, $($Out),+), T, D>,
                impl FnOnce(Ct<Tensor<(B, C, $($Out),+), T, D>>, &Self, &mut Adj<Self, M0>) + Clone + use<M0, B, C, H, W, T, D, $($K),+>,
            )
            where
                $($w)*
            {
                (self.$name::<$($K),+>(), move |ct, x, d| {
                    if M0::ON && let Some(ct) = ct.raw() {
                        let d_x = ct.pool_pullback(PoolOp::$Op, $how, x.raw());
                        d.acc(Tensor::new(x.shape(), d_x).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $jvp<$(const $K: usize),+>(
                &self,
                t: &Self,
            ) -> (Tensor<(B, C, $($Out),+), T, D>, Tensor<(B, C, $($Out),+), T, D>)
            where
                $($w)*
            {
                let out = self.$name::<$($K),+>();
                let tangent = self.raw().pool_pushforward(PoolOp::$Op, $how, t.raw());
                let tangent = Tensor::new(out.shape(), tangent);
                (out, tangent)
            }
        }
    )* };
}

type Slid<H, const K: usize, const S: usize> = <H as Slide<Sz<K>, Win<S>>>::Out;

/// `K` by `K` entries, `S` apart.
#[track_caller]
fn square<const K: usize, const S: usize>() -> Pool {
    Pool::Sliding(windows([axis::<Win<S>>(K), axis::<Win<S>>(K)]))
}

pooling! {
    /// The largest entry of each window of `K` by `K`, which are `S` apart: `x.max_pool::<2, 2>()`. The
    /// general form is [`max_pool2d`](Tensor::max_pool2d).
    max_pool __max_pool_vjp __max_pool_jvp Max [const K, const S] -> [
        |s: (B, C, H, W)| Slide::<Sz<K>, Win<S>>::slide(s.2) => Slid<H, K, S>,
        |s: (B, C, H, W)| Slide::<Sz<K>, Win<S>>::slide(s.3) => Slid<W, K, S>
    ];
    how square::<K, S>();
    where [H: Slide<Sz<K>, Win<S>>, W: Slide<Sz<K>, Win<S>>];

    /// The mean of each window of `K` by `K`, which are `S` apart: `x.avg_pool::<2, 2>()`. The general form
    /// is [`avg_pool2d`](Tensor::avg_pool2d).
    avg_pool __avg_pool_vjp __avg_pool_jvp Mean [const K, const S] -> [
        |s: (B, C, H, W)| Slide::<Sz<K>, Win<S>>::slide(s.2) => Slid<H, K, S>,
        |s: (B, C, H, W)| Slide::<Sz<K>, Win<S>>::slide(s.3) => Slid<W, K, S>
    ];
    how square::<K, S>();
    where [H: Slide<Sz<K>, Win<S>>, W: Slide<Sz<K>, Win<S>>];
}

/// Pooling with windows that move as an argument says.
macro_rules! sliding {
    ($(
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident $Op:ident;
        steps $Steps:path;
        axes $($a:ident $A:ident $K:ident [$Part:ty]),+;
    )*) => { $(
        impl<B: Dim, C: Dim, $($A: Dim,)+ T: Float, D: Images> Tensor<(B, C, $($A),+), T, D> {
            $(#[$doc])*
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $name<$(const $K: usize,)+ V: $Steps>(
                &self,
                _: V,
            ) -> Tensor<(B, C, $(<$A as Slide<Sz<$K>, $Part>>::Out),+), T, D>
            where
                $($A: Slide<Sz<$K>, $Part>),+
            {
                let (b, c, $($a),+) = self.shape();
                let shape = (b, c, $(Slide::<Sz<$K>, $Part>::slide($a)),+);
                let how = Pool::Sliding(windows([$(axis::<$Part>($K)),+]));
                Tensor::new(shape, self.raw().pool(PoolOp::$Op, how))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M0: Mode, M1: Mode, $(const $K: usize,)+ V: $Steps + Differentiable>(
                &self,
                _: (M0, M1),
                v: V,
            ) -> (
                Tensor<(B, C, $(<$A as Slide<Sz<$K>, $Part>>::Out),+), T, D>,
                impl FnOnce(
                    Ct<Tensor<(B, C, $(<$A as Slide<Sz<$K>, $Part>>::Out),+), T, D>>,
                    &Self,
                    &mut Adj<Self, M0>,
                    &mut Adj<V, M1>,
                ) + Clone + use<M0, M1, $($K,)+ V, B, C, $($A,)+ T, D>,
            )
            where
                $($A: Slide<Sz<$K>, $Part>),+
            {
                (self.$name::<$($K,)+ V>(v), move |ct, x, d, _| {
                    if M0::ON && let Some(ct) = ct.raw() {
                        let how = Pool::Sliding(windows([$(axis::<$Part>($K)),+]));
                        let d_x = ct.pool_pullback(PoolOp::$Op, how, x.raw());
                        d.acc(Tensor::new(x.shape(), d_x).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $jvp<$(const $K: usize,)+ V: $Steps + Differentiable>(
                &self,
                t: &Self,
                v: V,
                _: V::Tangent,
            ) -> (
                Tensor<(B, C, $(<$A as Slide<Sz<$K>, $Part>>::Out),+), T, D>,
                Tensor<(B, C, $(<$A as Slide<Sz<$K>, $Part>>::Out),+), T, D>,
            )
            where
                $($A: Slide<Sz<$K>, $Part>),+
            {
                let out = self.$name::<$($K,)+ V>(v);
                let how = Pool::Sliding(windows([$(axis::<$Part>($K)),+]));
                let tangent = self.raw().pool_pushforward(PoolOp::$Op, how, t.raw());
                let tangent = Tensor::new(out.shape(), tangent);
                (out, tangent)
            }
        }
    )* };
}

sliding! {
    /// The largest entry of each window of `K` entries: `x.max_pool1d::<3, _>(Win::new().stride::<2>())`.
    max_pool1d __max_pool1d_vjp __max_pool1d_jvp Max;
    steps Step;
    axes l L KL [V];

    /// The largest entry of each window of `KH` by `KW` entries:
    /// `x.max_pool2d::<3, 3, _>(Win::new().stride::<2>().pad::<1>())`. What padding adds is never the
    /// largest.
    ///
    /// # Panics
    /// If a window lies in the padding alone; padding of at most half the window never does.
    max_pool2d __max_pool2d_vjp __max_pool2d_jvp Max;
    steps Steps2;
    axes h H KH [V::H], w W KW [V::W];

    /// The largest entry of each window of `KZ` by `KH` by `KW` entries.
    max_pool3d __max_pool3d_vjp __max_pool3d_jvp Max;
    steps Steps3;
    axes z Z KZ [V::D], h H KH [V::H], w W KW [V::W];

    /// The mean of each window of `K` entries; padding counts as zeros.
    avg_pool1d __avg_pool1d_vjp __avg_pool1d_jvp Mean;
    steps Step;
    axes l L KL [V];

    /// The mean of each window of `KH` by `KW` entries; padding counts as zeros.
    avg_pool2d __avg_pool2d_vjp __avg_pool2d_jvp Mean;
    steps Steps2;
    axes h H KH [V::H], w W KW [V::W];

    /// The mean of each window of `KZ` by `KH` by `KW` entries; padding counts as zeros.
    avg_pool3d __avg_pool3d_vjp __avg_pool3d_jvp Mean;
    steps Steps3;
    axes z Z KZ [V::D], h H KH [V::H], w W KW [V::W];
}

/// Pooling into a given number of parts along each axis.
macro_rules! adaptive {
    ($(
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident $Op:ident;
        axes $($A:ident $O:ident),+;
        parts $parts:expr;
    )*) => { $(
        impl<B: Dim, C: Dim, $($A: Dim,)+ T: Float, D: Images> Tensor<(B, C, $($A),+), T, D> {
            $(#[$doc])*
            #[track_caller]
            pub fn $name<$(const $O: usize),+>(&self) -> Tensor<(B, C, $(Sz<$O>),+), T, D> {
                let shape = (self.shape().0, self.shape().1, $(Sz::<$O>),+);
                Tensor::new(shape, self.raw().pool(PoolOp::$Op, Pool::Parts($parts)))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M0: Mode, $(const $O: usize),+>(
                &self,
                _: (M0,),
            ) -> (
                Tensor<(B, C, $(Sz<$O>),+), T, D>,
                impl FnOnce(Ct<Tensor<(B, C, $(Sz<$O>),+), T, D>>, &Self, &mut Adj<Self, M0>) + Clone + use<M0, B, C, $($A,)+ T, D, $($O),+>,
            ) {
                (self.$name::<$($O),+>(), move |ct, x, d| {
                    if M0::ON && let Some(ct) = ct.raw() {
                        let d_x = ct.pool_pullback(PoolOp::$Op, Pool::Parts($parts), x.raw());
                        d.acc(Tensor::new(x.shape(), d_x).into());
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $jvp<$(const $O: usize),+>(
                &self,
                t: &Self,
            ) -> (Tensor<(B, C, $(Sz<$O>),+), T, D>, Tensor<(B, C, $(Sz<$O>),+), T, D>) {
                let out = self.$name::<$($O),+>();
                let tangent = self.raw().pool_pushforward(PoolOp::$Op, Pool::Parts($parts), t.raw());
                let tangent = Tensor::new(out.shape(), tangent);
                (out, tangent)
            }
        }
    )* };
}

adaptive! {
    /// The largest entry of each of `OL` parts, as even as whole entries allow.
    adaptive_max_pool1d __adaptive_max_pool1d_vjp __adaptive_max_pool1d_jvp Max;
    axes L OL;
    parts [1, 1, OL];

    /// The largest entry of each of `OH` by `OW` parts, as even as whole entries allow.
    adaptive_max_pool2d __adaptive_max_pool2d_vjp __adaptive_max_pool2d_jvp Max;
    axes H OH, W OW;
    parts [1, OH, OW];

    /// The largest entry of each of `OZ` by `OH` by `OW` parts, as even as whole entries allow.
    adaptive_max_pool3d __adaptive_max_pool3d_vjp __adaptive_max_pool3d_jvp Max;
    axes Z OZ, H OH, W OW;
    parts [OZ, OH, OW];

    /// The mean of each of `OL` parts, as even as whole entries allow: part `i` of `n` entries goes from
    /// `⌊i·n/OL⌋` to `⌈(i+1)·n/OL⌉`.
    adaptive_avg_pool1d __adaptive_avg_pool1d_vjp __adaptive_avg_pool1d_jvp Mean;
    axes L OL;
    parts [1, 1, OL];

    /// The mean of each of `OH` by `OW` parts, as even as whole entries allow: part `i` of `n` entries goes
    /// from `⌊i·n/OH⌋` to `⌈(i+1)·n/OH⌉`.
    adaptive_avg_pool2d __adaptive_avg_pool2d_vjp __adaptive_avg_pool2d_jvp Mean;
    axes H OH, W OW;
    parts [1, OH, OW];

    /// The mean of each of `OZ` by `OH` by `OW` parts, as even as whole entries allow.
    adaptive_avg_pool3d __adaptive_avg_pool3d_vjp __adaptive_avg_pool3d_jvp Mean;
    axes Z OZ, H OH, W OW;
    parts [OZ, OH, OW];
}
