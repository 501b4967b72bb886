//! Conversion of the element type: `cast`.
//!
//! Between floats the derivative is the conversion, and rounding counts as the identity; to and from
//! integers and masks there is none.

use crate::ad::{Acc, Adj, Ct, Differentiable, MixedBf16, MixedF16, Mode, NoGrad};
use crate::device::{Backend, Elem, Float};
use crate::shape::Shape;
use crate::tensor::Tensor;
use half::{bf16, f16};

impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
    /// Every element converted, as by `as`: `mask.cast::<f64>()` is 1 where `mask` is true. To
    /// `bool`, what is not 0 is true.
    #[track_caller]
    pub fn cast<U: Elem>(&self) -> Tensor<S, U, D> {
        Tensor::new(self.shape(), self.raw().cast())
    }
}

/// A conversion whose derivative is known.
pub trait Castable<U: Elem, S: Shape, D: Backend>: Elem
where
    Tensor<S, Self, D>: Differentiable,
    Tensor<S, U, D>: Differentiable,
{
    #[doc(hidden)]
    #[track_caller]
    fn pull<M: Mode>(ct: &Ct<Tensor<S, U, D>>, d: &mut Adj<Tensor<S, Self, D>, M>);
    #[doc(hidden)]
    #[track_caller]
    fn push(
        out: &Tensor<S, U, D>,
        t: &<Tensor<S, Self, D> as Differentiable>::Tangent,
    ) -> <Tensor<S, U, D> as Differentiable>::Tangent;
}

macro_rules! between_floats {
    ($($t:ident $u:ident;)*) => { $(
        impl<S: Shape, D: Backend> Castable<$u, S, D> for $t {
            #[track_caller]
            fn pull<M: Mode>(ct: &Ct<Tensor<S, $u, D>>, d: &mut Adj<Tensor<S, $t, D>, M>) {
                if M::ON && let Some(ct) = ct.get() {
                    d.acc(ct.cast::<$t>().into());
                }
            }
            #[track_caller]
            fn push(_: &Tensor<S, $u, D>, t: &Tensor<S, $t, D>) -> Tensor<S, $u, D> {
                t.cast()
            }
        }
    )* };
}
between_floats! {
    f32 f64; f64 f32;
    f32 MixedBf16; f64 MixedBf16; MixedBf16 f32; MixedBf16 f64;
    f32 MixedF16; f64 MixedF16; MixedF16 f32; MixedF16 f64;
    MixedBf16 MixedF16; MixedF16 MixedBf16;
}

/// No conversion.
impl<S: Shape, T: Float, D: Backend> Castable<T, S, D> for T {
    #[track_caller]
    fn pull<M: Mode>(ct: &Ct<Tensor<S, T, D>>, d: &mut Adj<Tensor<S, T, D>, M>) {
        if M::ON {
            d.acc(ct.clone());
        }
    }
    #[track_caller]
    fn push(_: &Tensor<S, T, D>, t: &Tensor<S, T, D>) -> Tensor<S, T, D> {
        t.clone()
    }
}

// The cotangents and tangents of `bf16` and `f16` are of `f32`.
macro_rules! with_halves {
    ($($t:ident $u:ident [$wide_t:ident $wide_u:ident];)*) => { $(
        impl<S: Shape, D: Backend> Castable<$u, S, D> for $t {
            #[track_caller]
            fn pull<M: Mode>(ct: &Ct<Tensor<S, $u, D>>, d: &mut Adj<Tensor<S, $t, D>, M>) {
                if M::ON && let Some(ct) = ct.get() {
                    d.acc(Some(ct.cast::<$wide_t>()).into());
                }
            }
            #[track_caller]
            fn push(_: &Tensor<S, $u, D>, t: &Tensor<S, $wide_t, D>) -> Tensor<S, $wide_u, D> {
                t.cast()
            }
        }
    )* };
}
with_halves! {
    f32 bf16 [f32 f32]; f64 bf16 [f64 f32]; bf16 f32 [f32 f32]; bf16 f64 [f32 f64];
    f32 f16 [f32 f32]; f64 f16 [f64 f32]; f16 f32 [f32 f32]; f16 f64 [f32 f64];
    bf16 f16 [f32 f32]; f16 bf16 [f32 f32]; bf16 bf16 [f32 f32]; f16 f16 [f32 f32];
    MixedBf16 bf16 [MixedBf16 f32]; bf16 MixedBf16 [f32 MixedBf16];
    MixedF16 f16 [MixedF16 f32]; f16 MixedF16 [f32 MixedF16];
}

