//! Index operators of users' types: `g[(i, j)]` is a part of `g`, and its cotangent the same part of the cotangent.
//!
//! The operator is code of the user's, which gives a reference into the value. Where in the value that is, its address
//! tells: [`Seek`] goes through the parts with a derivative and writes down the way, the [`Spot`], on which the part of
//! a cotangent or a tangent is found again. A reference that leads to none of them, into a constant field or to a
//! constant, has no derivative.

use super::same::{same, same_mut};
use super::{Differentiable, Mode, NoGrad};
use core::any::{Any, TypeId, type_name};
use core::fmt;
use core::marker::PhantomData;

/// How many steps a part may be away from the value.
const DEPTH: usize = 6;

/// The way from a value to a part of it: numbers of fields and of entries.
#[derive(Clone, Copy, Debug, Default)]
struct Steps {
    to: [u32; DEPTH],
    len: u8,
}

impl Steps {
    #[inline(always)]
    fn push(&mut self, step: usize) {
        let len = usize::from(self.len);
        assert!(
            len < DEPTH,
            "an index operator reaches too deep into a value to be followed: give the part a method"
        );
        self.to[len] = u32::try_from(step).expect("fewer than 2^32 entries");
        self.len += 1;
    }
}

/// A part that is looked for by its address.
#[derive(Debug)]
pub struct Seek {
    address: usize,
    bytes: usize,
    part: TypeId,
    /// Where it may be: what the user indexed by.
    hints: [usize; 3],
    steps: Steps,
    /// A type that does not say which parts it has.
    closed: Option<&'static str>,
}

#[inline(always)]
fn address<T: ?Sized>(value: &T) -> usize {
    core::ptr::from_ref(value).cast::<()>() as usize
}

impl Seek {
    /// Looks at the only part that there is.
    #[inline(always)]
    pub fn only<T: Differentiable + ?Sized + 'static>(&mut self, part: &T) -> bool {
        (TypeId::of::<T>() == self.part && address(part) == self.address) || part.__seek(self)
    }

    /// Looks at one of several parts.
    #[inline(always)]
    pub fn step<T: Differentiable + ?Sized + 'static>(&mut self, number: usize, part: &T) -> bool {
        let before = self.steps;
        self.steps.push(number);
        let found = self.only(part);
        if !found {
            self.steps = before;
        }
        found
    }

    /// Looks at the entries of a sequence, and at its slices.
    #[inline(always)]
    pub fn entries<T: Differentiable + 'static>(&mut self, entries: &[T]) -> bool {
        let (size, all) = (size_of::<T>(), size_of_val(entries));
        let inside = self.address.wrapping_sub(address(entries));
        if TypeId::of::<[T]>() == self.part && size > 0 && inside <= all {
            self.steps.push(inside / size);
            self.steps.push((inside + self.bytes) / size);
            return true;
        }
        if inside < all {
            let k = inside / size;
            return self.step(k, &entries[k]);
        }
        // What owns no memory has no part elsewhere.
        if !core::mem::needs_drop::<T>() {
            return false;
        }
        let hinted = self.hints.into_iter().filter(|k| *k < entries.len());
        hinted
            .chain(0..entries.len())
            .any(|k| self.step(k, &entries[k]))
    }

    /// There is a value that cannot be looked into.
    #[cold]
    pub fn closed<T: ?Sized>(&mut self) -> bool {
        self.closed = Some(type_name::<T>());
        false
    }
}

/// The steps that are left to go.
#[derive(Debug)]
pub struct Way<'a>(&'a [u32]);

