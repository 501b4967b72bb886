//! What the macro cannot tell of arrays of other crates.
//!
//! Views among what has no derivative. A pullback borrows nothing, so that a view that it may keep becomes a value.

/// A value that may be a view of another one. Method lookup tells: for views of ndarray there is an inherent method.
#[derive(Debug)]
pub struct Viewed<T>(pub T);

/// What is no view.
pub trait MayBeViewed<T> {
    /// The value itself.
    fn own(self) -> T;
    /// The value itself, no array.
    fn of_f32(self) -> T;
    /// The value itself, no array.
    fn of_f64(self) -> T;
}

impl<T> MayBeViewed<T> for Viewed<T> {
    #[inline(always)]
    fn own(self) -> T {
        self.0
    }
    #[inline(always)]
    fn of_f32(self) -> T {
        self.0
    }
    #[inline(always)]
    fn of_f64(self) -> T {
        self.0
    }
}

/// The `n`-th entry of a matrix or an array of any number of axes, in the order of `iter`.
#[derive(Clone, Copy, Debug)]
pub struct Nth(pub usize);

/// Says of which numbers an array is, where nothing else does: an inherent method, which a type of another crate has
/// for these numbers alone.
#[cfg(any(feature = "nalgebra", feature = "ndarray"))]
macro_rules! numbers {
    ($([$($g:tt)*] $($A:ident)::+ [$($after:tt)*];)*) => { $(
        impl<$($g)*> $crate::ad::Viewed<$($A)::+<f32 $($after)*>> {
            #[doc(hidden)]
            #[inline(always)]
            pub fn of_f32(self) -> $($A)::+<f32 $($after)*> {
                self.0
            }
        }
        impl<$($g)*> $crate::ad::Viewed<$($A)::+<f64 $($after)*>> {
            #[doc(hidden)]
            #[inline(always)]
            pub fn of_f64(self) -> $($A)::+<f64 $($after)*> {
                self.0
            }
        }
    )* };
}
#[cfg(any(feature = "nalgebra", feature = "ndarray"))]
pub(crate) use numbers;
