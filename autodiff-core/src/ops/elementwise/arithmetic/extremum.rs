//! `maximum`, `minimum`: the larger and the smaller of two tensors, element by element; `pow`.
//!
//! Ties share the cotangent half and half; a NaN loses against a number, as with `f64::max`.

use super::rule::give;
use crate::ad::{Adj, Ct, Mode};
use crate::device::{Backend, BinaryOp, Float, Side};
use crate::ops::OrPanic;
use crate::shape::{Broadcast, Paired, Shape};
use crate::tensor::{Raw, Tensor};

macro_rules! extremum {
    ($($(#[$doc:meta])* $name:ident, $vjp:ident, $jvp:ident: $Op:ident;)*) => { $(
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            $(#[$doc])*
            ///
            /// # Panics
            /// If run-time dimensions of one name have different sizes.
            #[track_caller]
            pub fn $name<R: Shape>(&self, other: &Tensor<R, T, D>) -> Tensor<<S as Broadcast<R>>::Joint, T, D>
            where
                S: Broadcast<R>,
                <S as Broadcast<R>>::Pairs: Paired<S, R>,
            {
                super::zip(BinaryOp::$Op, self.clone(), other.clone())
                    .or_panic(stringify!($name))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<M0: Mode, M1: Mode, R: Shape>(
                &self,
                _: (M0, M1),
                other: &Tensor<R, T, D>,
            ) -> (
                Tensor<<S as Broadcast<R>>::Joint, T, D>,
                impl FnOnce(
                    Ct<Tensor<<S as Broadcast<R>>::Joint, T, D>>,
                    &Self,
                    &Tensor<R, T, D>,
                    &mut Adj<Self, M0>,
                    &mut Adj<Tensor<R, T, D>, M1>,
                ) + Clone + use<M0, M1, S, R, T, D>,
            )
            where
                S: Broadcast<R>,
                <S as Broadcast<R>>::Pairs: Paired<S, R>,
            {
                (self.$name(other), move |ct, a, b, d_a, d_b| {
                    let Some(ct) = ct.raw() else { return };
                    let pull = |side| Raw::binary_pullback(BinaryOp::$Op, side, a.raw(), b.raw(), ct.clone());
                    if M0::ON {
                        give(a.shape(), pull(Side::Left), d_a);
                    }
                    if M1::ON {
                        give(b.shape(), pull(Side::Right), d_b);
                    }
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $jvp<R: Shape>(
                &self,
                t: &Self,
                other: &Tensor<R, T, D>,
                t_other: &Tensor<R, T, D>,
            ) -> (Tensor<<S as Broadcast<R>>::Joint, T, D>, Tensor<<S as Broadcast<R>>::Joint, T, D>)
            where
                S: Broadcast<R>,
                <S as Broadcast<R>>::Pairs: Paired<S, R>,
            {
                let out = self.$name(other);
                let push = |side, t: Raw<T, D>| {
                    Raw::binary_pullback(BinaryOp::$Op, side, self.raw(), other.raw(), t.expand(out.dims()))
                };
                let mut tangent = push(Side::Left, t.raw().clone());
                tangent.add_assign(&push(Side::Right, t_other.raw().clone()));
                let tangent = Tensor::new(out.shape(), tangent);
                (out, tangent)
            }
        }
    )* };
}
extremum! {
    /// The larger of two elements at each position.
    maximum, __maximum_vjp, __maximum_jvp: Max;
    /// The smaller of two elements at each position.
    minimum, __minimum_vjp, __minimum_jvp: Min;
    /// The elements of one tensor to the powers of another: `x.pow(&y)`. Derivatives as those of
    /// [`powf`](Tensor::powf): 0 by `x` where `y` is 0, 0 by `y` where `x` is 0 and `y` is not negative.
    pow, __pow_vjp, __pow_jvp: Powf;
}
