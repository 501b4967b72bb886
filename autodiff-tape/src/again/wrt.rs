//! What gradients are taken by, where these are values of the tape.

use super::{Cotangents, Vector, sum};
use crate::error::of_one_tape;
use crate::lists::{sequences, tuples};
use crate::{Tape, Var, Wrt};

/// What [`Tape::grad`] takes a gradient by: as [`Wrt`], of values whose gradients have the same type.
pub trait WrtVars: Wrt {
    /// The gradient: of the same form, with [`Var`]s.
    type Vars;
    #[doc(hidden)]
    fn vars(&self, tape: &Tape, found: &mut dyn Iterator<Item = Cotangents>) -> Self::Vars;
}

impl<V: Vector> WrtVars for &Var<V> {
    type Vars = Var<V>;
    fn vars(&self, tape: &Tape, found: &mut dyn Iterator<Item = Cotangents>) -> Var<V> {
        let found = found.next().expect("a sum for each");
        let found = of_one_tape(sum::<V>(found));
        match found {
            // What was composed for the pass was noted also under `no_grad`.
            Some(found) if !tape.is_recording() => found.detach(),
            Some(found) => found,
            None => tape.constant(self.value().zero_tangent()),
        }
    }
}

macro_rules! of_sequence {
    ([$($generics:tt)*] $t:ty => $vars:ty, |$them:ident, $each:ident| $collect:expr) => {
        impl<$($generics)*> WrtVars for $t {
            type Vars = $vars;
            fn vars(&self, tape: &Tape, found: &mut dyn Iterator<Item = Cotangents>) -> Self::Vars {
                let $them = self;
                // Not every one of them calls it by a unique reference.
                let found = core::cell::RefCell::new(found);
                let $each = |w: &Var<V>| WrtVars::vars(&w, tape, &mut **found.borrow_mut());
                $collect
            }
        }
    };
}
sequences!(of_sequence, [Vector], Var<V>);

macro_rules! of_tuple {
    ($n:literal: $($T:ident $i:tt),*) => {
        impl<$($T: WrtVars),*> WrtVars for ($($T,)*) {
            type Vars = ($($T::Vars,)*);
            fn vars(&self, tape: &Tape, found: &mut dyn Iterator<Item = Cotangents>) -> Self::Vars {
                ($(self.$i.vars(tape, found),)*)
            }
        }
    };
}
tuples!(of_tuple);
