//! What gradients are taken by, where these are values of the tape.

use super::{Cotangents, Vector, sum};
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
        let found = sum::<V>(found).unwrap_or_else(|e| panic!("values of one tape: {e}"));
        found.unwrap_or_else(|| tape.constant(self.value().zero_tangent()))
    }
}

macro_rules! sequences {
    ($([$($generics:tt)*] $t:ty => $vars:ty, |$them:ident, $each:ident| $collect:expr;)*) => { $(
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
    )* };
}

sequences! {
    [V: Vector] &[Var<V>] => Vec<Var<V>>, |them, each| them.iter().map(each).collect();
    [V: Vector] &[&Var<V>] => Vec<Var<V>>, |them, each| them.iter().map(|w| each(w)).collect();
    [V: Vector] &Vec<Var<V>> => Vec<Var<V>>, |them, each| them.iter().map(each).collect();
    [V: Vector, const N: usize] &[Var<V>; N] => [Var<V>; N], |them, each| core::array::from_fn(|k| each(&them[k]));
    [V: Vector, const N: usize] [&Var<V>; N] => [Var<V>; N], |them, each| them.map(each);
}

macro_rules! tuples {
    ($(($($T:ident $i:tt),*))*) => { $(
        impl<$($T: WrtVars),*> WrtVars for ($($T,)*) {
            type Vars = ($($T::Vars,)*);
            fn vars(&self, tape: &Tape, found: &mut dyn Iterator<Item = Cotangents>) -> Self::Vars {
                ($(self.$i.vars(tape, found),)*)
            }
        }
    )* };
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, E 3)
    (A 0, B 1, C 2, E 3, F 4)
    (A 0, B 1, C 2, E 3, F 4, G 5)
    (A 0, B 1, C 2, E 3, F 4, G 5, H 6)
    (A 0, B 1, C 2, E 3, F 4, G 5, H 6, I 7)
}
