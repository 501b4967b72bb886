//! Values over scalars with tangents.

use super::pool;
use crate::ad::{Ct, Differentiable, Dual, Extends, Scalar};
use core::cmp::Ordering;
use core::ops::{Range, RangeInclusive};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// A type that can be written over `D` in the place of `S`: over duals, or over traced numbers.
///
/// `Vec<f64>` becomes a `Vec<Dual<f64, K>>`, a generic struct with `#[derive(Differentiable)]` the same
/// struct over duals. The scalars are visited in the order of the fields and entries.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written over another scalar, as derivatives of higher order need it",
    label = "its numbers have a fixed type",
    note = "write `#[differentiable(higher_order)]` below its `#[derive(Differentiable)]`, or make it generic over its scalar, `struct Body<T> {{ mass: T }}`, and take a `Body<f64>`"
)]
pub trait Lift<S: Scalar, D: Extends<S>>: Differentiable {
    /// The type over `D`.
    type Lifted: Differentiable;
    /// The value over `D`, one scalar after the other.
    fn lift<F: FnMut(S) -> D>(&self, f: &mut F) -> Self::Lifted;
    /// The same with a tangent of the value.
    fn lift_along<F: FnMut(S, S) -> D>(&self, tangent: &Self::Tangent, f: &mut F) -> Self::Lifted;
    /// One part of a gradient over `D`: its value, or what it is along one direction.
    fn part<F: Fn(D) -> S>(
        tangent: &<Self::Lifted as Differentiable>::Tangent,
        f: &F,
    ) -> Self::Tangent;
    /// A cotangent over `D` along one direction, in which `f` gives the tangent of a scalar: 0 for one that does not
    /// change. What only the values of the cotangent need is not computed.
    #[inline]
    fn along<F: Fn(D) -> S>(
        proto: &<Self::Lifted as Differentiable>::Proto,
        ct: Ct<Self::Lifted>,
        f: &F,
    ) -> Self::Tangent {
        Self::part(&<Self::Lifted as Differentiable>::finish(proto, ct), f)
    }
    /// Reads the scalars of a gradient over `D`, in order.
    fn read<F: FnMut(D)>(tangent: &<Self::Lifted as Differentiable>::Tangent, f: &mut F);
    /// Reads the scalars of a value over `D`.
    fn visit<F: FnMut(D)>(lifted: &Self::Lifted, f: &mut F);
    /// A tangent with these scalars.
    fn fill<F: FnMut() -> S>(&self, next: &mut F) -> Self::Tangent;

    /// The entries of a sequence over `D`, each made by `lift`.
    #[inline]
    fn lift_entries<'a>(
        entries: impl ExactSizeIterator<Item = &'a Self>,
        lift: impl FnMut(&'a Self) -> Self::Lifted,
    ) -> Vec<Self::Lifted>
    where
        Self: Sized + 'a,
    {
        entries.map(lift).collect()
    }
    /// A value that is not needed any more: its memory may be kept for the next one.
    #[inline(always)]
    fn recycle(lifted: Self::Lifted) {
        drop(lifted);
    }
    /// [`recycle`](Self::recycle) of the entries of a sequence.
    #[inline(always)]
    fn recycle_entries(lifted: Vec<Self::Lifted>)
    where
        Self: Sized,
    {
        drop(lifted);
    }
}

/// The entries of a slice over `D`, with those of a tangent.
///
/// # Panics
/// If the two have different lengths.
pub fn lift_entries<S: Scalar, D: Extends<S>, T: Lift<S, D>>(
    entries: &[T],
    tangents: &[T::Tangent],
    f: &mut impl FnMut(S, S) -> D,
) -> Vec<T::Lifted> {
    assert_eq!(
        entries.len(),
        tangents.len(),
        "a tangent has another length than its value"
    );
    let mut tangents = tangents.iter();
    T::lift_entries(entries.iter(), |x| {
        x.lift_along(tangents.next().expect("as many"), f)
    })
}

/// How many scalars a value has.
pub fn scalars<S: Scalar, P: Lift<S, S> + ?Sized>(value: &P) -> usize {
    let mut n = 0;
    value.fill(&mut || {
        n += 1;
        S::ZERO
    });
    n
}

