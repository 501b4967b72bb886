//! What a pullback keeps of variables that may borrow from an argument.
//!
//! A pullback borrows nothing. Of a reference it keeps a copy of what that refers to, of anything else the value; method
//! lookup finds out which it is. `autodiff-macros/src/emit/vjp/held.rs` says of which variables.

use std::borrow::{Borrow, ToOwned};

/// A variable that is to be kept.
#[derive(Debug)]
pub struct Holding<X>(pub X);

impl<T: ToOwned + ?Sized> Holding<&T> {
    /// A copy of what the variable refers to.
    #[inline(always)]
    pub fn hold(self) -> HeldCopy<T> {
        HeldCopy(self.0.to_owned())
    }
}

/// The method of [`Holding`] for what is no reference.
pub trait HoldValue<X> {
    /// The value.
    fn hold(self) -> HeldValue<X>;
}

impl<X> HoldValue<X> for Holding<X> {
    #[inline(always)]
    fn hold(self) -> HeldValue<X> {
        HeldValue(Some(self.0))
    }
}

/// A copy of what a variable referred to.
#[derive(Debug)]
pub struct HeldCopy<T: ToOwned + ?Sized>(T::Owned);

impl<T: ToOwned<Owned: Clone> + ?Sized> Clone for HeldCopy<T> {
    fn clone(&self) -> Self {
        HeldCopy(self.0.clone())
    }
}

impl<T: ToOwned + ?Sized> HeldCopy<T> {
    /// The variable, which refers to the copy.
    #[inline(always)]
    pub fn lend(&mut self) -> &T {
        self.0.borrow()
    }
}

/// The value of a variable.
#[derive(Clone, Debug)]
pub struct HeldValue<X>(Option<X>);

impl<X> HeldValue<X> {
    /// The value, which can be taken once.
    ///
    /// # Panics
    /// If it was taken before.
    #[inline(always)]
    pub fn lend(&mut self) -> X {
        self.0.take().expect("a value is taken once")
    }
}
