//! Constants of any type in code over any scalar: plain structs and enums, maps, text, tables of tuples.
//!
//! Such an argument stays as it is, unless its type can be written over the scalar ([`Has`], [`OverOrNot`]). A number
//! that is read from one becomes a scalar without tangents where it is read, and what can be written over the scalar
//! becomes that where it is passed on; of all else method lookup finds out that it stays:
//!
//! ```text
//! c.strike * x           →   (&&&&&&&ad::Open::<S, _>::of(&c.strike)).over() * x
//! price(x, &c.market)    →   price(x, (&&&&&&&ad::Open::<S, _>::of(&&c.market)).pass().give())
//! c.find("a").rate()     →   (&&&ad::OpenValue::<S, _>::of(c.find("a").rate())).over()
//! ```

use super::native::{Lent, Owned};
use super::over::Choice;
use super::recast::{Recast, ToScalars};
use super::unlifted::Unlifted;
use super::with_scalar::WithScalar;
use crate::ad::{Differentiable, Extends, Lift, Scalar};
use core::cell::Cell;
use core::cmp::Ordering;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Range, RangeInclusive};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// Whether a type can be written over another scalar: `Has::<Contract>::OVER`.
#[derive(Debug)]
pub struct Has<T: ?Sized>(PhantomData<T>);

impl<T: WithScalar<f64>> Has<T> {
    /// It can.
    pub const OVER: bool = true;
}

/// The constant of [`Has`] for all other types.
pub trait HasNot {
    /// It cannot.
    const OVER: bool = false;
}
impl<T: ?Sized> HasNot for Has<T> {}

/// The type over a scalar, or the type itself.
pub trait OverOrNot<T: ?Sized, S> {
    /// That type.
    type Type: ?Sized;
}
impl<T: WithScalar<S>, S: Scalar> OverOrNot<T, S> for Choice<true> {
    type Type = T::Type;
}
impl<T: ?Sized, S> OverOrNot<T, S> for Choice<false> {
    type Type = T;
}

/// A constant over the scalar `S` as an argument over `D`: lent, or written over it.
pub trait OpenArgument<'a, T: ?Sized, S, D> {
    /// The argument.
    type Argument: Differentiable;
    /// Makes it.
    fn given(value: &'a T) -> Self::Argument;
}
impl<'a, T: Lift<S, D> + ?Sized, S: Scalar, D: Extends<S>> OpenArgument<'a, T, S, D>
    for Choice<true>
{
    type Argument = T::Lifted;
    #[inline(always)]
    fn given(value: &'a T) -> T::Lifted {
        value.lift(&mut D::constant)
    }
}
impl<'a, T: ?Sized + 'a, S, D> OpenArgument<'a, T, S, D> for Choice<false> {
    type Argument = Unlifted<'a, T>;
    #[inline(always)]
    fn given(value: &'a T) -> Unlifted<'a, T> {
        Unlifted(value)
    }
}

/// An argument that stands for a `T`.
pub trait Lends<T: ?Sized> {
    /// The `T`.
    fn __lent(&self) -> &T;
}
impl<T> Lends<T> for T {
    #[inline(always)]
    fn __lent(&self) -> &T {
        self
    }
}
impl<T> Lends<[T]> for Vec<T> {
    #[inline(always)]
    fn __lent(&self) -> &[T] {
        self
    }
}
impl Lends<str> for String {
    #[inline(always)]
    fn __lent(&self) -> &str {
        self
    }
}
impl<T: ?Sized> Lends<T> for Unlifted<'_, T> {
    #[inline(always)]
    fn __lent(&self) -> &T {
        self.0
    }
}

/// A place in a constant, with the scalar.
#[derive(Debug)]
pub struct Open<'a, S, X: ?Sized>(&'a X, PhantomData<S>);

impl<'a, S, X: ?Sized> Open<'a, S, X> {
    /// This place.
    #[inline(always)]
    pub fn of(x: &'a X) -> Self {
        Open(x, PhantomData)
    }
}

/// What a method of a constant gave, with the scalar.
pub struct OpenValue<S, X>(Cell<Option<X>>, PhantomData<S>);

impl<S, X> fmt::Debug for OpenValue<S, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OpenValue")
    }
}

impl<S, X> OpenValue<S, X> {
    /// This value.
    #[inline(always)]
    pub fn of(x: X) -> Self {
        OpenValue(Cell::new(Some(x)), PhantomData)
    }
    #[inline(always)]
    fn take(&self) -> X {
        self.0.take().expect("it is taken once")
    }
}

/// A float, or what refers to one.
pub trait OpenScalar<S> {
    /// What is passed on in its place.
    type Passed;
    /// The number.
    fn number(&self) -> S;
    /// The same as an argument.
    fn passed(&self) -> Self::Passed;
}

macro_rules! floats {
    ($($t:ident)*) => { $(
        impl<S: Scalar> OpenScalar<S> for $t {
            type Passed = Owned<S>;
            #[inline(always)]
            fn number(&self) -> S {
                S::lit((*self).into())
            }
            #[inline(always)]
            fn passed(&self) -> Owned<S> {
                Owned::new(self.number())
            }
        }
    )* };
}
floats!(f32 f64);

