//! Functions of two tensors that scalars have too: `atan2 hypot %`. The second operand may lack leading
//! dimensions of the first.
//!
//! | function | left | right |
//! |---|---|---|
//! | `atan2(a, b)` | `b/(a² + b²)` | `−a/(a² + b²)` |
//! | `hypot(a, b)` | `a/hypot`, 0 at the origin | `b/hypot`, 0 at the origin |
//! | `a % b` | 1 | `−trunc(a/b)` |

use super::rule::give;
use super::zip;
use crate::ad::{Acc, Atan2Rule, Ct, HypotRule, RemRule};
use crate::device::{Backend, BinaryOp, Float, Side};
use crate::ops::OrPanic;
use crate::shape::{Broadcast, Paired, Shape};
use crate::tensor::{Raw, Tensor};
use core::ops::Rem;

/// The rule of an operation whose result has the shape of the first operand.
macro_rules! rules {
    ($($Rule:ident $Op:ident;)*) => { $(
        impl<S, R: Shape, T: Float, D: Backend> $Rule<Tensor<R, T, D>> for Tensor<S, T, D>
        where
            S: Shape + Broadcast<R, Joint = S>,
            <S as Broadcast<R>>::Pairs: Paired<S, R>,
        {
            #[track_caller]
            fn pull_l<A: Acc<Self>>(a: &Self, b: &Tensor<R, T, D>, _: &Self, ct: &Ct<Self>, d: &mut A) {
                if A::ON && let Some(ct) = ct.raw() {
                    give(a.shape(), Raw::binary_pullback(BinaryOp::$Op, Side::Left, a.raw(), b.raw(), ct.clone()), d);
                }
            }
            #[track_caller]
            fn pull_r<A: Acc<Tensor<R, T, D>>>(a: &Self, b: &Tensor<R, T, D>, _: &Self, ct: &Ct<Self>, d: &mut A) {
                if A::ON && let Some(ct) = ct.raw() {
                    give(b.shape(), Raw::binary_pullback(BinaryOp::$Op, Side::Right, a.raw(), b.raw(), ct.clone()), d);
                }
            }
            #[track_caller]
            fn push_l(a: &Self, b: &Tensor<R, T, D>, _: &Self, t: &Self) -> Self {
                let t = t.raw().clone();
                Tensor::new(a.shape(), Raw::binary_pullback(BinaryOp::$Op, Side::Left, a.raw(), b.raw(), t))
            }
            #[track_caller]
            fn push_r(a: &Self, b: &Tensor<R, T, D>, _: &Self, t: &Tensor<R, T, D>) -> Self {
                let t = t.raw().expand(a.dims());
                Tensor::new(a.shape(), Raw::binary_pullback(BinaryOp::$Op, Side::Right, a.raw(), b.raw(), t))
            }
        }
    )* };
}

rules! {
    Atan2Rule Atan2;
    HypotRule Hypot;
    RemRule Rem;
}

macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident $Op:ident;)*) => {
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> { $(
            $(#[$doc])*
            ///
            /// # Panics
            /// If run-time dimensions of one name have different sizes.
            #[track_caller]
            pub fn $name<R: Shape>(&self, other: &Tensor<R, T, D>) -> Self
            where
                S: Broadcast<R, Joint = S>,
                <S as Broadcast<R>>::Pairs: Paired<S, R>,
            {
                zip(BinaryOp::$Op, self.clone(), other.clone()).or_panic(stringify!($name))
            }
        )* }
    };
}

methods! {
    /// The angles of the points `(other, self)`, from −π to π; NaN derivatives at the origin.
    atan2 Atan2;
    /// `√(self² + other²)` without overflow.
    hypot Hypot;
}

macro_rules! remainder {
    ($($A:ty, $B:ty;)*) => { $(
        /// The remainder of the division rounded towards zero: it has the sign of the left operand.
        impl<S, R: Shape, T: Float, D: Backend> Rem<$B> for $A
        where
            S: Shape + Broadcast<R, Joint = S>,
            <S as Broadcast<R>>::Pairs: Paired<S, R>,
        {
            type Output = Tensor<S, T, D>;
            #[track_caller]
            fn rem(self, b: $B) -> Self::Output {
                zip(BinaryOp::Rem, self.clone(), b.clone()).or_panic("%")
            }
        }
    )* };
}
remainder! {
    Tensor<S, T, D>, Tensor<R, T, D>;
    Tensor<S, T, D>, &Tensor<R, T, D>;
    &Tensor<S, T, D>, Tensor<R, T, D>;
    &Tensor<S, T, D>, &Tensor<R, T, D>;
}

impl<S: Shape, T: Float, D: Backend> Rem<T> for Tensor<S, T, D> {
    type Output = Self;
    #[track_caller]
    fn rem(self, b: T) -> Self {
        let shape = self.shape();
        Tensor::new(shape, self.into_raw().binary_scalar(BinaryOp::Rem, b))
    }
}

impl<S: Shape, T: Float, D: Backend> Rem<T> for &Tensor<S, T, D> {
    type Output = Tensor<S, T, D>;
    #[track_caller]
    fn rem(self, b: T) -> Tensor<S, T, D> {
        self.clone() % b
    }
}

impl<S: Shape, T: Float, D: Backend> RemRule<T> for Tensor<S, T, D> {
    #[track_caller]
    fn pull_l<A: Acc<Self>>(_: &Self, _: &T, _: &Self, ct: &Ct<Self>, d: &mut A) {
        d.acc(ct.clone());
    }
    #[track_caller]
    fn pull_r<A: Acc<T>>(a: &Self, b: &T, _: &Self, ct: &Ct<Self>, d: &mut A) {
        if A::ON
            && let Some(ct) = ct.raw()
        {
            d.acc(by_divisor(a, *b, ct.clone()).cotangent_of_number());
        }
    }
    #[track_caller]
    fn push_l(_: &Self, _: &T, _: &Self, t: &Self) -> Self {
        t.clone()
    }
    #[track_caller]
    fn push_r(a: &Self, b: &T, _: &Self, t: &T) -> Self {
        let t = Raw::full(a.device(), a.dims(), *t);
        Tensor::new(a.shape(), by_divisor(a, *b, t))
    }
}

/// `t · ∂(a % b)/∂b`.
#[track_caller]
fn by_divisor<S: Shape, T: Float, D: Backend>(
    a: &Tensor<S, T, D>,
    b: T,
    t: Raw<T, D>,
) -> Raw<T, D> {
    let b = Raw::scalar(a.device(), b).expand(a.dims());
    Raw::binary_pullback(BinaryOp::Rem, Side::Right, a.raw(), &b, t)
}
