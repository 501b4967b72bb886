//! What gradients are taken by.

use crate::lists::{sequences, tuples};
use crate::node::{Node, Place};
use crate::slot::slot;
use crate::{Tape, TapeError, Var};
use autodiff_core::ad::Differentiable;
use std::rc::Rc;

/// What a gradient is taken by: a reference to a [`Var`], or several in a tuple, an array, a slice or a `Vec`.
#[diagnostic::on_unimplemented(
    message = "a gradient cannot be taken by `{Self}`",
    note = "write `&w`, a tuple `(&w, &b)` of up to eight, an array, or a slice of `Var`s"
)]
pub trait Wrt {
    /// The gradient: of the same form, with tangents in the place of values.
    type Gradient;
    #[doc(hidden)]
    fn places(&self, tape: &Tape, operation: &'static str) -> Result<Vec<Place>, TapeError>;
    #[doc(hidden)]
    fn gradient(&self, nodes: &[Rc<dyn Node>]) -> Self::Gradient;
}

impl<V: Differentiable + 'static> Wrt for &Var<V> {
    type Gradient = V::Tangent;
    fn places(&self, tape: &Tape, operation: &'static str) -> Result<Vec<Place>, TapeError> {
        Ok(vec![self.place_on(tape, operation)?.clone()])
    }
    fn gradient(&self, nodes: &[Rc<dyn Node>]) -> V::Tangent {
        let kept = slot::<V>(self.place(), nodes).and_then(|slot| slot.kept());
        kept.unwrap_or_else(|| self.value().zero_tangent())
    }
}

macro_rules! of_sequence {
    ([$($generics:tt)*] $t:ty => $gradient:ty, |$them:ident, $each:ident| $collect:expr) => {
        impl<$($generics)*> Wrt for $t {
            type Gradient = $gradient;
            fn places(&self, tape: &Tape, operation: &'static str) -> Result<Vec<Place>, TapeError> {
                let each = self.iter().map(|w| Ok(w.place_on(tape, operation)?.clone()));
                each.collect()
            }
            fn gradient(&self, nodes: &[Rc<dyn Node>]) -> Self::Gradient {
                let $them = self;
                let $each = |w: &Var<V>| Wrt::gradient(&w, nodes);
                $collect
            }
        }
    };
}
sequences!(of_sequence, [Differentiable + 'static], V::Tangent);

macro_rules! of_tuple {
    ($n:literal: $($T:ident $i:tt),*) => {
        impl<$($T: Wrt),*> Wrt for ($($T,)*) {
            type Gradient = ($($T::Gradient,)*);
            fn places(&self, tape: &Tape, operation: &'static str) -> Result<Vec<Place>, TapeError> {
                let parts = [$(self.$i.places(tape, operation)?),*];
                Ok(parts.concat())
            }
            fn gradient(&self, nodes: &[Rc<dyn Node>]) -> Self::Gradient {
                ($(self.$i.gradient(nodes),)*)
            }
        }
    };
}
tuples!(of_tuple);
