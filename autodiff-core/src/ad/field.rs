//! Tangents and cotangents of fields, also of those that are constant.

use super::{Acc, Ct, Differentiable, NoGrad, Wit};

/// A field and what the tangent of its struct has for it: a tangent, or `()` for a constant field.
///
/// Which of the two is decided by method lookup, where an inherent method comes before that of a
/// trait: emitted code does not know which fields are constant.
#[derive(Debug)]
pub struct FieldTangent<'a, X: ?Sized, T: ?Sized>(pub &'a X, pub &'a T);

impl<'a, X: Differentiable + ?Sized> FieldTangent<'a, X, X::Tangent> {
    /// The tangent.
    #[inline(always)]
    pub fn get(self, _: &mut Option<X::Tangent>) -> &'a X::Tangent {
        self.1
    }
}

/// The tangent of a constant field: zero.
pub trait NoTangent<'a, X: Differentiable + ?Sized> {
    /// The zero, which lives in `zero`.
    fn get(self, zero: &'a mut Option<X::Tangent>) -> &'a X::Tangent;
}

impl<'a, X: Differentiable + ?Sized> NoTangent<'a, X> for FieldTangent<'_, X, ()> {
    #[inline(always)]
    fn get(self, zero: &'a mut Option<X::Tangent>) -> &'a X::Tangent {
        zero.insert(self.0.zero_tangent())
    }
}

/// The cotangent of a field whose value was replaced: nothing of it goes to the old value.
///
/// The cotangent of a constant field is [`NoGrad`], which method lookup finds out, as for
/// [`FieldTangent`].
#[derive(Debug)]
pub struct Cleared<'a, T: Differentiable, A: ?Sized>(pub &'a Wit<T>, pub &'a mut A);

impl<T: Differentiable> Cleared<'_, T, Ct<T>> {
    /// Makes it zero.
    #[inline(always)]
    pub fn clear(self) {
        *self.1 = self.0.zero();
    }
}

/// The cotangent of a constant field: there is nothing to clear.
pub trait NothingToClear {
    /// Does nothing.
    fn clear(self);
}

impl<T: Differentiable> NothingToClear for Cleared<'_, T, NoGrad> {
    #[inline(always)]
    fn clear(self) {}
}

/// A field of a literal that is copied from a field, with its cotangent: a constant field may be copied to one.
///
/// Method lookup finds out, as for [`FieldTangent`].
#[derive(Debug)]
pub struct Copied<'a, T: Differentiable, C>(pub &'a Wit<T>, pub C);

impl<T: Differentiable> Copied<'_, T, Ct<T>> {
    /// Gives the cotangent to the field that was copied.
    #[inline(always)]
    pub fn pull<D: Acc<T>>(self, d: &mut D) {
        d.acc(self.1);
    }
    /// The same of a copy of a field, whose own cotangent is `field`.
    #[inline(always)]
    pub fn pull_like<D: Acc<T>, F>(self, d: &mut D, _: &F) {
        d.acc(self.1);
    }
}

impl<T: Differentiable> Copied<'_, T, &mut Ct<T>> {
    /// The same of a literal that stays, whose field had the value `before`: its cotangent becomes zero.
    #[inline(always)]
    pub fn take<D: Acc<T>>(self, before: &Wit<T>, d: &mut D) {
        d.acc(core::mem::replace(self.1, before.zero()));
    }
    /// The same of a copy of a field, whose own cotangent is `field`.
    #[inline(always)]
    pub fn take_like<D: Acc<T>, F>(self, before: &Wit<T>, d: &mut D, _: &F) {
        self.take(before, d);
    }
}

/// The cotangent of a constant field: that of a constant one takes nothing.
pub trait NothingToPull<T: Differentiable> {
    /// Does nothing.
    fn pull(self, d: &mut NoGrad);
    /// Does nothing.
    fn take(self, before: &Wit<T>, d: &mut NoGrad);
    /// Does nothing: the field is constant too.
    fn pull_like<D>(self, d: &mut D, field: &NoGrad);
    /// Does nothing: the field is constant too.
    fn take_like<D>(self, before: &Wit<T>, d: &mut D, field: &NoGrad);
}

macro_rules! constant {
    ($($t:ty)*) => { $(
        impl<T: Differentiable> NothingToPull<T> for Copied<'_, T, $t> {
            #[inline(always)]
            fn pull(self, _: &mut NoGrad) {}
            #[inline(always)]
            fn take(self, _: &Wit<T>, _: &mut NoGrad) {}
            #[inline(always)]
            fn pull_like<D>(self, _: &mut D, _: &NoGrad) {}
            #[inline(always)]
            fn take_like<D>(self, _: &Wit<T>, _: &mut D, _: &NoGrad) {}
        }
    )* };
}
constant!(NoGrad &mut NoGrad);

/// The tangent of such a field, beside that of the field that is copied: both are `()` for constant ones.
#[derive(Debug)]
pub struct Put<'a, F, R: ?Sized>(pub &'a mut F, pub &'a R);

impl Put<'_, (), ()> {
    /// Does nothing.
    #[inline(always)]
    pub fn put<X>(self, _: X) {}
}

/// The tangent of a field that has one.
pub trait PutTangent<F> {
    /// Writes it.
    fn put(self, tangent: F);
}

impl<F, R: ?Sized> PutTangent<F> for Put<'_, F, R> {
    #[inline(always)]
    fn put(self, tangent: F) {
        *self.0 = tangent;
    }
}

/// A tangent or a cotangent with parts that are indexed by a tuple: `m[(i, j)]`.
#[diagnostic::on_unimplemented(
    message = "an index that is a tuple has no derivative in `{Self}`",
    label = "not a matrix whose crate is a feature of this one",
    note = "annotate a method with the two numbers, `m.at(i, j)`, and call it"
)]
pub trait HasEntry<I> {
    /// What is there.
    type Entry;
    /// The entry.
    fn entry(&self, index: I) -> &Self::Entry;
    /// The entry, to be written.
    fn entry_mut(&mut self, index: I) -> &mut Self::Entry;
}

#[diagnostic::do_not_recommend]
impl<I, T: core::ops::IndexMut<I, Output: Sized> + ?Sized> HasEntry<I> for T {
    type Entry = T::Output;
    #[inline(always)]
    fn entry(&self, index: I) -> &T::Output {
        &self[index]
    }
    #[inline(always)]
    fn entry_mut(&mut self, index: I) -> &mut T::Output {
        &mut self[index]
    }
}

/// [`HasEntry`] through any number of references.
pub trait TupleIndex {
    /// The entry.
    #[inline(always)]
    fn __entry<I>(&self, index: I) -> &Self::Entry
    where
        Self: HasEntry<I>,
    {
        self.entry(index)
    }
    /// The entry, to be written.
    #[inline(always)]
    fn __entry_mut<I>(&mut self, index: I) -> &mut Self::Entry
    where
        Self: HasEntry<I>,
    {
        self.entry_mut(index)
    }
}
impl<T: ?Sized> TupleIndex for T {}
