//! What stands in code over any scalar where the user wrote `f64`.

use super::TakenAs;
use crate::ad::{Acc, Batch, Differentiable, Dual, Scalar, Traced, Wit};
use core::cmp::Ordering;
use core::marker::PhantomData;
use core::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// A [`Scalar`] with all operators of `f64`.
pub trait Number:
    Scalar
    + RemAssign
    + TakenAs<f64>
    + TakenAs<Self>
    + for<'a> Add<&'a Self, Output = Self>
    + for<'a> Sub<&'a Self, Output = Self>
    + for<'a> Mul<&'a Self, Output = Self>
    + for<'a> Div<&'a Self, Output = Self>
    + for<'a> Rem<&'a Self, Output = Self>
    + for<'a> AddAssign<&'a Self>
    + for<'a> SubAssign<&'a Self>
    + for<'a> MulAssign<&'a Self>
    + for<'a> DivAssign<&'a Self>
    + for<'a> RemAssign<&'a Self>
{
}

/// A reference to a [`Number`], with the operators of `&f64`.
pub trait NumberRef<S>:
    Sized
    + Neg<Output = S>
    + Add<S, Output = S>
    + Sub<S, Output = S>
    + Mul<S, Output = S>
    + Div<S, Output = S>
    + Rem<S, Output = S>
    + for<'b> Add<&'b S, Output = S>
    + for<'b> Sub<&'b S, Output = S>
    + for<'b> Mul<&'b S, Output = S>
    + for<'b> Div<&'b S, Output = S>
    + for<'b> Rem<&'b S, Output = S>
{
}

impl Number for f32 {}
impl Number for f64 {}
impl<T: Scalar, const K: usize> Number for Dual<T, K> {}
impl<T: Scalar> Number for Traced<T> {}
impl<T: Scalar, const N: usize> Number for Batch<T, N> {}
impl NumberRef<f32> for &f32 {}
impl NumberRef<f64> for &f64 {}
impl<T: Scalar, const K: usize> NumberRef<Dual<T, K>> for &Dual<T, K> {}
impl<T: Scalar> NumberRef<Traced<T>> for &Traced<T> {}
impl<T: Scalar, const N: usize> NumberRef<Batch<T, N>> for &Batch<T, N> {}

macro_rules! has_no_tangents {
    ([$($generics:tt)*] $t:ty) => {
        impl<$($generics)*> Held for $t {
            type Out = Self;
            #[inline(always)]
            fn held(self) -> Self {
                self
            }
        }
    };
}

/// What `x as f64` is made from: an integer, or the scalar itself.
pub trait Float<S: Scalar>: Differentiable {
    /// The scalar.
    fn float(self) -> S;
    /// Adds to the cotangent of `self`.
    fn pull<D: Acc<Self>>(ct: &S, d: &mut D);
    /// The tangent of the scalar.
    fn push(t: &Self::Tangent) -> S;
}

impl<S: Scalar> Float<S> for S {
    #[inline(always)]
    fn float(self) -> S {
        self
    }
    #[inline(always)]
    fn pull<D: Acc<S>>(ct: &S, d: &mut D) {
        d.acc(*ct);
    }
    #[inline(always)]
    fn push(t: &S) -> S {
        *t
    }
}

macro_rules! integers {
    ($($t:ident)*) => { $(
        impl<S: Scalar> Float<S> for $t {
            #[inline(always)]
            fn float(self) -> S {
                S::lit(self as f64)
            }
            #[inline(always)]
            fn pull<D: Acc<$t>>(_: &S, _: &mut D) {}
            #[inline(always)]
            fn push((): &()) -> S {
                S::ZERO
            }
        }
    )* };
}

/// `x as f64` over the scalar `S`.
#[inline(always)]
pub fn float<S: Scalar, X: Float<S>>(x: X) -> S {
    x.float()
}

/// Derivatives of `x as f64` over the scalar `S`.
pub mod float_rule {
    use super::{Acc, Float, Scalar, Wit};

