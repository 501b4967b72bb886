//! Which side of a compound assignment is evaluated first.
//!
//! Of `place += value` with numbers on both sides Rust evaluates the value first; of any other it evaluates the place
//! first, as the receiver of a method is ([the reference], "Compound assignment expressions"). Emitted code
//! asks where it makes a difference and the syntax does not tell the types: an inherent method of [`PlaceOf`] exists
//! for numbers and comes before the method of a trait, which all types have.
//!
//! [the reference]: https://doc.rust-lang.org/reference/expressions/operator-expr.html#compound-assignment-expressions

use super::Scalar;
use core::marker::PhantomData;

/// The type of a place, without a value.
#[derive(Clone, Copy, Debug)]
pub struct PlaceOf<T>(PhantomData<T>);

impl<T> PlaceOf<T> {
    /// That of the value.
    pub fn new(_: &T) -> Self {
        PlaceOf(PhantomData)
    }

    /// That of an option, which has none.
    pub fn known(_: Option<Self>) -> Self {
        PlaceOf(PhantomData)
    }
}

impl<T: Scalar> PlaceOf<T> {
    /// Whether the place is evaluated before the value.
    pub fn comes_first(self) -> bool {
        false
    }
}

/// Places of types that are not numbers.
pub trait OverloadedPlace: Sized {
    /// Whether the place is evaluated before the value.
    fn comes_first(self) -> bool {
        true
    }
}

impl<T> OverloadedPlace for PlaceOf<T> {}