/// A gradient along the direction of this number.
#[inline(always)]
pub fn part<S: Scalar, const K: usize, P: Lift<S, Dual<S, K>> + ?Sized>(
    gradient: &<P::Lifted as Differentiable>::Tangent,
    k: usize,
) -> P::Tangent {
    P::part(gradient, &|d: Dual<S, K>| d.tangents[k])
}

/// The same of a cotangent.
#[inline(always)]
pub fn along<S: Scalar, P: Lift<S, Dual<S, 1>> + ?Sized>(
    proto: &<P::Lifted as Differentiable>::Proto,
    ct: Ct<P::Lifted>,
) -> P::Tangent {
    P::along(proto, ct, &|d: Dual<S, 1>| d.tangents[0])
}

/// A gradient without its tangents.
#[inline(always)]
pub fn value_part<S: Scalar, P: Lift<S, Dual<S, 1>> + ?Sized>(
    gradient: &<P::Lifted as Differentiable>::Tangent,
) -> P::Tangent {
    P::part(gradient, &|d: Dual<S, 1>| d.value)
}

impl<S: Scalar, D: Extends<S>> Lift<S, D> for S {
    type Lifted = D;
    #[inline(always)]
    fn lift<F: FnMut(S) -> D>(&self, f: &mut F) -> D {
        f(*self)
    }
    #[inline(always)]
    fn lift_along<F: FnMut(S, S) -> D>(&self, tangent: &S, f: &mut F) -> D {
        f(*self, *tangent)
    }
    #[inline(always)]
    fn part<F: Fn(D) -> S>(tangent: &D, f: &F) -> S {
        f(*tangent)
    }
    #[inline(always)]
    fn read<F: FnMut(D)>(tangent: &D, f: &mut F) {
        f(*tangent)
    }
    #[inline(always)]
    fn visit<F: FnMut(D)>(lifted: &D, f: &mut F) {
        f(*lifted)
    }
    #[inline(always)]
    fn fill<F: FnMut() -> S>(&self, next: &mut F) -> S {
        next()
    }
    #[inline]
    fn lift_entries<'a>(
        entries: impl ExactSizeIterator<Item = &'a S>,
        lift: impl FnMut(&'a S) -> D,
    ) -> Vec<D> {
        let mut lifted = pool::take(entries.len());
        lifted.extend(entries.map(lift));
        lifted
    }
    #[inline]
    fn recycle_entries(lifted: Vec<D>) {
        pool::put(lifted);
    }
}

