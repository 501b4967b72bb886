//! `Option`, `Result` and `Box`.

use crate::ad::in_place::map_box;
use crate::ad::{Acc, Ct, Differentiable, Factor, Mode, SquareSum, Tangent};

#[cold]
#[inline(never)]
#[track_caller]
fn absent(value: &str) -> ! {
    panic!("a tangent `Some(..)` was given for the value `{value}`")
}

/// `empty` is the value without a derivative, for the message.
#[inline(always)]
#[track_caller]
fn finish<T: Differentiable>(
    proto: &Option<T::Proto>,
    ct: Option<Ct<T>>,
    empty: &str,
) -> Option<T::Tangent> {
    match (proto, ct) {
        (Some(proto), Some(ct)) => Some(T::finish(proto, ct)),
        (Some(proto), None) => Some(T::finish(proto, T::zero_ct(proto))),
        (None, None) => None,
        (None, Some(_)) => absent(empty),
    }
}

#[inline(always)]
#[track_caller]
fn first<T: Differentiable>(
    proto: &Option<T::Proto>,
    ct: Option<Ct<T>>,
    empty: &str,
) -> Option<Ct<T>> {
    match (proto, ct) {
        (Some(proto), Some(ct)) => Some(T::first(proto, ct)),
        (Some(proto), None) => Some(T::zero_ct(proto)),
        (None, None) => None,
        (None, Some(_)) => absent(empty),
    }
}

#[inline(always)]
#[track_caller]
fn acc<T: Differentiable, A: Acc<T>>(d: &mut Option<A>, ct: Option<Ct<T>>, empty: &str) {
    if A::ON {
        match (d, ct) {
            (Some(d), Some(ct)) => d.acc(ct),
            (_, None) => {}
            (None, Some(_)) => absent(empty),
        }
    }
}

impl<T> crate::ad::NotBoxed for Option<T> {}
impl<T, E> crate::ad::NotBoxed for Result<T, E> {}

impl<T: Differentiable> Differentiable for Option<T> {
    type Tangent = Option<T::Tangent>;
    type Proto = Option<T::Proto>;
    type Adj<M: Mode> = Option<T::Adj<M>>;
    type Others = crate::ad::On;

    #[inline(always)]
    fn proto(&self) -> Self::Proto {
        self.as_ref().map(T::proto)
    }
    #[inline(always)]
    fn zero_ct(proto: &Self::Proto) -> Ct<Self> {
        proto.as_ref().map(T::zero_ct)
    }
    #[inline(always)]
    fn first(proto: &Self::Proto, ct: Ct<Self>) -> Ct<Self> {
        first::<T>(proto, ct, "None")
    }
    #[inline(always)]
    fn zero_adj<M: Mode>(&self, mode: M) -> Self::Adj<M> {
        self.as_ref().map(|x| x.zero_adj(mode))
    }
    #[inline(always)]
    fn zero_tangent(&self) -> Self::Tangent {
        self.as_ref().map(T::zero_tangent)
    }
    #[inline(always)]
    fn finish(proto: &Self::Proto, ct: Ct<Self>) -> Self::Tangent {
        finish::<T>(proto, ct, "None")
    }
    #[inline(always)]
    fn finish_here(&self, ct: Ct<Self>) -> Self::Tangent {
        match (self, ct) {
            (Some(value), Some(ct)) => Some(value.finish_here(ct)),
            (Some(value), None) => Some(value.zero_tangent()),
            (None, None) => None,
            (None, Some(_)) => absent("None"),
        }
    }
    #[inline(always)]
    fn start(tangent: Self::Tangent) -> Ct<Self> {
        tangent.map(T::start)
    }
    #[inline(always)]
    fn add_scaled(&mut self, step: f64, tangent: &Self::Tangent) {
        match (self, tangent) {
            (Some(x), Some(t)) => x.add_scaled(step, t),
            (_, None) => {}
            (None, Some(_)) => absent("None"),
        }
    }
    #[inline(always)]
    fn difference(&self, other: &Self) -> Self::Tangent {
        match (self, other) {
            (Some(x), Some(y)) => Some(x.difference(y)),
            (None, None) => None,
            _ => panic!("`Some` and `None` have no difference"),
        }
    }
}

impl<T: Differentiable, A: Acc<T>> Acc<Option<T>> for Option<A> {
    const ON: bool = A::ON;
    #[inline(always)]
    fn acc(&mut self, ct: Option<Ct<T>>) {
        acc(self, ct, "None");
    }
}

/// The value of an `Ok` has a derivative, an error has none: the tangent of an `Err` is `None`, and
/// numbers in the error count as constants.
impl<T: Differentiable, E> Differentiable for Result<T, E> {
    type Tangent = Option<T::Tangent>;
    type Proto = Option<T::Proto>;
    type Adj<M: Mode> = Option<T::Adj<M>>;
    type Others = crate::ad::On;

