//! Gradients by the value that they belong to.

use crate::error::OrPanic;
use crate::slot::slot;
use crate::{Tape, Var};
use autodiff_core::ad::Differentiable;

/// The gradients of a tape, asked for by value: the buffer of engines that keep gradients beside the list of operations.
/// [`Var::grad`] is the same gradient.
///
/// ```
/// use differentiable::tape::Tape;
///
/// let tape = Tape::new();
/// let w = tape.var(3.0f64);
/// let buffer = tape.gradient_buffer();
/// assert!(!buffer.is_in_memory(&w));
/// (&w * &w).backward();
/// buffer.update_param(&w, 0.5);
/// assert_eq!(buffer.get_param(&w), Some(6.5));
/// buffer.clear();
/// assert!(!buffer.is_in_memory(&w));
/// ```
#[derive(Clone, Debug)]
pub struct GradientBuffer(Tape);

impl Tape {
    /// The gradients, by value.
    pub fn gradient_buffer(&self) -> GradientBuffer {
        GradientBuffer(self.clone())
    }
}

impl GradientBuffer {
    /// Whether the value has a gradient.
    ///
    /// # Panics
    /// If the value is of another tape, or was computed before the tape was cleared. So do the other methods.
    #[track_caller]
    pub fn is_in_memory<V: Differentiable + 'static>(&self, x: &Var<V>) -> bool {
        self.get_param(x).is_some()
    }

    /// The gradient of the value.
    #[track_caller]
    pub fn get_param<V: Differentiable + 'static>(&self, x: &Var<V>) -> Option<V::Tangent> {
        let place = x.place_on(&self.0, "get_param");
        let place = place.or_panic();
        slot::<V>(place, &self.0.nodes())?.grad()
    }

    /// Adds to the gradient of the value.
    ///
    /// # Panics
    /// If the value is a constant, too.
    #[track_caller]
    pub fn update_param<V: Differentiable + 'static>(&self, x: &Var<V>, gradient: V::Tangent) {
        let place = x.place_on(&self.0, "update_param");
        let place = place.or_panic();
        let nodes = self.0.nodes();
        let slot = slot::<V>(place, &nodes).expect("`update_param`: a constant has no gradient");
        slot.settle(V::start(gradient));
    }

    /// Gives the value a zero gradient, where it has none.
    #[track_caller]
    pub fn add_spot<V: Differentiable + 'static>(&self, x: &Var<V>) {
        if !self.is_in_memory(x) {
            self.update_param(x, x.value().zero_tangent());
        }
    }

    /// [`Tape::zero_grads`].
    pub fn clear(&self) {
        self.0.zero_grads();
    }
}
