//! What the unknown of an equation can be: numbers in one of the usual arrangements.

use crate::ad::{Argument, Ct, Differentiable, Mode, On};
use core::slice;

/// The unknown of an equation: `f64`, `[f64; N]`, `[[f64; M]; N]`, and `&[f64]`, `&[[f64; M]]` or `Vec`s of
/// these, whose length is known at run time.
///
/// A function takes the state by reference, as `&Self`, and returns it owned: `&[f64]` and `Vec<f64>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the state of an equation",
    label = "not `f64`, an array, a slice or a `Vec` of `f64`",
    note = "put the parts of a struct into an array: `[position, speed]`"
)]
pub trait State: Argument + sealed::Sealed {
    /// The owned form.
    type Owned: Differentiable<Tangent = Self::Owned> + Clone + core::fmt::Debug;
    /// A copy.
    #[doc(hidden)]
    fn owned(&self) -> Self::Owned;
    /// The form in which functions take it.
    #[doc(hidden)]
    fn lend(owned: &Self::Owned) -> &Self;
    /// Its numbers, one after the other.
    #[doc(hidden)]
    fn numbers(owned: &Self::Owned) -> &[f64];
    /// The same, to be changed.
    #[doc(hidden)]
    fn numbers_mut(owned: &mut Self::Owned) -> &mut [f64];
    /// A tangent as a cotangent.
    #[doc(hidden)]
    fn ct(owned: Self::Owned) -> Ct<Self::Owned>;
    /// A cotangent as a tangent.
    #[doc(hidden)]
    fn from_ct(ct: Ct<Self::Owned>) -> Self::Owned;
    /// A tangent as an accumulator.
    #[doc(hidden)]
    fn accumulator(owned: &mut Self::Owned) -> &mut Self::Acc<On>;
    /// The numbers of an accumulator.
    #[doc(hidden)]
    fn accumulated(acc: &mut Self::Acc<On>) -> &mut [f64];
    /// A tangent as functions take it.
    #[doc(hidden)]
    fn direction(owned: &Self::Owned) -> &Self::Direction;
    /// A tangent as functions take it, owned.
    #[doc(hidden)]
    fn along(direction: &Self::Direction) -> Self::Owned;

    /// Adds to an accumulator.
    #[doc(hidden)]
    #[inline]
    fn add_to<M: Mode>(&self, acc: &mut Self::Acc<M>, tangent: &Self::Owned) {
        if M::ON {
            self.with::<M>(acc, |acc| {
                let entries = Self::accumulated(acc).iter_mut();
                entries
                    .zip(Self::numbers(tangent))
                    .for_each(|(d, t)| *d += t);
            });
        }
    }
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! state {
    ($([$($generics:tt)*] $t:ty, $owned:ty: |$x:ident| $flat:expr, $flat_mut:expr, $copy:expr;)*) => { $(
        impl<$($generics)*> sealed::Sealed for $t {}
        impl<$($generics)*> State for $t {
            type Owned = $owned;
            #[inline(always)]
            fn owned(&self) -> $owned { let $x = self; $copy }
            #[inline(always)]
            fn lend(owned: &$owned) -> &Self { owned }
            #[inline(always)]
            fn numbers($x: &$owned) -> &[f64] { $flat }
            #[inline(always)]
            fn numbers_mut($x: &mut $owned) -> &mut [f64] { $flat_mut }
            #[inline(always)]
            fn ct(owned: $owned) -> $owned { owned }
            #[inline(always)]
            fn from_ct(ct: $owned) -> $owned { ct }
            #[inline(always)]
            fn accumulator(owned: &mut $owned) -> &mut Self { owned }
            #[inline(always)]
            fn accumulated($x: &mut Self) -> &mut [f64] { $flat_mut }
            #[inline(always)]
            fn direction(owned: &$owned) -> &Self { owned }
            #[inline(always)]
            fn along($x: &Self) -> $owned { $copy }
        }
    )* };
}

state! {
    [] f64, f64: |x| slice::from_ref(x), slice::from_mut(x), *x;
    [const N: usize] [f64; N], [f64; N]: |x| x, x, *x;
    [const N: usize, const M: usize] [[f64; M]; N], [[f64; M]; N]: |x| x.as_flattened(), x.as_flattened_mut(), *x;
    [] [f64], Vec<f64>: |x| x, x, x.to_vec();
    [] Vec<f64>, Vec<f64>: |x| x, x, x.to_vec();
    [const M: usize] [[f64; M]], Vec<[f64; M]>: |x| x.as_flattened(), x.as_flattened_mut(), x.to_vec();
    [const M: usize] Vec<[f64; M]>, Vec<[f64; M]>: |x| x.as_flattened(), x.as_flattened_mut(), x.to_vec();
}

/// A state of zeros like this one.
#[inline]
pub(crate) fn zero<Y: State + ?Sized>(like: &Y::Owned) -> Y::Owned {
    let mut zero = like.clone();
    Y::numbers_mut(&mut zero).fill(0.0);
    zero
}

/// `y += factor · x`
#[inline(always)]
pub(crate) fn add<Y: State + ?Sized>(y: &mut Y::Owned, factor: f64, x: &Y::Owned) {
    let y = Y::numbers_mut(y).iter_mut();
    y.zip(Y::numbers(x)).for_each(|(y, x)| *y += factor * x);
}

/// The inner product.
#[inline(always)]
pub(crate) fn dot<Y: State + ?Sized>(x: &Y::Owned, y: &Y::Owned) -> f64 {
    let pairs = Y::numbers(x).iter().zip(Y::numbers(y));
    pairs.map(|(x, y)| x * y).sum()
}

/// Whether every number is zero: there is nothing to pull back.
#[inline(always)]
pub(crate) fn is_zero<Y: State + ?Sized>(x: &Y::Owned) -> bool {
    Y::numbers(x).iter().all(|x| *x == 0.0)
}

/// Whether no number is NaN or infinite.
#[inline(always)]
pub(crate) fn is_finite<Y: State + ?Sized>(x: &Y::Owned) -> bool {
    Y::numbers(x).iter().all(|x| x.is_finite())
}

/// The largest absolute value; NaN if there is one.
pub(crate) fn largest(x: &[f64]) -> f64 {
    let pick = |m: f64, x: &f64| {
        if x.abs() > m || x.is_nan() {
            x.abs()
        } else {
            m
        }
    };
    x.iter().fold(0.0, pick)
}