impl Way<'_> {
    /// The next step.
    #[inline(always)]
    pub fn step(&mut self) -> usize {
        let (first, rest) = self.0.split_first().expect("the way of a part");
        self.0 = rest;
        *first as usize
    }

    /// Whether a part of type `T` is where the way ends: a box and its inside are no step apart.
    #[inline(always)]
    fn is_at<T: 'static, P: ?Sized + 'static>(&self) -> bool {
        self.0.is_empty() && TypeId::of::<T>() == TypeId::of::<P>()
    }

    /// On from the accumulator of a part.
    #[inline(always)]
    pub fn adj<'p, M: Mode, T: Differentiable + 'static, P: Part + ?Sized>(
        &mut self,
        part: &'p mut T::Adj<M>,
    ) -> &'p mut P::Adj<M> {
        match self.is_at::<T, P>() {
            true => same_mut(part),
            false => T::__adj_part::<M, P>(part, self),
        }
    }

    /// On from the tangent of a part.
    #[inline(always)]
    pub fn tangent<'p, T: Differentiable + 'static, P: Part + ?Sized>(
        &mut self,
        part: &'p T::Tangent,
    ) -> &'p P::Tangent {
        match self.is_at::<T, P>() {
            true => same(part),
            false => T::__tangent_part::<P>(part, self),
        }
    }

    /// As [`tangent`](Self::tangent), to be written.
    #[inline(always)]
    pub fn tangent_mut<'p, T: Differentiable + 'static, P: Part + ?Sized>(
        &mut self,
        part: &'p mut T::Tangent,
    ) -> &'p mut P::Tangent {
        match self.is_at::<T, P>() {
            true => same_mut(part),
            false => T::__tangent_part_mut::<P>(part, self),
        }
    }

    /// On from the accumulators of the entries of a sequence.
    #[inline(always)]
    pub fn adj_entry<'p, M: Mode, T: Differentiable + 'static, P: Part + ?Sized>(
        &mut self,
        entries: &'p mut [T::Adj<M>],
    ) -> &'p mut P::Adj<M> {
        let k = self.step();
        if TypeId::of::<[T]>() == TypeId::of::<P>() {
            let end = self.step();
            return same_mut(&mut entries[k..end]);
        }
        self.adj::<M, T, P>(&mut entries[k])
    }

    /// On from the tangents of the entries of a sequence.
    #[inline(always)]
    pub fn tangent_entry<'p, T: Differentiable + 'static, P: Part + ?Sized>(
        &mut self,
        entries: &'p [T::Tangent],
    ) -> &'p P::Tangent {
        let k = self.step();
        if TypeId::of::<[T]>() == TypeId::of::<P>() {
            let end = self.step();
            return same(&entries[k..end]);
        }
        self.tangent::<T, P>(&entries[k])
    }

    /// As [`tangent_entry`](Self::tangent_entry), to be written.
    #[inline(always)]
    pub fn tangent_entry_mut<'p, T: Differentiable + 'static, P: Part + ?Sized>(
        &mut self,
        entries: &'p mut [T::Tangent],
    ) -> &'p mut P::Tangent {
        let k = self.step();
        if TypeId::of::<[T]>() == TypeId::of::<P>() {
            let end = self.step();
            return same_mut(&mut entries[k..end]);
        }
        self.tangent_mut::<T, P>(&mut entries[k])
    }
}

/// What an index operator refers to: a value, or a slice of a sequence.
pub trait Part: 'static {
    /// Its part of an accumulator.
    type Adj<M: Mode>: ?Sized + 'static;
    /// Its part of a tangent.
    type Tangent: ?Sized + 'static;
    /// What stands for the accumulator of a part that has no derivative; it is dropped again.
    fn sink<M: Mode>() -> Option<Box<Self::Adj<M>>>;
    /// What stands for its tangent.
    fn zero() -> Option<Box<Self::Tangent>>;
}

impl<T: Differentiable + 'static> Part for T {
    type Adj<M: Mode> = T::Adj<M>;
    type Tangent = T::Tangent;
    fn sink<M: Mode>() -> Option<Box<T::Adj<M>>> {
        fn boxed<A: 'static, B: 'static>(a: A) -> Option<Box<B>> {
            (Box::new(a) as Box<dyn Any>).downcast().ok()
        }
        boxed::<_, T::Adj<M>>(NoGrad).or_else(|| boxed(T::zero_ct(plain::<T>()?)))
    }
    fn zero() -> Option<Box<T::Tangent>> {
        Some(Box::new(T::finish(
            plain::<T>()?,
            T::zero_ct(plain::<T>()?),
        )))
    }
}

/// The prototype of a type whose values all have the same.
fn plain<T: Differentiable + 'static>() -> Option<&'static T::Proto> {
    (&() as &'static dyn Any).downcast_ref()
}

impl<T: Differentiable + 'static> Part for [T] {
    type Adj<M: Mode> = [T::Adj<M>];
    type Tangent = [T::Tangent];
    fn sink<M: Mode>() -> Option<Box<[T::Adj<M>]>> {
        None
    }
    fn zero() -> Option<Box<[T::Tangent]>> {
        None
    }
}

/// Where in a value of type `T` a part of type `P` is.
pub struct Spot<T: ?Sized, P: ?Sized> {
    /// None for a part without a derivative.
    steps: Option<Steps>,
    of: PhantomData<fn(&T) -> &P>,
}

