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

/// The tangent of a constant field of a type that has none: a mark, which parts of it and `#[constant]` parameters take.
pub trait NoTangentAtAll {
    /// The mark.
    fn get(&self, none: &mut Option<()>) -> &'static ();
}

impl<X: ?Sized> NoTangentAtAll for FieldTangent<'_, X, ()> {
    #[inline(always)]
    fn get(&self, _: &mut Option<()>) -> &'static () {
        &()
    }
}

/// The cotangent of a field whose value was replaced: nothing of it goes to the old value.
///
/// The cotangent of a constant field is [`NoGrad`], which method lookup finds out, as for
/// [`FieldTangent`].
#[derive(Debug)]
pub struct Cleared<'a, W, A: ?Sized>(pub &'a W, pub &'a mut A);

impl<T: Differentiable> Cleared<'_, Wit<T>, Ct<T>> {
    /// Whatever is added to the value.
    #[inline(always)]
    pub fn by<P: ?Sized>(self, _: &P) {}
    /// Makes it zero.
    #[inline(always)]
    pub fn clear(self) {
        *self.1 = self.0.zero();
    }
    /// Makes it zero, and is what it was.
    #[inline(always)]
    pub fn take(self) -> Ct<T> {
        core::mem::replace(self.1, self.0.zero())
    }
}

/// The cotangent of a constant field: there is nothing to clear.
pub trait NothingToClear: Sized {
    /// What is added to the value has to be constant: `added` is its cotangent.
    #[inline(always)]
    fn by<P: OfConstant + ?Sized>(self, _added: &P) {}
    /// Does nothing.
    fn clear(self);
    /// Does nothing.
    fn take(self) -> NoGrad;
}

impl<W> NothingToClear for Cleared<'_, W, NoGrad> {
    #[inline(always)]
    fn clear(self) {}
    #[inline(always)]
    fn take(self) -> NoGrad {
        NoGrad
    }
}

/// The cotangent of a field of a literal, to be given to the value that the field got.
///
/// A constant field may get the value of a constant field; an active value there would lose its derivative, and is an
/// error. Method lookup finds out, as for [`FieldTangent`].
#[derive(Debug)]
pub struct Given<'a, T: Differentiable + ?Sized, C>(pub &'a Wit<T>, pub C);

impl<T: Differentiable + ?Sized> Given<'_, T, Ct<T>>
where
    Ct<T>: Sized,
{
    /// Whatever the value is made of.
    #[inline(always)]
    pub fn of<P: ?Sized>(self, _: &P) -> Self {
        self
    }
    /// Adds it to the cotangent of the value.
    #[inline(always)]
    pub fn pull<D: Acc<T>>(self, d: &mut D) {
        d.acc(self.1);
    }
    /// The cotangent of the value, of which nothing is known before.
    #[inline(always)]
    pub fn first(self) -> Ct<T> {
        T::first(&self.0.0, self.1)
    }
}

/// The cotangent of a constant field: there is nothing to give.
pub trait NothingToGive<T: Differentiable + ?Sized>: Sized {
    /// What the value is made of has to be constant: `parts` are the cotangents.
    #[inline(always)]
    fn of<P: OfConstant + ?Sized>(self, _parts: &P) -> Self {
        self
    }
    /// Does nothing.
    #[inline(always)]
    fn pull<D>(self, _: &mut D) {}
    /// Zero.
    fn first(self) -> Ct<T>;
}

impl<T: Differentiable + ?Sized> NothingToGive<T> for Given<'_, T, NoGrad>
where
    Ct<T>: Sized,
{
    #[inline(always)]
    fn first(self) -> Ct<T> {
        self.0.zero()
    }
}

/// What the cotangent or the tangent of a struct has for a constant field.
#[diagnostic::on_unimplemented(
    message = "an active value is given to a `#[constant]` field",
    label = "its derivative would be lost",
    note = "hold it, `stop_gradient(x)`, or take `#[constant]` from the field"
)]
pub trait OfConstant {}
impl OfConstant for NoGrad {}
impl OfConstant for () {}
#[diagnostic::do_not_recommend]
impl<T: OfConstant + ?Sized> OfConstant for &T {}
#[diagnostic::do_not_recommend]
impl<T: OfConstant + ?Sized> OfConstant for &mut T {}
#[diagnostic::do_not_recommend]
impl<T: Differentiable + ?Sized> OfConstant for Wit<T> where Ct<T>: OfConstant {}
#[diagnostic::do_not_recommend]
impl<T: OfConstant> OfConstant for [T] {}
#[diagnostic::do_not_recommend]
impl<T: OfConstant> OfConstant for Vec<T> {}
#[diagnostic::do_not_recommend]
impl<T: OfConstant> OfConstant for Option<T> {}
#[diagnostic::do_not_recommend]
impl<T: OfConstant, const N: usize> OfConstant for [T; N] {}

macro_rules! tuples {
    ($($T:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($T: OfConstant),*> OfConstant for ($($T,)*) {}
    };
}
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);
tuples!(A B C D E F G H I);
tuples!(A B C D E F G H I J);
tuples!(A B C D E F G H I J K);
tuples!(A B C D E F G H I J K L);

/// What the tangent of a struct has for a field, and what there is of the value that the field got: for constant fields
/// both are `()`. What is active there is an error of reverse mode, [`Given`].
#[derive(Debug)]
pub struct Put<'a, F, R: ?Sized>(pub &'a mut F, pub &'a R);

impl<R: ?Sized> Put<'_, (), R> {
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