macro_rules! discrete {
    ($($t:ident)*) => { $(
        discrete!(@from $t, [T: Float,] T);
        discrete!(@from $t, [] bf16 f16);
        discrete!(@to $t, [T: Float,] T);
        discrete!(@to $t, [] bf16 f16 i64 u32 u8 bool);
    )* };
    (@from $t:ident, [T: Float,] T) => {
        impl<S: Shape, T: Float, D: Backend> Castable<T, S, D> for $t {
            #[track_caller]
            fn pull<M: Mode>(_: &Ct<Tensor<S, T, D>>, _: &mut NoGrad) {}
            #[track_caller]
            fn push(out: &Tensor<S, T, D>, _: &()) -> Tensor<S, T, D> {
                out.zero_tangent()
            }
        }
    };
    (@from $t:ident, [] $($u:ident)*) => { $(
        impl<S: Shape, D: Backend> Castable<$u, S, D> for $t {
            #[track_caller]
            fn pull<M: Mode>(_: &Ct<Tensor<S, $u, D>>, _: &mut NoGrad) {}
            #[track_caller]
            fn push(out: &Tensor<S, $u, D>, _: &()) -> <Tensor<S, $u, D> as Differentiable>::Tangent {
                out.zero_tangent()
            }
        }
    )* };
    (@to $u:ident, [T: Float,] T) => {
        impl<S: Shape, T: Float, D: Backend> Castable<$u, S, D> for T {
            #[track_caller]
            fn pull<M: Mode>(_: &NoGrad, _: &mut Adj<Tensor<S, T, D>, M>) {}
            #[track_caller]
            fn push(_: &Tensor<S, $u, D>, _: &<Tensor<S, T, D> as Differentiable>::Tangent) {}
        }
    };
    (@to $u:ident, [] $($t:ident)*) => { $(
        impl<S: Shape, D: Backend> Castable<$u, S, D> for $t {
            #[track_caller]
            fn pull<M: Mode>(_: &NoGrad, _: &mut Adj<Tensor<S, $t, D>, M>) {}
            #[track_caller]
            fn push(_: &Tensor<S, $u, D>, _: &<Tensor<S, $t, D> as Differentiable>::Tangent) {}
        }
    )* };
}
discrete!(i64 u32 u8 bool);

impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D>
where
    Self: Differentiable,
{
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __cast_vjp<M: Mode, U: Elem>(
        &self,
        _: (M,),
    ) -> (
        Tensor<S, U, D>,
        impl FnOnce(Ct<Tensor<S, U, D>>, &Self, &mut Adj<Self, M>) + Clone + use<M, U, S, T, D>,
    )
    where
        T: Castable<U, S, D>,
        Tensor<S, U, D>: Differentiable,
    {
        (self.cast(), |ct, _, d| T::pull::<M>(&ct, d))
    }

    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    #[track_caller]
    pub fn __cast_jvp<U: Elem>(
        &self,
        t: &<Self as Differentiable>::Tangent,
    ) -> (
        Tensor<S, U, D>,
        <Tensor<S, U, D> as Differentiable>::Tangent,
    )
    where
        T: Castable<U, S, D>,
        Tensor<S, U, D>: Differentiable,
    {
        let out = self.cast();
        let t = T::push(&out, t);
        (out, t)
    }
}
