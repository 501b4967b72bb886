//! What the unknown of an equation can be: numbers in one of the usual arrangements.

use crate::ad::{Argument, Ct, Differentiable, Mode, On, Scalar};
use core::slice;

/// The unknown of an equation: `f64`, `[f64; N]`, `[[f64; M]; N]`, and `&[f64]`, `&[[f64; M]]` or `Vec`s of
/// these, whose length is known at run time.
///
/// A function takes the state by reference, as `&Self`, and returns it owned: `&[f64]` and `Vec<f64>`. For derivatives
/// of higher order the numbers are scalars `S` with tangents.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the state of an equation",
    label = "not `f64`, an array, a slice or a `Vec` of `f64`",
    note = "put the parts of a struct into an array: `[position, speed]`"
)]
pub trait State<S: Scalar = f64>: Argument + sealed::Sealed<S> {
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
    fn numbers(owned: &Self::Owned) -> &[S];
    /// The same, to be changed.
    #[doc(hidden)]
    fn numbers_mut(owned: &mut Self::Owned) -> &mut [S];
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
    fn accumulated(acc: &mut Self::Acc<On>) -> &mut [S];
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
                    .for_each(|(d, t)| *d += *t);
            });
        }
    }
}

mod sealed {
    pub trait Sealed<S> {}
}

macro_rules! state {
    ($([$($generics:tt)*] $t:ty, $owned:ty: |$x:ident| $flat:expr, $flat_mut:expr, $copy:expr;)*) => { $(
        impl<S: Scalar $($generics)*> sealed::Sealed<S> for $t {}
        impl<S: Scalar $($generics)*> State<S> for $t {
            type Owned = $owned;
            #[inline(always)]
            fn owned(&self) -> $owned { let $x = self; $copy }
            #[inline(always)]
            fn lend(owned: &$owned) -> &Self { owned }
            #[inline(always)]
            fn numbers($x: &$owned) -> &[S] { $flat }
            #[inline(always)]
            fn numbers_mut($x: &mut $owned) -> &mut [S] { $flat_mut }
            #[inline(always)]
            fn ct(owned: $owned) -> $owned { owned }
            #[inline(always)]
            fn from_ct(ct: $owned) -> $owned { ct }
            #[inline(always)]
            fn accumulator(owned: &mut $owned) -> &mut Self { owned }
            #[inline(always)]
            fn accumulated($x: &mut Self) -> &mut [S] { $flat_mut }
            #[inline(always)]
            fn direction(owned: &$owned) -> &Self { owned }
            #[inline(always)]
            fn along($x: &Self) -> $owned { $copy }
        }
    )* };
}

state! {
    [] S, S: |x| slice::from_ref(x), slice::from_mut(x), *x;
    [, const N: usize] [S; N], [S; N]: |x| x, x, *x;
    [, const N: usize, const M: usize] [[S; M]; N], [[S; M]; N]: |x| x.as_flattened(), x.as_flattened_mut(), *x;
    [] [S], Vec<S>: |x| x, x, x.to_vec();
    [] Vec<S>, Vec<S>: |x| x, x, x.to_vec();
    [, const M: usize] [[S; M]], Vec<[S; M]>: |x| x.as_flattened(), x.as_flattened_mut(), x.to_vec();
    [, const M: usize] Vec<[S; M]>, Vec<[S; M]>: |x| x.as_flattened(), x.as_flattened_mut(), x.to_vec();
}

/// A state of zeros like this one.
#[inline]
pub(crate) fn zero<S: Scalar, Y: State<S> + ?Sized>(like: &Y::Owned) -> Y::Owned {
    let mut zero = like.clone();
    Y::numbers_mut(&mut zero).fill(S::ZERO);
    zero
}

/// `y += factor · x`
#[inline(always)]
pub(crate) fn add<S: Scalar, Y: State<S> + ?Sized>(y: &mut Y::Owned, factor: S, x: &Y::Owned) {
    let y = Y::numbers_mut(y).iter_mut();
    let value = factor.to_f64();
    // A step rarely has tangents: the products with them are left out.
    if S::LAYERS > 0 && (factor - S::lit(value)).is_zero() {
        y.zip(Y::numbers(x)).for_each(|(y, x)| *y += x.scale(value));
    } else {
        y.zip(Y::numbers(x)).for_each(|(y, x)| *y += factor * *x);
    }
}

/// The inner product.
#[inline(always)]
pub(crate) fn dot<S: Scalar, Y: State<S> + ?Sized>(x: &Y::Owned, y: &Y::Owned) -> S {
    let pairs = Y::numbers(x).iter().zip(Y::numbers(y));
    pairs.map(|(x, y)| *x * *y).sum()
}

/// Whether every number is zero, with all its tangents: there is nothing to pull back.
#[inline(always)]
pub(crate) fn is_zero<S: Scalar, Y: State<S> + ?Sized>(x: &Y::Owned) -> bool {
    Y::numbers(x).iter().all(|x| x.is_zero())
}

/// Whether no number is NaN or infinite.
#[inline(always)]
pub(crate) fn is_finite<S: Scalar, Y: State<S> + ?Sized>(x: &Y::Owned) -> bool {
    Y::numbers(x).iter().all(|x| x.is_finite())
}

/// The largest absolute value; NaN if there is one.
pub(crate) fn largest<S: Scalar>(x: &[S]) -> f64 {
    let pick = |m: f64, x: &S| {
        let x = x.to_f64().abs();
        if x > m || x.is_nan() { x } else { m }
    };
    x.iter().fold(0.0, pick)
}
