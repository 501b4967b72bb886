//! Arguments that a call may change.

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

/// What the pullback of the called function takes.
#[inline(always)]
pub fn again<'a, T: ?Sized, A: Again<'a, T>>(value: &'a T) -> A {
    A::again(value)
}
