//! From a type whose numbers are fixed to the same type over another scalar.

use crate::ad::Scalar;
use core::cmp::Ordering;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// A type with its floats exchanged for `S`: [`Type`](Self::Type) of `Vec<f64>` is `Vec<S>`.
///
/// Code over any scalar names types by it that are written without their scalar: structs with
/// `#[differentiable(higher_order)]`, whose `Type` is a struct of the same fields over `S`, enums without
/// fields, which stay as they are, and aliases.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written over another scalar, as derivatives of higher order need it",
    label = "its numbers have a fixed type",
    note = "write `#[differentiable(higher_order)]` below its `#[derive(Differentiable)]`, or make it generic over its scalar, `struct Body<T> {{ mass: T }}`, and take a `Body<f64>`"
)]
pub trait WithScalar<S: Scalar> {
    /// The type over `S`.
    type Type;
}

// For all scalars at once the message about a struct would be that it is no scalar.
impl<S: Scalar> WithScalar<S> for f32 {
    type Type = S;
}
impl<S: Scalar> WithScalar<S> for f64 {
    type Type = S;
}

macro_rules! discrete {
    ($($t:tt)*) => { $(
        impl<S: Scalar> WithScalar<S> for $t {
            type Type = $t;
        }
    )* };
}
with_discrete!(discrete);

impl<S: Scalar, T: WithScalar<S>> WithScalar<S> for Vec<T> {
    type Type = Vec<T::Type>;
}

impl<S: Scalar, T: WithScalar<S>, const N: usize> WithScalar<S> for [T; N] {
    type Type = [T::Type; N];
}

impl<S: Scalar, T: WithScalar<S>> WithScalar<S> for Option<T> {
    type Type = Option<T::Type>;
}

impl<S: Scalar, T: WithScalar<S>, E> WithScalar<S> for Result<T, E> {
    type Type = Result<T::Type, E>;
}

macro_rules! tuples {
    ($($T:ident),*) => {
        impl<S: Scalar, $($T: WithScalar<S>),*> WithScalar<S> for ($($T,)*) {
            type Type = ($($T::Type,)*);
        }
    };
}
tuples!(A);
tuples!(A, B);
tuples!(A, B, C);
tuples!(A, B, C, D);
tuples!(A, B, C, D, E);
tuples!(A, B, C, D, E, G);

/// Types that depend on a scalar by name only: a field of one beside it.
pub trait Beside {
    /// The type itself.
    type Same<T>;
}

impl<S: ?Sized> Beside for S {
    type Same<T> = T;
}
