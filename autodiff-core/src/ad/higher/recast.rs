//! From values over any scalar to the numbers themselves, and back, where no derivative is asked.

use crate::ad::{Differentiable, Scalar};
use core::cmp::Ordering;
use core::marker::PhantomData;
use core::ops::{Range, RangeInclusive};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// To the float `F`: what scalars carry besides their number is left out.
#[derive(Debug)]
pub struct ToFloats<F>(PhantomData<F>);

/// From floats to the scalar `S`, without tangents.
#[derive(Debug)]
pub struct ToScalars<S>(PhantomData<S>);

/// A `T` of which something over the scalar `S` is made.
#[derive(Debug, Default)]
pub struct Original<T, S>(pub T, PhantomData<S>);

/// A type with its numbers exchanged, as `To` says: [`ToFloats`] or [`ToScalars`].
///
/// Unlike [`Lift`](super::Lift), it goes through any number of scalars inside of each other.
pub trait Recast<To> {
    /// The type with other numbers.
    type Out;
    /// The value with other numbers.
    fn recast(&self) -> Self::Out;
}

impl<S: Scalar, F: Scalar> Recast<ToFloats<F>> for S {
    type Out = F;
    #[inline(always)]
    fn recast(&self) -> F {
        F::lit(self.to_f64())
    }
}

macro_rules! floats {
    ($($t:ident)*) => { $(
        impl<S: Scalar> Recast<ToScalars<S>> for $t {
            type Out = S;
            #[inline(always)]
            fn recast(&self) -> S {
                S::lit((*self).into())
            }
        }
    )* };
}
floats!(f32 f64);

macro_rules! discrete {
    ($([$($generics:tt)*] $t:ty),* $(,)?) => { $(
        impl<To, $($generics)*> Recast<To> for $t {
            type Out = $t;
            #[inline(always)]
            fn recast(&self) -> $t {
                self.clone()
            }
        }
    )* };
}
macro_rules! plain {
    ($($t:tt)*) => { discrete! { $([] $t),* } };
}
macro_rules! ranges {
    ($($t:tt)*) => { discrete! { $([] Range<$t>, [] RangeInclusive<$t>),* } };
}
with_discrete!(plain);
with_integers!(ranges);
discrete! {
    [K: Clone] BTreeSet<K>, [K: Clone, H: Clone] HashSet<K, H>,
    [K: Clone, V: Clone + Differentiable<Tangent = ()>] BTreeMap<K, V>,
    [K: Clone, V: Clone + Differentiable<Tangent = ()>, H: Clone] HashMap<K, V, H>,
}

macro_rules! sequences {
    ($($t:ty),*) => { $(
        impl<To, T: Recast<To>> Recast<To> for $t {
            type Out = Vec<T::Out>;
            #[inline]
            fn recast(&self) -> Vec<T::Out> {
                self.iter().map(T::recast).collect()
            }
        }
    )* };
}
sequences!(Vec<T>, [T]);

impl<To, T: Recast<To>, const N: usize> Recast<To> for [T; N] {
    type Out = [T::Out; N];
    #[inline(always)]
    fn recast(&self) -> [T::Out; N] {
        self.each_ref().map(T::recast)
    }
}

impl<To, T: Recast<To>> Recast<To> for Option<T> {
    type Out = Option<T::Out>;
    #[inline(always)]
    fn recast(&self) -> Option<T::Out> {
        self.as_ref().map(T::recast)
    }
}

impl<To, T: Recast<To>, E: Clone> Recast<To> for Result<T, E> {
    type Out = Result<T::Out, E>;
    #[inline(always)]
    fn recast(&self) -> Result<T::Out, E> {
        self.as_ref().map(T::recast).map_err(E::clone)
    }
}

macro_rules! tuples {
    ($($T:ident $i:tt),*) => {
        impl<To, $($T: Recast<To>),*> Recast<To> for ($($T,)*) {
            type Out = ($($T::Out,)*);
            #[inline(always)]
            fn recast(&self) -> Self::Out {
                ($(self.$i.recast(),)*)
            }
        }
    };
}
tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);
tuples!(A 0, B 1, C 2, D 3, E 4, G 5);
