//! One mistake, one message: what emitted code names so that the compiler says nothing about it where the function
//! itself has an error. See `autodiff-macros/src/items/checked/`.

use super::{Differentiable, WithScalar};

/// A type with a derivative, for the one message about a type without.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no derivative",
    label = "no derivative",
    note = "write `#[derive(Differentiable)]` on the type. What needs no gradient can be of any type where it is marked `#[constant]`: a field, or a parameter of a function"
)]
pub trait Carries {
    /// Nothing: the constant asks for the trait.
    const CHECKED: () = ();

    /// The value itself: asks its type for the trait.
    fn same(self) -> Self
    where
        Self: Sized,
    {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Differentiable + ?Sized> Carries for T {}

/// A type with derivatives of every order.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no derivatives of higher order",
    label = "its numbers have a fixed type",
    note = "write `#[derive(Clone, Differentiable)]` with `#[differentiable(higher_order)]` below it on the type, or make it generic over its scalar, `struct Body<T> {{ mass: T }}`, and take a `Body<f64>`"
)]
pub trait CarriesAll {
    /// Nothing: the constant asks for the trait.
    const CHECKED: () = ();
}

#[diagnostic::do_not_recommend]
impl<T: Differentiable + WithScalar<f64> + Clone> CarriesAll for T {}

/// `T`, where a function has no error: see `autodiff-macros/src/items/checked/`.
#[doc(hidden)]
pub type Checked<T, const ERRORS: usize> = <Errors<ERRORS> as Without<T>>::Type;

/// So many errors.
#[doc(hidden)]
#[derive(Debug)]
pub struct Errors<const N: usize>;

/// Gives a type where there are none.
#[doc(hidden)]
pub trait Without<T: ?Sized> {
    /// The type.
    type Type: ?Sized;
}

impl<T: ?Sized> Without<T> for Errors<0> {
    type Type = T;
}

/// What is checked of a function with parameters where nothing stands for them: nothing.
#[doc(hidden)]
pub trait Unchecked {
    /// No error is known of.
    const CHECKED: usize = 0;
}

impl<T: ?Sized> Unchecked for T {}

/// The field of a variant, through the reference that a pattern made of it: a method, for where the value in the match
/// is an error, the compiler takes the field itself.
#[doc(hidden)]
pub trait FieldOfVariant {
    /// The field.
    fn __field(&self) -> &Self;
    /// The field, to be changed.
    fn __field_mut(&mut self) -> &mut Self;
}

impl<T: ?Sized> FieldOfVariant for T {
    #[inline(always)]
    fn __field(&self) -> &T {
        self
    }
    #[inline(always)]
    fn __field_mut(&mut self) -> &mut T {
        self
    }
}