impl<T: ?Sized, P: ?Sized> Clone for Spot<T, P> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: ?Sized, P: ?Sized> Copy for Spot<T, P> {}

impl<T: ?Sized, P: ?Sized> fmt::Debug for Spot<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.fmt(f)
    }
}

#[cold]
#[inline(never)]
fn without_derivative<T: ?Sized, P: ?Sized>() -> ! {
    panic!(
        "an index of `{}` gives a `{}` that is no part with a derivative: give it a method",
        type_name::<T>(),
        type_name::<P>()
    )
}

impl<T: Differentiable + 'static, P: Part + ?Sized> Spot<T, P> {
    /// The accumulator of the part.
    #[inline(always)]
    pub fn adj<'a, M: Mode>(
        &self,
        adj: &'a mut T::Adj<M>,
        sink: &'a mut Option<Box<P::Adj<M>>>,
    ) -> &'a mut P::Adj<M> {
        if let Some(steps) = &self.steps {
            return Way(&steps.to[..usize::from(steps.len)]).adj::<M, T, P>(adj);
        }
        *sink = P::sink::<M>();
        let none = || without_derivative::<T, P>();
        sink.as_deref_mut().unwrap_or_else(none)
    }

    /// The tangent of the part.
    #[inline(always)]
    pub fn tangent<'a>(
        &self,
        tangent: &'a T::Tangent,
        zero: &'a mut Option<Box<P::Tangent>>,
    ) -> &'a P::Tangent {
        if let Some(steps) = &self.steps {
            return Way(&steps.to[..usize::from(steps.len)]).tangent::<T, P>(tangent);
        }
        *zero = P::zero();
        let none = || without_derivative::<T, P>();
        zero.as_deref().unwrap_or_else(none)
    }

    /// The tangent of the part, to be written.
    #[inline(always)]
    pub fn tangent_mut<'a>(&self, tangent: &'a mut T::Tangent) -> &'a mut P::Tangent {
        match &self.steps {
            Some(steps) => Way(&steps.to[..usize::from(steps.len)]).tangent_mut::<T, P>(tangent),
            None => without_derivative::<T, P>(),
        }
    }
}

/// A value and what its index gave: emitted code asks for the spot by method lookup, as the cotangents of other types
/// are indexed as they are.
#[derive(Debug)]
pub struct Indexed<'a, T: ?Sized, P: ?Sized>(pub &'a T, pub &'a P);

/// A type with the derive, whose values say which parts they have.
pub trait Parted: Differentiable + 'static {}

impl<T: Parted, P: Part + ?Sized> Indexed<'_, T, P> {
    /// Where the part is, which is read.
    #[inline(always)]
    pub fn spot(self, hints: [usize; 3]) -> Spot<T, P> {
        let mut seek = Seek {
            address: address(self.1),
            bytes: size_of_val(self.1),
            part: TypeId::of::<P>(),
            hints,
            steps: Steps::default(),
            closed: None,
        };
        let steps = seek.only(self.0).then_some(seek.steps);
        if let (None, Some(closed)) = (steps, seek.closed) {
            panic!(
                "an index of `{}` cannot be followed into `{closed}`: give it a method",
                type_name::<T>()
            );
        }
        Spot {
            steps,
            of: PhantomData,
        }
    }

    /// Where the part is, which is written: a constant cannot take the derivative.
    #[inline(always)]
    pub fn spot_mut(self, hints: [usize; 3]) -> Spot<T, P> {
        let spot = self.spot(hints);
        if spot.steps.is_none() {
            without_derivative::<T, P>();
        }
        spot
    }
}

/// An index: the numbers in it tell where a part may be.
#[derive(Debug)]
pub struct Hint<'a, I: ?Sized>(pub &'a I);

/// No number that an entry has.
const NONE: usize = usize::MAX;

macro_rules! hints {
    ($($index:ty, |$i:pat_param| $hints:expr;)*) => { $(
        impl Hint<'_, $index> {
            /// The numbers.
            #[inline(always)]
            pub fn hints(self) -> [usize; 3] {
                let $i = *self.0;
                $hints
            }
        }
    )* };
}
hints! {
    usize, |i| [i, NONE, NONE];
    (usize, usize), |(i, j)| [i, j, NONE];
    (usize, usize, usize), |(i, j, k)| [i, j, k];
    [usize; 2], |[i, j]| [i, j, NONE];
    [usize; 3], |i| i;
}

