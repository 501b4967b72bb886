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
}

impl<T> MayBeViewed<T> for Viewed<T> {
    #[inline(always)]
    fn own(self) -> T {
        self.0
    }
}

/// The `n`-th entry of a matrix or an array of any number of axes, in the order of `iter`.
#[derive(Clone, Copy, Debug)]
pub struct Nth(pub usize);
