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

use crate::ad::{Extends, Scalar};

/// A constant argument as it is.
#[derive(Clone, Copy, Debug)]
pub struct Unlifted<'a, T: ?Sized>(pub &'a T);

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