/// An index without numbers.
pub trait NoHint: Sized {
    /// None.
    #[inline(always)]
    fn hints(self) -> [usize; 3] {
        [NONE; 3]
    }
}
impl<I: ?Sized> NoHint for Hint<'_, I> {}

/// The index says where the part is: that of a sequence, or of a matrix of another crate.
#[derive(Clone, Copy, Debug)]
pub struct ByIndex;

/// What is indexed as its cotangent is.
pub trait IndexedAlike: Sized {
    /// Nothing but the index is needed.
    #[inline(always)]
    fn spot(self, _: [usize; 3]) -> ByIndex {
        ByIndex
    }
    /// Nothing but the index is needed.
    #[inline(always)]
    fn spot_mut(self, _: [usize; 3]) -> ByIndex {
        ByIndex
    }
}

impl<T: ?Sized, P: ?Sized> IndexedAlike for Indexed<'_, T, P> {}

/// A tangent with a part at a spot.
pub trait HasSpot<S, I> {
    /// What is there.
    type Part: ?Sized;
    /// The part; `zero` holds it where there is none.
    fn __at<'a>(
        &'a self,
        spot: &S,
        index: I,
        zero: &'a mut Option<Box<Self::Part>>,
    ) -> &'a Self::Part;
    /// The part, to be written.
    fn __at_written(&mut self, spot: &S, index: I) -> &mut Self::Part;
}

/// A cotangent with a part at a spot.
#[diagnostic::on_unimplemented(
    message = "an index that is a tuple has no derivative in `{Self}`",
    label = "neither a type with the derive nor a matrix whose crate is a feature of this one",
    note = "annotate a method with the two numbers, `m.at(i, j)`, and call it"
)]
pub trait HasSpotMut<S, I> {
    /// What is there.
    type Part: ?Sized;
    /// The part; `sink` holds it where there is none.
    fn part_mut<'a>(
        &'a mut self,
        spot: &S,
        index: I,
        sink: &'a mut Option<Box<Self::Part>>,
    ) -> &'a mut Self::Part;
}

#[diagnostic::do_not_recommend]
impl<I, T: core::ops::IndexMut<I> + ?Sized> HasSpot<ByIndex, I> for T {
    type Part = T::Output;
    #[inline(always)]
    fn __at<'a>(
        &'a self,
        _: &ByIndex,
        index: I,
        _: &'a mut Option<Box<T::Output>>,
    ) -> &'a T::Output {
        &self[index]
    }
    #[inline(always)]
    fn __at_written(&mut self, _: &ByIndex, index: I) -> &mut T::Output {
        &mut self[index]
    }
}

#[diagnostic::do_not_recommend]
impl<I, T: core::ops::IndexMut<I> + ?Sized> HasSpotMut<ByIndex, I> for T {
    type Part = T::Output;
    #[inline(always)]
    fn part_mut<'a>(
        &'a mut self,
        _: &ByIndex,
        index: I,
        _: &'a mut Option<Box<T::Output>>,
    ) -> &'a mut T::Output {
        &mut self[index]
    }
}

/// The parts of what has no gradient have none.
#[diagnostic::do_not_recommend]
impl<T: ?Sized, P: ?Sized, I> HasSpotMut<Spot<T, P>, I> for NoGrad {
    type Part = NoGrad;
    #[inline(always)]
    fn part_mut<'a>(
        &'a mut self,
        _: &Spot<T, P>,
        _: I,
        _: &'a mut Option<Box<NoGrad>>,
    ) -> &'a mut NoGrad {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized, P: ?Sized, I> HasSpot<Spot<T, P>, I> for () {
    type Part = ();
    #[inline(always)]
    fn __at<'a>(&'a self, _: &Spot<T, P>, _: I, _: &'a mut Option<Box<()>>) -> &'a () {
        self
    }
    #[inline(always)]
    fn __at_written(&mut self, _: &Spot<T, P>, _: I) -> &mut () {
        self
    }
}

/// [`HasSpotMut`] through any number of references, with its message where there is none.
pub trait AtSpot {
    /// The part, to be written.
    #[inline(always)]
    fn __at_mut<'a, S, I>(
        &'a mut self,
        spot: &S,
        index: I,
        sink: &'a mut Option<Box<Self::Part>>,
    ) -> &'a mut Self::Part
    where
        Self: HasSpotMut<S, I>,
    {
        self.part_mut(spot, index, sink)
    }
}
impl<T: ?Sized> AtSpot for T {}
