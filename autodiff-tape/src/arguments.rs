//! Arguments of operations: tuples of values, and of [`Var`]s.

use crate::lists::tuples;
use crate::node::{Node, Place};
use crate::slot::{Slot, slot};
use crate::{Tape, TapeError, Var};
use autodiff_core::ad::{Ct, Differentiable, On};
use std::rc::Rc;

/// The arguments of an operation: a tuple of up to eight values.
#[doc(hidden)]
pub trait Arguments: ArgumentPlaces {}
impl<A: ArgumentPlaces> Arguments for A {}

/// How the cotangents of arguments come from their places, and go there.
#[doc(hidden)]
pub trait ArgumentPlaces: Differentiable + Clone + 'static {
    type Vars;
    type Places: AsRef<[Place]>;
    /// The sums so far, zero where there is none, and of constants.
    fn take(&self, places: &Self::Places, nodes: &[Rc<dyn Node>]) -> Ct<Self>;
    /// Puts the sums back.
    fn give(sums: Ct<Self>, places: &Self::Places, nodes: &[Rc<dyn Node>]);
    /// The values with their places.
    fn vars(&self, tape: &Tape, places: &Self::Places) -> Self::Vars;
}

/// One argument of a call: a [`Var`], or a reference to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value of a tape",
    note = "arguments of operations are `Var`s: `tape.var(x)` has a gradient, `tape.constant(x)` has none"
)]
pub trait Input: Sized {
    /// The type of its value.
    type Value: Differentiable + Clone + 'static;
    #[doc(hidden)]
    fn lent(&self) -> &Var<Self::Value>;
    #[doc(hidden)]
    fn into_value(self) -> Self::Value;
}

impl<V: Differentiable + Clone + 'static> Input for Var<V> {
    type Value = V;
    fn lent(&self) -> &Var<V> {
        self
    }
    fn into_value(self) -> V {
        Var::into_value(self)
    }
}

impl<V: Differentiable + Clone + 'static> Input for &Var<V> {
    type Value = V;
    fn lent(&self) -> &Var<V> {
        self
    }
    fn into_value(self) -> V {
        self.value().clone()
    }
}

/// The arguments of a call: a tuple of [`Var`]s or references to them, `(x,)` for one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of arguments",
    note = "one argument is written `(x,)`; there are at most eight"
)]
pub trait Inputs {
    /// The tuple of their values.
    type Values: Arguments;
    #[doc(hidden)]
    fn split(
        self,
        tape: &Tape,
        operation: &'static str,
        follows: impl Fn(usize) -> bool,
    ) -> Result<(Self::Values, <Self::Values as ArgumentPlaces>::Places), TapeError>;
}

fn take<V: Differentiable + 'static>(value: &V, place: &Place, nodes: &[Rc<dyn Node>]) -> Ct<V> {
    match slot::<V>(place, nodes) {
        None => value.zero_adj(On),
        Some(slot) => Slot::take_or_zero(slot),
    }
}

fn give<V: Differentiable + 'static>(ct: Ct<V>, place: &Place, nodes: &[Rc<dyn Node>]) {
    if let Some(slot) = slot::<V>(place, nodes) {
        slot.add(ct);
    }
}

macro_rules! of_tuple {
    ($n:literal: $($T:ident $i:tt),*) => {
        impl<$($T: Differentiable + Clone + 'static),*> ArgumentPlaces for ($($T,)*) {
            type Vars = ($(Var<$T>,)*);
            type Places = [Place; $n];
            fn take(&self, places: &[Place; $n], nodes: &[Rc<dyn Node>]) -> Ct<Self> {
                ($(take(&self.$i, &places[$i], nodes),)*)
            }
            fn give(sums: Ct<Self>, places: &[Place; $n], nodes: &[Rc<dyn Node>]) {
                $(give::<$T>(sums.$i, &places[$i], nodes);)*
            }
            fn vars(&self, tape: &Tape, places: &[Place; $n]) -> Self::Vars {
                ($(Var::new(tape, places[$i].clone(), self.$i.clone()),)*)
            }
        }

        impl<$($T: Input),*> Inputs for ($($T,)*) {
            type Values = ($($T::Value,)*);
            fn split(
                self,
                tape: &Tape,
                operation: &'static str,
                follows: impl Fn(usize) -> bool,
            ) -> Result<(Self::Values, [Place; $n]), TapeError> {
                let places = [$(match follows($i) {
                    true => self.$i.lent().place_on(tape, operation)?.clone(),
                    false => Place::Constant,
                }),*];
                Ok((($(self.$i.into_value(),)*), places))
            }
        }
    };
}
tuples!(of_tuple);
