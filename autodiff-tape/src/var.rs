//! A value and its place on a tape.

use crate::node::Place;
use crate::slot::{Slot, slot};
use crate::{Loss, Tape, TapeError};
use autodiff_core::ad::Differentiable;
use core::fmt;

/// A value on a [`Tape`]: a variable, a constant, or the result of an operation.
///
/// Operators and methods of tensors and floats compute with it, and note what they do on the tape. A clone is the same value.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::tape::Tape;
///
/// let tape = Tape::new();
/// let w = tape.var(tensor([1.0, 2.0, 3.0]));
/// let loss = (&w * tensor([2.0, 0.0, 1.0])).sum().square();
/// loss.backward();
/// assert_eq!(loss.value().item(), 25.0);
/// assert_eq!(w.grad().unwrap().to_vec(), [20.0, 0.0, 10.0]);
/// ```
pub struct Var<V> {
    tape: Tape,
    place: Place,
    value: V,
}

impl<V: Clone> Clone for Var<V> {
    fn clone(&self) -> Self {
        Var {
            tape: self.tape.clone(),
            place: self.place.clone(),
            value: self.value.clone(),
        }
    }
}

impl<V: fmt::Debug> fmt::Debug for Var<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = match &self.place {
            Place::Constant => "constant".to_owned(),
            Place::Leaf(leaf) => leaf.name().unwrap_or_else(|| "variable".into()),
            Place::Operation { index, .. } => format!("operation {index}"),
        };
        f.debug_tuple("Var").field(&self.value).field(&of).finish()
    }
}

impl<V> Var<V> {
    pub(crate) fn new(tape: &Tape, place: Place, value: V) -> Self {
        Var {
            tape: tape.clone(),
            place,
            value,
        }
    }

    /// The value.
    pub fn value(&self) -> &V {
        &self.value
    }

    /// The value, without its place.
    pub fn into_value(self) -> V {
        self.value
    }

    /// The tape.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Whether the value is a variable or depends on one.
    pub fn requires_grad(&self) -> bool {
        !self.place.is_constant()
    }

    /// Whether it is a variable, as [`Tape::var`] makes one.
    pub fn is_variable(&self) -> bool {
        matches!(self.place, Place::Leaf(_))
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// The place, of a value that an operation of `tape` is given.
    pub(crate) fn place_on(
        &self,
        tape: &Tape,
        operation: &'static str,
    ) -> Result<&Place, TapeError> {
        if !self.tape.is(tape) {
            return Err(TapeError::OtherTape { operation });
        }
        match &self.place {
            Place::Operation { generation, .. } if *generation != tape.generation() => {
                Err(TapeError::Cleared { operation })
            }
            place => Ok(place),
        }
    }
}

impl<V: Clone> Var<V> {
    /// The same value as a constant: gradients do not flow through it.
    pub fn detach(&self) -> Var<V> {
        Var::new(&self.tape, Place::Constant, self.value.clone())
    }
}

impl<V: Differentiable + 'static> Var<V> {
    fn with_slot<R>(&self, operation: &'static str, read: impl FnOnce(&Slot<V>) -> R) -> Option<R> {
        let place = self.place_on(&self.tape, operation);
        let place = place.unwrap_or_else(|e| panic!("{e}"));
        let nodes = self.tape.nodes();
        slot::<V>(place, &nodes).map(read)
    }

    /// The gradient that [`backward`](Tape::backward) has added up; `None` before the first one that reached the value.
    ///
    /// Variables have it. Of other values it stays only where [`retain_grad`](Self::retain_grad) or
    /// [`Tape::retain_grads`] asked for it before.
    ///
    /// # Panics
    /// If the tape was cleared after the value was computed.
    #[track_caller]
    pub fn grad(&self) -> Option<V::Tangent> {
        self.with_slot("grad", Slot::grad)?
    }

    /// Sets the gradient back to `None`: `backward` adds to what is there.
    #[track_caller]
    pub fn zero_grad(&self) {
        self.with_slot("zero_grad", Slot::zero_grad);
    }

    /// Has [`backward`](Tape::backward) keep the gradient of this value too, though it is no variable.
    #[track_caller]
    pub fn retain_grad(&self) {
        self.with_slot("retain_grad", |slot| slot.retain.set(true));
    }

    /// Gives the value a name in the text of the tape.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        if let Ok(place) = self.place_on(&self.tape, "named")
            && let Some(node) = place.node(&self.tape.nodes())
        {
            node.set_name(name.into());
        }
        self
    }

    /// The name, where it was given one.
    pub fn name(&self) -> Option<String> {
        let place = self.place_on(&self.tape, "name").ok()?;
        place.node(&self.tape.nodes())?.name()
    }

    /// [`Tape::backward`] of this value.
    ///
    /// # Panics
    /// As [`Tape::backward`].
    #[track_caller]
    pub fn backward(&self)
    where
        V: Loss,
    {
        self.tape.backward(self);
    }

    /// [`Tape::backward_with`] of this value.
    ///
    /// # Panics
    /// As [`Tape::backward`].
    #[track_caller]
    pub fn backward_with(&self, cotangent: V::Tangent) {
        self.tape.backward_with(self, cotangent);
    }
}
