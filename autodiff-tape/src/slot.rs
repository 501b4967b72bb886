//! Where the cotangents of one value are added up.

use crate::node::{Node, Place};
use autodiff_core::ad::{Acc, Ct, Differentiable};
use core::cell::Cell;
use std::rc::Rc;

/// The cotangents of one value of type `V`.
pub(crate) struct Slot<V: Differentiable> {
    proto: V::Proto,
    /// The sum of a pass that has not reached the value yet; `None` if nothing was added.
    ct: Cell<Option<Ct<V>>>,
    /// A copy of that sum, for the pass that was asked for it.
    kept: Cell<Option<Ct<V>>>,
    /// The sum over all calls of `backward`.
    grad: Cell<Option<Ct<V>>>,
    /// Whether `backward` adds to `grad` here: always of a variable, on demand of a result.
    pub retain: Cell<bool>,
}

/// Adds to a cell.
fn add<V: Differentiable>(cell: &Cell<Option<Ct<V>>>, ct: Ct<V>) {
    cell.set(Some(match cell.take() {
        None => ct,
        Some(mut sum) => {
            sum.acc(ct);
            sum
        }
    }));
}

/// A copy of what a cell holds.
fn copy<T: Clone>(cell: &Cell<Option<T>>) -> Option<T> {
    let held = cell.take();
    cell.set(held.clone());
    held
}

impl<V: Differentiable> Slot<V> {
    pub fn new(value: &V, retain: bool) -> Self {
        Slot {
            proto: value.proto(),
            ct: Cell::new(None),
            kept: Cell::new(None),
            grad: Cell::new(None),
            retain: Cell::new(retain),
        }
    }

    pub fn add(&self, ct: Ct<V>) {
        add::<V>(&self.ct, ct);
    }

    /// The sum so far, which is zero from now on.
    pub fn take(&self) -> Option<Ct<V>> {
        self.ct.take()
    }

    /// The same, with a zero where nothing was added.
    pub fn take_or_zero(&self) -> Ct<V> {
        self.take().unwrap_or_else(|| V::zero_ct(&self.proto))
    }

    /// Copies the sum for who asked for it.
    pub fn keep(&self) {
        self.kept.set(copy(&self.ct));
    }

    /// What [`keep`](Self::keep) copied.
    pub fn kept(&self) -> Option<V::Tangent> {
        let ct = copy(&self.kept)?;
        Some(V::finish(&self.proto, ct))
    }

    /// Adds the sum to the gradient, which stays.
    pub fn settle(&self, ct: Ct<V>) {
        add::<V>(&self.grad, ct);
    }

    pub fn forget(&self) {
        self.ct.set(None);
        self.kept.set(None);
    }

    /// The gradient, where `backward` has reached the value.
    pub fn grad(&self) -> Option<V::Tangent> {
        let ct = copy(&self.grad)?;
        Some(V::finish(&self.proto, ct))
    }

    pub fn zero_grad(&self) {
        self.grad.set(None);
    }
}

/// The slot of the value at a place, which is of type `V`.
pub(crate) fn slot<'a, V: Differentiable + 'static>(
    place: &'a Place,
    nodes: &'a [Rc<dyn Node>],
) -> Option<&'a Slot<V>> {
    let node = place.node(nodes)?;
    let slot = node.slot().downcast_ref();
    Some(slot.expect("a place has the type of the value"))
}