macro_rules! discrete {
    ($([$($generics:tt)*] $t:ty),* $(,)?) => { $(
        impl<S: Scalar, D: Extends<S>, $($generics)*> Lift<S, D> for $t {
            type Lifted = $t;
            #[inline(always)]
            fn lift<F: FnMut(S) -> D>(&self, _: &mut F) -> $t {
                self.clone()
            }
            #[inline(always)]
            fn lift_along<F: FnMut(S, S) -> D>(&self, (): &(), _: &mut F) -> $t {
                self.clone()
            }
            #[inline(always)]
            fn part<F: Fn(D) -> S>((): &(), _: &F) {}
            #[inline(always)]
            fn read<F: FnMut(D)>((): &(), _: &mut F) {}
            #[inline(always)]
            fn visit<F: FnMut(D)>(_: &$t, _: &mut F) {}
            #[inline(always)]
            fn fill<F: FnMut() -> S>(&self, _: &mut F) {}
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

impl<S: Scalar, D: Extends<S>> Lift<S, D> for str {
    type Lifted = String;
    fn lift<F: FnMut(S) -> D>(&self, _: &mut F) -> String {
        self.to_owned()
    }
    fn lift_along<F: FnMut(S, S) -> D>(&self, (): &(), _: &mut F) -> String {
        self.to_owned()
    }
    fn part<F: Fn(D) -> S>((): &(), _: &F) {}
    fn read<F: FnMut(D)>((): &(), _: &mut F) {}
    fn visit<F: FnMut(D)>(_: &String, _: &mut F) {}
    fn fill<F: FnMut() -> S>(&self, _: &mut F) {}
}

macro_rules! sequences {
    ($($t:ty),*) => { $(
        impl<S: Scalar, D: Extends<S>, T: Lift<S, D>> Lift<S, D> for $t {
            type Lifted = Vec<T::Lifted>;
            #[inline]
            fn lift<F: FnMut(S) -> D>(&self, f: &mut F) -> Vec<T::Lifted> {
                T::lift_entries(self.iter(), |x| x.lift(f))
            }
            #[inline(always)]
            fn recycle(lifted: Vec<T::Lifted>) {
                T::recycle_entries(lifted);
            }
            #[inline]
            fn lift_along<F: FnMut(S, S) -> D>(
                &self,
                tangent: &Vec<T::Tangent>,
                f: &mut F,
            ) -> Vec<T::Lifted> {
                lift_entries(self, tangent, f)
            }
            #[inline]
            fn part<F: Fn(D) -> S>(
                tangent: &Vec<<T::Lifted as Differentiable>::Tangent>,
                f: &F,
            ) -> Vec<T::Tangent> {
                tangent.iter().map(|t| T::part(t, f)).collect()
            }
            #[inline]
            fn along<F: Fn(D) -> S>(
                protos: &Vec<<T::Lifted as Differentiable>::Proto>,
                cts: Vec<Ct<T::Lifted>>,
                f: &F,
            ) -> Vec<T::Tangent> {
                protos.iter().zip(cts).map(|(p, ct)| T::along(p, ct, f)).collect()
            }
            #[inline]
            fn read<F: FnMut(D)>(
                tangent: &Vec<<T::Lifted as Differentiable>::Tangent>,
                f: &mut F,
            ) {
                tangent.iter().for_each(|t| T::read(t, f));
            }
            #[inline]
            fn visit<F: FnMut(D)>(lifted: &Vec<T::Lifted>, f: &mut F) {
                lifted.iter().for_each(|x| T::visit(x, f));
            }
            #[inline]
            fn fill<F: FnMut() -> S>(&self, next: &mut F) -> Vec<T::Tangent> {
                self.iter().map(|x| x.fill(next)).collect()
            }
        }
    )* };
}
sequences!(Vec<T>, [T]);

impl<S: Scalar, D: Extends<S>, T: Lift<S, D>, const N: usize> Lift<S, D> for [T; N] {
    type Lifted = [T::Lifted; N];
    #[inline(always)]
    fn lift<F: FnMut(S) -> D>(&self, f: &mut F) -> [T::Lifted; N] {
        core::array::from_fn(|i| self[i].lift(f))
    }
    #[inline(always)]
    fn lift_along<F: FnMut(S, S) -> D>(
        &self,
        tangent: &[T::Tangent; N],
        f: &mut F,
    ) -> [T::Lifted; N] {
        core::array::from_fn(|i| self[i].lift_along(&tangent[i], f))
    }
    #[inline(always)]
    fn part<F: Fn(D) -> S>(
        tangent: &[<T::Lifted as Differentiable>::Tangent; N],
        f: &F,
    ) -> [T::Tangent; N] {
        core::array::from_fn(|i| T::part(&tangent[i], f))
    }
    #[inline(always)]
    fn along<F: Fn(D) -> S>(
        protos: &[<T::Lifted as Differentiable>::Proto; N],
        cts: [Ct<T::Lifted>; N],
        f: &F,
    ) -> [T::Tangent; N] {
        let mut cts = cts.into_iter();
        core::array::from_fn(|i| T::along(&protos[i], cts.next().expect("as many"), f))
    }
    #[inline(always)]
    fn read<F: FnMut(D)>(tangent: &[<T::Lifted as Differentiable>::Tangent; N], f: &mut F) {
        tangent.iter().for_each(|t| T::read(t, f));
    }
    #[inline(always)]
    fn visit<F: FnMut(D)>(lifted: &[T::Lifted; N], f: &mut F) {
        lifted.iter().for_each(|x| T::visit(x, f));
    }
    #[inline(always)]
    fn fill<F: FnMut() -> S>(&self, next: &mut F) -> [T::Tangent; N] {
        core::array::from_fn(|i| self[i].fill(next))
    }
}

/// Of an `Option` and of a `Result`, which have a gradient where there is a value.
macro_rules! gradient_of_an_option {
    () => {
        #[inline(always)]
        fn part<F: Fn(D) -> S>(
            tangent: &Option<<T::Lifted as Differentiable>::Tangent>,
            f: &F,
        ) -> Option<T::Tangent> {
            tangent.as_ref().map(|t| T::part(t, f))
        }
        #[inline(always)]
        fn read<F: FnMut(D)>(tangent: &Option<<T::Lifted as Differentiable>::Tangent>, f: &mut F) {
            tangent.iter().for_each(|t| T::read(t, f));
        }
        #[inline(always)]
        fn visit<F: FnMut(D)>(lifted: &Self::Lifted, f: &mut F) {
            lifted.iter().for_each(|x| T::visit(x, f));
        }
    };
}

impl<S: Scalar, D: Extends<S>, T: Lift<S, D>> Lift<S, D> for Option<T> {
    type Lifted = Option<T::Lifted>;
    #[inline(always)]
    fn lift<F: FnMut(S) -> D>(&self, f: &mut F) -> Option<T::Lifted> {
        self.as_ref().map(|x| x.lift(f))
    }
    #[inline(always)]
    fn lift_along<F: FnMut(S, S) -> D>(
        &self,
        tangent: &Option<T::Tangent>,
        f: &mut F,
    ) -> Option<T::Lifted> {
        match (self, tangent) {
            (Some(x), Some(t)) => Some(x.lift_along(t, f)),
            (Some(x), None) => Some(x.lift(&mut |x| f(x, S::ZERO))),
            (None, _) => None,
        }
    }
    gradient_of_an_option!();
    #[inline(always)]
    fn fill<F: FnMut() -> S>(&self, next: &mut F) -> Option<T::Tangent> {
        self.as_ref().map(|x| x.fill(next))
    }
}

/// The tangent is an `Option`, and an error is what it is.
impl<S: Scalar, D: Extends<S>, T: Lift<S, D>, E: Clone> Lift<S, D> for Result<T, E> {
    type Lifted = Result<T::Lifted, E>;
    #[inline(always)]
    fn lift<F: FnMut(S) -> D>(&self, f: &mut F) -> Self::Lifted {
        self.as_ref().map(|x| x.lift(f)).map_err(E::clone)
    }
    #[inline(always)]
    fn lift_along<F: FnMut(S, S) -> D>(
        &self,
        tangent: &Option<T::Tangent>,
        f: &mut F,
    ) -> Self::Lifted {
        let lifted = self.as_ref().map(|x| match tangent {
            Some(t) => x.lift_along(t, f),
            None => x.lift(&mut |x| f(x, S::ZERO)),
        });
        lifted.map_err(E::clone)
    }
    gradient_of_an_option!();
    #[inline(always)]
    fn fill<F: FnMut() -> S>(&self, next: &mut F) -> Option<T::Tangent> {
        self.as_ref().ok().map(|x| x.fill(next))
    }
}

macro_rules! tuples {
    ($($T:ident $i:tt),*) => {
        impl<S: Scalar, D: Extends<S>, $($T: Lift<S, D>),*> Lift<S, D> for ($($T,)*) {
            type Lifted = ($($T::Lifted,)*);
            #[inline(always)]
            fn lift<F: FnMut(S) -> D>(&self, f: &mut F) -> Self::Lifted {
                ($(self.$i.lift(f),)*)
            }
            #[inline(always)]
            fn lift_along<F: FnMut(S, S) -> D>(
                &self,
                tangent: &Self::Tangent,
                f: &mut F,
            ) -> Self::Lifted {
                ($(self.$i.lift_along(&tangent.$i, f),)*)
            }
            #[inline(always)]
            fn part<F: Fn(D) -> S>(
                tangent: &<Self::Lifted as Differentiable>::Tangent,
                f: &F,
            ) -> Self::Tangent {
                ($($T::part(&tangent.$i, f),)*)
            }
            #[inline(always)]
            fn read<F: FnMut(D)>(
                tangent: &<Self::Lifted as Differentiable>::Tangent,
                f: &mut F,
            ) {
                $($T::read(&tangent.$i, f);)*
            }
            #[inline(always)]
            fn visit<F: FnMut(D)>(lifted: &Self::Lifted, f: &mut F) {
                $($T::visit(&lifted.$i, f);)*
            }
            #[inline(always)]
            fn fill<F: FnMut() -> S>(&self, next: &mut F) -> Self::Tangent {
                ($(self.$i.fill(next),)*)
            }
        }
    };
}
tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, E 3);
tuples!(A 0, B 1, C 2, E 3, G 4);
tuples!(A 0, B 1, C 2, E 3, G 4, H 5);
