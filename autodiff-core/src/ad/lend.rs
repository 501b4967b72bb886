//! Arguments that a call may change.

use core::marker::PhantomData;

/// What the pullback of a function has in the place of an argument `&mut T`: the state that the
/// function saw is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone;

/// What a pullback takes for an argument that was lent: the value again, or [`Gone`].
///
/// A caller that passes on the name of a mutable reference cannot tell which of the two the function
/// wants; the types can.
pub trait Again<'a, T: ?Sized> {
    /// From a copy of the value.
    fn again(value: &'a T) -> Self;
}

impl<'a, T: ?Sized> Again<'a, T> for &'a T {
    #[inline(always)]
    fn again(value: &'a T) -> Self {
        value
    }
}

impl<'a, T> Again<'a, Vec<T>> for &'a [T] {
    #[inline(always)]
    fn again(value: &'a Vec<T>) -> Self {
        value
    }
}

impl<'a, T, const N: usize> Again<'a, [T; N]> for &'a [T] {
    #[inline(always)]
    fn again(value: &'a [T; N]) -> Self {
        value
    }
}

impl<'a, T: ?Sized> Again<'a, T> for Gone {
    #[inline(always)]
    fn again(_: &'a T) -> Self {
        Gone
    }
}

/// What a caller keeps of a value that it lends to a call: a copy, if the pullback takes the value [`Again`], and nothing if it
/// takes [`Gone`].
///
/// The caller makes the copy before the call, and the compiler learns from the call what the pullback takes. Until then
/// [`Taken`] stands for its type.
///
/// ```text
/// let taken = ad::Taken::new();
/// let before = ad::kept(&taken, &state);
/// let (v, p) = state.__step_vjp(modes, x);
/// ad::taken_beside_2(&p, &taken);
/// ```
pub trait KeptFor<T: ?Sized> {
    /// What is kept.
    type Kept;
    /// Keeps it.
    fn keep(value: &T) -> Self::Kept;
}

/// The type of what a pullback takes for the receiver of its call.
#[derive(Debug)]
pub struct Taken<R>(PhantomData<R>);

impl<R> Taken<R> {
    /// A type that is not known yet.
    #[inline(always)]
    #[expect(clippy::new_without_default, reason = "used by expansions alone")]
    pub const fn new() -> Self {
        Taken(PhantomData)
    }
}

/// A copy of what a call may change, if its pullback takes it.
#[inline(always)]
pub fn kept<R: KeptFor<T>, T: ?Sized>(_: &Taken<R>, value: &T) -> R::Kept {
    R::keep(value)
}

impl<T: ?Sized + ToOwned> KeptFor<T> for &T {
    type Kept = T::Owned;
    #[inline(always)]
    fn keep(value: &T) -> T::Owned {
        value.to_owned()
    }
}

impl<T: Clone> KeptFor<Vec<T>> for &[T] {
    type Kept = Vec<T>;
    #[inline(always)]
    fn keep(value: &Vec<T>) -> Vec<T> {
        value.clone()
    }
}

impl<T: Clone, const N: usize> KeptFor<[T; N]> for &[T] {
    type Kept = [T; N];
    #[inline(always)]
    fn keep(value: &[T; N]) -> [T; N] {
        value.clone()
    }
}

impl<T: ?Sized> KeptFor<T> for Gone {
    type Kept = Gone;
    #[inline(always)]
    fn keep(_: &T) -> Gone {
        Gone
    }
}

/// For pullbacks of so many parameters behind the receiver: one for each argument of the method, a second for each that is a
/// reference, and the cotangent of the receiver.
macro_rules! taking {
    ($($name:ident [$($A:ident)*])*) => { $(
        /// Says that the second parameter of a pullback is what it takes for the receiver.
        #[inline(always)]
        pub fn $name<F, O, C, R, $($A),*>(_: &F, _: &Taken<R>)
        where
            F: FnOnce(C, R, $($A),*) -> O,
        {
        }
    )* };
}
taking! {
    taken_beside_1 [A0]
    taken_beside_2 [A0 A1]
    taken_beside_3 [A0 A1 A2]
    taken_beside_4 [A0 A1 A2 A3]
    taken_beside_5 [A0 A1 A2 A3 A4]
    taken_beside_6 [A0 A1 A2 A3 A4 A5]
    taken_beside_7 [A0 A1 A2 A3 A4 A5 A6]
    taken_beside_8 [A0 A1 A2 A3 A4 A5 A6 A7]
    taken_beside_9 [A0 A1 A2 A3 A4 A5 A6 A7 A8]
    taken_beside_10 [A0 A1 A2 A3 A4 A5 A6 A7 A8 A9]
    taken_beside_11 [A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10]
    taken_beside_12 [A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11]
    taken_beside_13 [A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12]
    taken_beside_14 [A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13]
    taken_beside_15 [A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14]
}

/// What the pullback of the called function takes.
#[inline(always)]
pub fn again<'a, T: ?Sized, A: Again<'a, T>>(value: &'a T) -> A {
    A::again(value)
}
