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
    fn lent(&self) -> &T;
}
impl<T> Lends<T> for T {
    #[inline(always)]
    fn lent(&self) -> &T {
        self
    }
}
impl<T> Lends<[T]> for Vec<T> {
    #[inline(always)]
    fn lent(&self) -> &[T] {
        self
    }
}
impl Lends<str> for String {
    #[inline(always)]
    fn lent(&self) -> &str {
        self
    }
}
impl<T: ?Sized> Lends<T> for Unlifted<'_, T> {
    #[inline(always)]
    fn lent(&self) -> &T {
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

/// The methods of [`Open`] for floats.
pub trait OpenFloat<S, X: OpenScalar<S>> {
    /// The number.
    fn over(&self) -> S;
    /// The number, or a reference to it.
    fn pass(&self) -> X::Passed;
}
impl<S, X: OpenScalar<S>> OpenFloat<S, X> for &&&&&&Open<'_, S, X> {
    #[inline(always)]
    fn over(&self) -> S {
        self.0.number()
    }
    #[inline(always)]
    fn pass(&self) -> X::Passed {
        self.0.passed()
    }
}

/// The same for what is copied and has no floats.
pub trait OpenCopy<X> {
    /// The value.
    fn over(&self) -> X;
    /// The value.
    fn pass(&self) -> Owned<X>;
}
impl<S, X: Stays + Copy> OpenCopy<X> for &&&&&Open<'_, S, X> {
    #[inline(always)]
    fn over(&self) -> X {
        *self.0
    }
    #[inline(always)]
    fn pass(&self) -> Owned<X> {
        Owned::new(*self.0)
    }
}

/// The same for what refers to something that can be written over the scalar.
pub trait OpenReference<Out> {
    /// The value over the scalar.
    fn over(&self) -> Out;
    /// A reference to it.
    fn pass(&self) -> Lent<Out>;
}
impl<S, X: Recast<ToScalars<S>> + ?Sized> OpenReference<X::Out> for &&&Open<'_, S, &X> {
    #[inline(always)]
    fn over(&self) -> X::Out {
        self.0.recast()
    }
    #[inline(always)]
    fn pass(&self) -> Lent<X::Out> {
        Lent::new(self.0.recast())
    }
}

/// The same for a reference to such a reference.
pub trait OpenReferences<Out> {
    /// The value over the scalar.
    fn over(&self) -> Out;
    /// A reference to it.
    fn pass(&self) -> Lent<Out>;
}
impl<S, X: Recast<ToScalars<S>> + ?Sized> OpenReferences<X::Out> for &&&&Open<'_, S, &&X> {
    #[inline(always)]
    fn over(&self) -> X::Out {
        self.0.recast()
    }
    #[inline(always)]
    fn pass(&self) -> Lent<X::Out> {
        Lent::new(self.0.recast())
    }
}

/// The same for what can be written over the scalar.
pub trait OpenNumbers<Out> {
    /// The value over the scalar.
    fn over(&self) -> Out;
    /// The same.
    fn pass(&self) -> Owned<Out>;
}
impl<S, X: Recast<ToScalars<S>>> OpenNumbers<X::Out> for &&Open<'_, S, X> {
    #[inline(always)]
    fn over(&self) -> X::Out {
        self.0.recast()
    }
    #[inline(always)]
    fn pass(&self) -> Owned<X::Out> {
        Owned::new(self.0.recast())
    }
}

/// The same for other types that are copied.
pub trait OpenOther<X> {
    /// The value.
    fn over(&self) -> X;
    /// The value.
    fn pass(&self) -> Owned<X>;
}
impl<S, X: Copy> OpenOther<X> for &Open<'_, S, X> {
    #[inline(always)]
    fn over(&self) -> X {
        *self.0
    }
    #[inline(always)]
    fn pass(&self) -> Owned<X> {
        Owned::new(*self.0)
    }
}

/// The same for all else.
pub trait OpenLent<'a, X: ?Sized> {
    /// The place.
    fn over(&self) -> &'a X;
    /// The place.
    fn pass(&self) -> Owned<&'a X>;
}
impl<'a, S, X: ?Sized> OpenLent<'a, X> for Open<'a, S, X> {
    #[inline(always)]
    fn over(&self) -> &'a X {
        self.0
    }
    #[inline(always)]
    fn pass(&self) -> Owned<&'a X> {
        Owned::new(self.0)
    }
}

/// The methods of [`OpenValue`] for floats.
pub trait ValueFloat<S, X: OpenScalar<S>> {
    /// The number.
    fn over(&self) -> S;
    /// The number, or a reference to it.
    fn pass(&self) -> X::Passed;
}
impl<S, X: OpenScalar<S>> ValueFloat<S, X> for &&&&OpenValue<S, X> {
    #[inline(always)]
    fn over(&self) -> S {
        self.take().number()
    }
    #[inline(always)]
    fn pass(&self) -> X::Passed {
        self.take().passed()
    }
}

/// The same for what has no floats.
pub trait ValueStays<X> {
    /// The value.
    fn over(&self) -> X;
    /// The value.
    fn pass(&self) -> Owned<X>;
}
impl<S, X: Stays> ValueStays<X> for &&&OpenValue<S, X> {
    #[inline(always)]
    fn over(&self) -> X {
        self.take()
    }
    #[inline(always)]
    fn pass(&self) -> Owned<X> {
        Owned::new(self.take())
    }
}

/// The same for what refers to something that can be written over the scalar.
pub trait ValueReference<'a, X: ?Sized, Out> {
    /// The reference.
    fn over(&self) -> &'a X;
    /// A reference to the value over the scalar.
    fn pass(&self) -> Lent<Out>;
}
impl<'a, S, X: Recast<ToScalars<S>> + ?Sized> ValueReference<'a, X, X::Out>
    for &&OpenValue<S, &'a X>
{
    #[inline(always)]
    fn over(&self) -> &'a X {
        self.take()
    }
    #[inline(always)]
    fn pass(&self) -> Lent<X::Out> {
        Lent::new(self.take().recast())
    }
}

/// The same for what can be written over the scalar.
pub trait ValueNumbers<Out> {
    /// The value over the scalar.
    fn over(&self) -> Out;
    /// The same.
    fn pass(&self) -> Owned<Out>;
}
impl<S, X: Recast<ToScalars<S>>> ValueNumbers<X::Out> for &OpenValue<S, X> {
    #[inline(always)]
    fn over(&self) -> X::Out {
        self.take().recast()
    }
    #[inline(always)]
    fn pass(&self) -> Owned<X::Out> {
        Owned::new(self.take().recast())
    }
}

/// The same for all else.
pub trait ValueOther<X> {
    /// The value.
    fn over(&self) -> X;
    /// The value.
    fn pass(&self) -> Owned<X>;
}
impl<S, X> ValueOther<X> for OpenValue<S, X> {
    #[inline(always)]
    fn over(&self) -> X {
        self.take()
    }
    #[inline(always)]
    fn pass(&self) -> Owned<X> {
        Owned::new(self.take())
    }
}
