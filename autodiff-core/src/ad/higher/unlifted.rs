//! Constant arguments that are not written over another scalar.
//!
//! What a `#[constant]` slice holds has no tangents. Where a function reads single numbers of it only, its companions
//! over a scalar take the slice as it is, of numbers of any type `Base` that the scalar [`Extends`], and each number
//! becomes the scalar where it is read:
//!
//! ```text
//! points[i * d + j] * w[j]   →   ad::known::<AnyScalar, Base, _>(points[i * d + j]) * w[j]
//! labels[i] - margin         →   ad::known::<AnyScalar, Base, _>(labels[i]) - margin
//! ```
//!
//! In a product with a scalar ([`Times`], [`known_pull`]) its tangents of zero are not multiplied: `0 · x` is no zero for
//! the compiler.

use crate::ad::{Acc, Extends, Scalar};
use core::marker::PhantomData;
use core::ops::Mul;

/// A constant argument as it is.
#[derive(Debug)]
pub struct Unlifted<'a, T: ?Sized>(pub &'a T);

impl<T: ?Sized> Clone for Unlifted<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: ?Sized> Copy for Unlifted<'_, T> {}

/// What is read of a constant argument over `B`, as a value over `S`.
pub trait KnownOver<S, B> {
    /// The value over `S`.
    type Over;
    /// The value, whose numbers do not change.
    fn known(self) -> Self::Over;
}

impl<S: Extends<B>, B: Scalar> KnownOver<S, B> for B {
    type Over = S;
    #[inline(always)]
    fn known(self) -> S {
        S::constant(self)
    }
}

impl<S, B, X: KnownOver<S, B>, const N: usize> KnownOver<S, B> for [X; N] {
    type Over = [X::Over; N];
    #[inline(always)]
    fn known(self) -> Self::Over {
        self.map(X::known)
    }
}

macro_rules! themselves {
    ($($t:ident)*) => { $(
        impl<S, B> KnownOver<S, B> for $t {
            type Over = $t;
            #[inline(always)]
            fn known(self) -> $t {
                self
            }
        }
    )* };
}
with_integers!(themselves bool char);

macro_rules! tuples {
    ($($X:ident $i:tt),*) => {
        impl<S, B, $($X: KnownOver<S, B>),*> KnownOver<S, B> for ($($X,)*) {
            type Over = ($($X::Over,)*);
            #[inline(always)]
            fn known(self) -> Self::Over {
                ($(self.$i.known(),)*)
            }
        }
    };
}
tuples!(X0 0);
tuples!(X0 0, X1 1);
tuples!(X0 0, X1 1, X2 2);
tuples!(X0 0, X1 1, X2 2, X3 3);
tuples!(X0 0, X1 1, X2 2, X3 3, X4 4);
tuples!(X0 0, X1 1, X2 2, X3 3, X4 4, X5 5);

/// What is read of a constant argument.
#[inline(always)]
pub fn known<S, B, X: KnownOver<S, B>>(x: X) -> X::Over {
    x.known()
}

/// A product of what is read of a constant argument and a factor, which is a scalar or something else.
#[derive(Debug)]
pub struct Times<S, B, X, O> {
    known: X,
    other: O,
    over: PhantomData<(S, B)>,
}

impl<S, B, X, O> Times<S, B, X, O> {
    /// The two factors.
    #[inline(always)]
    pub fn of(known: X, other: O) -> Self {
        Times {
            known,
            other,
            over: PhantomData,
        }
    }
}

// Comes before the trait, whose methods have the same names.
impl<S: Extends<B>, B: Scalar> Times<S, B, B, S> {
    /// The product, with the number on the left.
    #[inline(always)]
    pub fn times_left(self) -> S {
        self.other.times(self.known)
    }
    /// The product, with the number on the right.
    #[inline(always)]
    pub fn times_right(self) -> S {
        self.other.times(self.known)
    }
}

/// Products of integers, and with factors that are no scalars.
pub trait TimesLeft {
    /// The product.
    type Product;
    /// The product, with what is known on the left.
    fn times_left(self) -> Self::Product;
}

impl<S, B, X: KnownOver<S, B, Over: Mul<O>>, O> TimesLeft for Times<S, B, X, O> {
    type Product = <X::Over as Mul<O>>::Output;
    #[inline(always)]
    fn times_left(self) -> Self::Product {
        self.known.known() * self.other
    }
}

/// The same with what is known on the right.
pub trait TimesRight {
    /// The product.
    type Product;
    /// The product, with what is known on the right.
    fn times_right(self) -> Self::Product;
}

impl<S, B, X: KnownOver<S, B>, O: Mul<X::Over>> TimesRight for Times<S, B, X, O> {
    type Product = <O as Mul<X::Over>>::Output;
    #[inline(always)]
    fn times_right(self) -> Self::Product {
        self.other * self.known.known()
    }
}

/// The pullback of a product with a number that is known, by the other factor.
#[inline(always)]
pub fn known_pull<S: Extends<B>, B: Scalar, D: Acc<S>>(known: B, ct: &S, d: &mut D) {
    d.acc(ct.times(known));
}
