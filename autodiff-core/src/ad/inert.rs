//! Values of any type that carry no derivative: constants need no trait.
//!
//! A caller does not see whether a parameter is `#[constant]`. Of an argument whose derivative it does not follow it
//! passes on what the argument's type has for that, if it implements [`Differentiable`], and else a mark without size:
//! method lookup on [`Anything`] finds out which. A parameter that is `#[constant]` takes either ([`Unread`]).

use super::{Adj, Differentiable, NoGrad, Off, RoomIn, Unfollowed};
use core::ops::{Deref, DerefMut};

/// What a `#[constant]` parameter has in the place of an accumulator: anything, since nothing reads it.
#[doc(hidden)]
pub trait Unread {}
impl<T> Unread for T {}

/// A reference to an argument without a derivative, whose type need not have a derivative either.
#[doc(hidden)]
#[derive(Debug)]
pub struct Anything<R>(pub R);

macro_rules! passed {
    ($name:ident, $passed:ty, $value:expr) => {
        #[doc(hidden)]
        pub trait $name<'a> {
            type Value: Differentiable + ?Sized + 'a;
            /// Its accumulator.
            fn no_adj(&self) -> Adj<Self::Value, Off>;
            /// That of a constant that is lent to a call, which may change it.
            fn unfollowed(&self) -> Adj<Self::Value, Unfollowed>;
            /// The accumulator of a field that is constant; nothing of others.
            fn room<M: RoomIn>(&self, mode: M) -> M::Room<Self::Value>;
            /// Its tangent.
            fn no_tangent(&self) -> <Self::Value as Differentiable>::Tangent;
            /// The argument, as one reference.
            fn value(&self) -> &'a Self::Value;
        }
        impl<'a, 'b, T: Differentiable + ?Sized> $name<'a> for $passed {
            type Value = T;
            #[inline(always)]
            fn no_adj(&self) -> Adj<T, Off> {
                self.value().zero_adj(Off)
            }
            #[inline(always)]
            fn unfollowed(&self) -> Adj<T, Unfollowed> {
                self.value().zero_adj(Unfollowed)
            }
            #[inline(always)]
            fn room<M: RoomIn>(&self, mode: M) -> M::Room<T> {
                mode.room(self.value())
            }
            #[inline(always)]
            fn no_tangent(&self) -> T::Tangent {
                self.value().zero_tangent()
            }
            #[inline(always)]
            fn value(&self) -> &'a T {
                let of: fn(&Self) -> &'a T = $value;
                of(self)
            }
        }
    };
}

passed!(PassedValue, &&Anything<&'a T>, |p| p.0);
passed!(PassedReference, &Anything<&'b &'a T>, |p| p.0);

/// The methods of [`Anything`] for types without a derivative.
#[doc(hidden)]
pub trait PassedOther<R> {
    /// A mark.
    fn no_adj(&self) -> NoGrad;
    /// A mark.
    fn unfollowed(&self) -> NoGrad;
    /// A mark, or nothing.
    fn room<M: RoomIn>(&self, mode: M) -> M::Other;
    /// A mark.
    fn no_tangent(&self);
    /// The argument.
    fn value(&self) -> R;
}

impl<R: Copy> PassedOther<R> for Anything<R> {
    #[inline(always)]
    fn no_adj(&self) -> NoGrad {
        NoGrad
    }
    #[inline(always)]
    fn unfollowed(&self) -> NoGrad {
        NoGrad
    }
    #[inline(always)]
    fn room<M: RoomIn>(&self, mode: M) -> M::Other {
        mode.other()
    }
    #[inline(always)]
    fn no_tangent(&self) {}
    #[inline(always)]
    fn value(&self) -> R {
        self.0
    }
}

/// A value of any type, as one without a derivative: where a type that implements [`Differentiable`] is asked for, and
/// what you have comes from elsewhere.
///
/// `#[constant]` parameters and fields take values of any type as they are. Of a parameter whose type is generic, of an
/// entry of a `Vec` beside active ones, and of a constant of a function given to `check_grads`, the type has to say that
/// it has no derivative:
///
/// ```
/// # use autodiff_core::ad::{Differentiable, Inert};
/// struct Table { rows: Vec<String> }
/// fn takes<T: Differentiable>(_: &T) {}
/// let table = Inert(Table { rows: vec!["a".into()] });
/// takes(&table);
/// assert_eq!(table.rows.len(), 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inert<T>(pub T);

impl<T> From<T> for Inert<T> {
    fn from(value: T) -> Self {
        Inert(value)
    }
}

impl<T> Deref for Inert<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Inert<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