    #[inline(always)]
    fn proto(&self) -> Self::Proto {
        self.as_ref().ok().map(T::proto)
    }
    #[inline(always)]
    fn zero_ct(proto: &Self::Proto) -> Ct<Self> {
        proto.as_ref().map(T::zero_ct)
    }
    #[inline(always)]
    fn first(proto: &Self::Proto, ct: Ct<Self>) -> Ct<Self> {
        first::<T>(proto, ct, "Err(..)")
    }
    #[inline(always)]
    fn zero_adj<M: Mode>(&self, mode: M) -> Self::Adj<M> {
        self.as_ref().ok().map(|x| x.zero_adj(mode))
    }
    #[inline(always)]
    fn zero_tangent(&self) -> Self::Tangent {
        self.as_ref().ok().map(T::zero_tangent)
    }
    #[inline(always)]
    fn finish(proto: &Self::Proto, ct: Ct<Self>) -> Self::Tangent {
        finish::<T>(proto, ct, "Err(..)")
    }
    #[inline(always)]
    fn start(tangent: Self::Tangent) -> Ct<Self> {
        tangent.map(T::start)
    }
    #[inline(always)]
    fn add_scaled(&mut self, step: f64, tangent: &Self::Tangent) {
        match (self, tangent) {
            (Ok(x), Some(t)) => x.add_scaled(step, t),
            (_, None) => {}
            (Err(_), Some(_)) => absent("Err(..)"),
        }
    }
    #[inline(always)]
    fn difference(&self, other: &Self) -> Self::Tangent {
        match (self, other) {
            (Ok(x), Ok(y)) => Some(x.difference(y)),
            (Err(_), Err(_)) => None,
            _ => panic!("`Ok` and `Err` have no difference"),
        }
    }
}

impl<T: Differentiable, E, A: Acc<T>> Acc<Result<T, E>> for Option<A> {
    const ON: bool = A::ON;
    #[inline(always)]
    fn acc(&mut self, ct: Option<Ct<T>>) {
        acc(self, ct, "Err(..)");
    }
}

/// `None` is the zero of its space.
impl<T: Tangent> Tangent for Option<T> {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        match (self, other) {
            (Some(a), Some(b)) => Some(a.add(b)),
            (a, b) => a.or(b),
        }
    }
    #[inline(always)]
    fn scale(self, factor: f64) -> Self {
        self.map(|a| a.scale(factor))
    }
    #[inline(always)]
    fn dot(&self, other: &Self) -> f64 {
        match (self, other) {
            (Some(a), Some(b)) => a.dot(b),
            _ => 0.0,
        }
    }
    #[inline(always)]
    fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self {
        self.as_ref().map(|a| a.fill_with(next))
    }
    #[inline(always)]
    fn each(&self, entry: &mut dyn FnMut(f64)) {
        self.iter().for_each(|a| a.each(entry));
    }
    fn add_squares(&self, to: &mut SquareSum) {
        self.iter().for_each(|a| a.add_squares(to));
    }
    fn scale_by(self, factor: &Factor<'_>) -> Self {
        self.map(|a| a.scale_by(factor))
    }
}

impl<T: Differentiable> Differentiable for Box<T> {
    type Tangent = Box<T::Tangent>;
    type Proto = Box<T::Proto>;
    type Adj<M: Mode> = Box<T::Adj<M>>;
    type Others = crate::ad::On;

    #[inline]
    fn proto(&self) -> Self::Proto {
        Box::new(T::proto(self))
    }
    #[inline]
    fn zero_ct(proto: &Self::Proto) -> Ct<Self> {
        Box::new(T::zero_ct(proto))
    }
    // The accumulator stays in the memory of the cotangent.
    #[inline]
    fn first(proto: &Self::Proto, mut ct: Ct<Self>) -> Ct<Self> {
        *ct = T::first(proto, *ct);
        ct
    }
    #[inline]
    fn zero_adj<M: Mode>(&self, mode: M) -> Self::Adj<M> {
        Box::new(T::zero_adj(self, mode))
    }
    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        Box::new(T::zero_tangent(self))
    }
    #[inline]
    fn finish(proto: &Self::Proto, ct: Ct<Self>) -> Self::Tangent {
        map_box(ct, |ct| T::finish(proto, ct))
    }
    #[inline]
    fn finish_here(&self, ct: Ct<Self>) -> Self::Tangent {
        map_box(ct, |ct| T::finish_here(self, ct))
    }
    #[inline]
    fn start(tangent: Self::Tangent) -> Ct<Self> {
        map_box(tangent, T::start)
    }
    #[inline]
    fn add_scaled(&mut self, step: f64, tangent: &Self::Tangent) {
        T::add_scaled(self, step, tangent);
    }
    #[inline]
    fn difference(&self, other: &Self) -> Self::Tangent {
        Box::new(T::difference(self, other))
    }

    parts! {
        |self, seek| seek.only::<T>(self),
        |part, way| way.adj::<M, T, P>(part), way.tangent::<T, P>(part), way.tangent_mut::<T, P>(part)
    }
}

impl<T: Differentiable, A: Acc<T>> Acc<Box<T>> for Box<A> {
    const ON: bool = A::ON;
    #[inline]
    fn acc(&mut self, ct: Box<Ct<T>>) {
        (**self).acc(*ct);
    }
}

impl<T: Tangent> Tangent for Box<T> {
    // The sum moves into the memory of its first operand.
    #[inline]
    fn add(mut self, other: Self) -> Self {
        *self = T::add(*self, *other);
        self
    }
    #[inline]
    fn scale(mut self, factor: f64) -> Self {
        *self = T::scale(*self, factor);
        self
    }
    #[inline]
    fn dot(&self, other: &Self) -> f64 {
        T::dot(self, other)
    }
    #[inline]
    fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self {
        Box::new(T::fill_with(self, next))
    }
    #[inline]
    fn each(&self, entry: &mut dyn FnMut(f64)) {
        T::each(self, entry);
    }
    fn add_squares(&self, to: &mut SquareSum) {
        T::add_squares(self, to);
    }
    fn scale_by(mut self, factor: &Factor<'_>) -> Self {
        *self = T::scale_by(*self, factor);
        self
    }
}
