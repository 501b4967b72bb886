//! Queries without a derivative: lengths, shapes, comparisons.

use core::cmp::Ordering;
use core::num::FpCategory;

/// A type that carries no derivative.
///
/// The macro takes methods such as `len`, `shape` or `argmax` for queries whatever they are called
/// on; this bound on their result makes sure that no derivative is lost. `()` is none: what gives nothing changes its receiver.
#[diagnostic::on_unimplemented(
    message = "this method has the name of a query without a derivative, but gives `{Self}`, as no query does",
    label = "the derivative would be lost",
    note = "give the method another name, or wrap the call in `no_grad!`"
)]
pub trait NoDerivative {}

/// A query's result, as it is.
#[inline(always)]
pub fn query<T: NoDerivative>(result: T) -> T {
    result
}

/// A part of a value that may carry a derivative, which itself carries none: the positions of `topk`.
#[inline(always)]
pub fn plain<T: NoDerivative + Clone>(part: &T) -> T {
    part.clone()
}

macro_rules! no_derivative {
    ($($t:tt)*) => { $(impl NoDerivative for $t {})* };
}
with_integers!(no_derivative bool char str String Ordering FpCategory);

impl<T: NoDerivative + ?Sized> NoDerivative for &T {}
impl<T: NoDerivative> NoDerivative for [T] {}
impl<T: NoDerivative> NoDerivative for Vec<T> {}
impl<T: NoDerivative> NoDerivative for Option<T> {}
impl<T: NoDerivative, E: NoDerivative> NoDerivative for Result<T, E> {}
impl<T: NoDerivative, const N: usize> NoDerivative for [T; N] {}

macro_rules! tuples {
    ($($t:ident)*) => { impl<$($t: NoDerivative),*> NoDerivative for ($($t,)*) {} };
}
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);

/// A type whose rounding (`floor`, `round`, `signum`, …) is piecewise constant.
#[diagnostic::on_unimplemented(
    message = "this method has the name of a rounding, whose derivative is zero, but it is a method of `{Self}`",
    label = "the derivative would be lost",
    note = "give the method another name, or wrap the call in `no_grad!`"
)]
pub trait Rounded {}

impl Rounded for f32 {}
impl Rounded for f64 {}

macro_rules! rounded_integers {
    ($($t:ident)*) => { $(impl Rounded for $t {})* };
}
with_integers!(rounded_integers);
impl<T: Rounded + ?Sized> Rounded for &T {}

/// Checks that rounding the value has the derivative zero.
#[inline(always)]
pub fn rounded<T: Rounded>(_: &T) {}