    /// Adds to the cotangent of `x`.
    #[inline(always)]
    pub fn pull<X: Float<S>, S: Scalar, D: Acc<X>>(_: &Wit<X>, _: &Wit<S>, ct: &S, d: &mut D) {
        X::pull(ct, d);
    }
    /// The tangent of the scalar.
    #[inline(always)]
    pub fn push<X: Float<S>, S: Scalar>(_: &X, _: &S, t: &X::Tangent) -> S {
        X::push(t)
    }
}

/// A value that code without derivatives reads, as in `x as usize`: of a scalar its number.
///
/// Method lookup decides: for scalars there is an inherent method, for all else that of [`PlainValue`].
#[derive(Debug)]
pub struct Plain<X>(pub X);

impl<S: Scalar> Plain<S> {
    /// The number.
    #[inline(always)]
    pub fn plain(self) -> f64 {
        self.0.to_f64()
    }
}

/// The method of [`Plain`] for what is no scalar.
pub trait PlainValue<X> {
    /// The value itself.
    fn plain(self) -> X;
}

impl<X> PlainValue<X> for Plain<X> {
    #[inline(always)]
    fn plain(self) -> X {
        self.0
    }
}

/// The type of a cast by a name of its own, `x as Real`, which may stand for a float or for something else.
#[derive(Debug)]
pub struct CastTo<T>(PhantomData<T>);

impl<T> CastTo<T> {
    /// This type.
    #[inline(always)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        CastTo(PhantomData)
    }
}

macro_rules! cast_to_floats {
    ($($t:ident)*) => { $(
        impl CastTo<$t> {
            /// The value as a scalar; `_plain` casts what is none.
            #[inline(always)]
            pub fn cast<S: Scalar, X: Float<S>>(self, x: X, _plain: impl FnOnce(X) -> $t) -> S {
                x.float()
            }
        }
    )* };
}
cast_to_floats!(f32 f64);

/// The method of [`CastTo`] for what is no float.
pub trait CastToOther<T> {
    /// What `plain` makes of the value.
    fn cast<S, X>(self, x: X, plain: impl FnOnce(X) -> T) -> T;
}

impl<T> CastToOther<T> for CastTo<T> {
    #[inline(always)]
    fn cast<S, X>(self, x: X, plain: impl FnOnce(X) -> T) -> T {
        plain(x)
    }
}

/// A value that can be held constant, also for derivatives of higher order.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be held constant in a function with `higher_order`",
    note = "`stop_gradient` and `no_grad!` take scalars, integers, tensors, arrays, `Vec`s, tuples and `Option`s of them, and types with `#[differentiable(higher_order)]` there"
)]
pub trait Held {
    /// The value; of a borrowed tensor a tensor.
    type Out;
    /// The value without tangents.
    fn held(self) -> Self::Out;
}

/// `stop_gradient` over any scalar: no derivative of any order passes.
#[inline(always)]
pub fn held<X: Held>(value: X) -> X::Out {
    value.held()
}

impl<S: Scalar> Held for S {
    type Out = S;
    #[inline(always)]
    fn held(self) -> S {
        S::lit(self.to_f64())
    }
}

with_integers!(integers);

macro_rules! plain {
    ($($t:tt)*) => { $( has_no_tangents!([] $t); )* };
}
with_discrete!(plain);
has_no_tangents!(['a] &'a str);

impl<X: Held> Held for Vec<X> {
    type Out = Vec<X::Out>;
    fn held(self) -> Self::Out {
        self.into_iter().map(X::held).collect()
    }
}

impl<X: Held> Held for Option<X> {
    type Out = Option<X::Out>;
    #[inline(always)]
    fn held(self) -> Self::Out {
        self.map(X::held)
    }
}

impl<X: Held, const N: usize> Held for [X; N] {
    type Out = [X::Out; N];
    #[inline(always)]
    fn held(self) -> Self::Out {
        self.map(X::held)
    }
}

macro_rules! tuples {
    ($($X:ident $i:tt),*) => {
        impl<$($X: Held),*> Held for ($($X,)*) {
            type Out = ($($X::Out,)*);
            #[inline(always)]
            fn held(self) -> Self::Out {
                ($(self.$i.held(),)*)
            }
        }
    };
}
tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5);