impl<S, F: OpenScalar<S>> OpenScalar<S> for &F {
    type Passed = Lent<S>;
    #[inline(always)]
    fn number(&self) -> S {
        (**self).number()
    }
    #[inline(always)]
    fn passed(&self) -> Lent<S> {
        Lent::new(self.number())
    }
}

/// Types without floats: there is nothing to exchange.
pub trait Stays {}

macro_rules! stay {
    ($($t:tt)*) => { $( impl Stays for $t {} )* };
}
with_discrete!(stay);
macro_rules! ranges {
    ($($t:tt)*) => { $( impl Stays for Range<$t> {} impl Stays for RangeInclusive<$t> {} )* };
}
with_integers!(ranges);
impl Stays for str {}
impl<T: Stays> Stays for Vec<T> {}
impl<T: Stays> Stays for [T] {}
impl<T: Stays, const N: usize> Stays for [T; N] {}
impl<T: Stays> Stays for Option<T> {}
impl<T: Stays, E: Stays> Stays for Result<T, E> {}
impl<T: Stays + ?Sized> Stays for &T {}
impl<T: Stays + ?Sized> Stays for Box<T> {}
impl<T: Stays + ?Sized> Stays for Rc<T> {}
impl<T: Stays + ?Sized> Stays for Arc<T> {}
impl<K, H> Stays for HashSet<K, H> {}
impl<K> Stays for BTreeSet<K> {}
impl<K, V: Stays, H> Stays for HashMap<K, V, H> {}
impl<K, V: Stays> Stays for BTreeMap<K, V> {}
macro_rules! tuples {
    ($($T:ident)*) => { impl<$($T: Stays),*> Stays for ($($T,)*) {} };
}
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);

/// The methods of [`Open`], and of [`OpenValue`]: the first row whose type fits is the one with the most references, as
/// method lookup takes them off one by one.
pub trait OpenMethods {
    /// What stands for the place.
    type Over;
    /// The same as an argument.
    type Passed;
    /// What stands for the place.
    fn over(&self) -> Self::Over;
    /// The same as an argument.
    fn pass(&self) -> Self::Passed;
}

macro_rules! rows {
    ($($(#[$doc:meta])* [$($generics:tt)*] $of:ty: |$place:ident| $over:expr => $over_ty:ty, $pass:expr => $pass_ty:ty;)*) => { $(
        $(#[$doc])*
        impl<$($generics)*> OpenMethods for $of {
            type Over = $over_ty;
            type Passed = $pass_ty;
            #[inline(always)]
            fn over(&self) -> $over_ty {
                let $place = self;
                $over
            }
            #[inline(always)]
            fn pass(&self) -> $pass_ty {
                let $place = self;
                $pass
            }
        }
    )* };
}
rows! {
    /// A float is a number of the scalar.
    [S, X: OpenScalar<S>] &&&&&&Open<'_, S, X>:
        |x| x.0.number() => S, x.0.passed() => X::Passed;
    /// What is copied and has no floats stays.
    [S, X: Stays + Copy] &&&&&Open<'_, S, X>:
        |x| *x.0 => X, Owned::new(*x.0) => Owned<X>;
    /// What refers to something that can be written over the scalar, through two references or one, is that.
    [S, X: Recast<ToScalars<S>> + ?Sized] &&&&Open<'_, S, &&X>:
        |x| x.0.recast() => X::Out, Lent::new(x.0.recast()) => Lent<X::Out>;
    [S, X: Recast<ToScalars<S>> + ?Sized] &&&Open<'_, S, &X>:
        |x| x.0.recast() => X::Out, Lent::new(x.0.recast()) => Lent<X::Out>;
    /// So is what can be written over it itself.
    [S, X: Recast<ToScalars<S>>] &&Open<'_, S, X>:
        |x| x.0.recast() => X::Out, Owned::new(x.0.recast()) => Owned<X::Out>;
    /// All else stays, as a copy or as a reference.
    [S, X: Copy] &Open<'_, S, X>:
        |x| *x.0 => X, Owned::new(*x.0) => Owned<X>;
    ['a, S, X: ?Sized] Open<'a, S, X>:
        |x| x.0 => &'a X, Owned::new(x.0) => Owned<&'a X>;

    /// The same of what a method gave.
    [S, X: OpenScalar<S>] &&&&OpenValue<S, X>:
        |x| x.take().number() => S, x.take().passed() => X::Passed;
    [S, X: Stays] &&&OpenValue<S, X>:
        |x| x.take() => X, Owned::new(x.take()) => Owned<X>;
    ['a, S, X: Recast<ToScalars<S>> + ?Sized] &&OpenValue<S, &'a X>:
        |x| x.take() => &'a X, Lent::new(x.take().recast()) => Lent<X::Out>;
    [S, X: Recast<ToScalars<S>>] &OpenValue<S, X>:
        |x| x.take().recast() => X::Out, Owned::new(x.take().recast()) => Owned<X::Out>;
    [S, X] OpenValue<S, X>:
        |x| x.take() => X, Owned::new(x.take()) => Owned<X>;
}
