//! Numbers that a device may hold: the norm of a gradient, and what it is clipped by.
//!
//! The norm of a gradient that is on a GPU is known there long before the host could know it. So the sum of squares is
//! built where the tensors are, and what the gradient is multiplied by stays there. Tangents pass both through; only
//! tensors look inside.

use super::traits::Tangent;
use core::any::Any;
use std::cell::RefCell;

/// A sum of squares, in parts: one that the host knows, and one for each tensor on a device.
#[derive(Default)]
pub struct SquareSum {
    pub(crate) host: f64,
    pub(crate) on_devices: Vec<Box<dyn Any>>,
}

impl SquareSum {
    /// Adds a number that the host knows.
    pub fn add(&mut self, number: f64) {
        self.host += number;
    }
}

/// A factor that is known to the host, or to a device.
pub struct Factor<'a> {
    pub(crate) host: &'a dyn Fn() -> f64,
    pub(crate) on_device: &'a dyn Any,
}

impl Factor<'_> {
    /// The number; the host waits for a device that has it.
    pub fn number(&self) -> f64 {
        (self.host)()
    }

    /// Whether this is no factor but what [`map_tensors`] does: then it was done with `x`.
    pub(crate) fn maps(&self, x: &mut dyn Any) -> bool {
        match self.on_device.downcast_ref::<EachTensor>() {
            Some(each) => {
                each.see(x);
                true
            }
            None => false,
        }
    }
}

/// What is done with each tensor of a tangent, a [`Raw`](crate::tensor::Raw) of some type of elements on some device, and with
/// each number.
struct EachTensor(RefCell<Box<See>>);

type See = dyn FnMut(&mut dyn Any);

impl EachTensor {
    fn see(&self, x: &mut dyn Any) {
        (self.0.borrow_mut())(x);
    }
}

/// Lets `each` change every tensor of a tangent, in order, and every `f32` and `f64` beside them.
#[doc(hidden)]
pub fn map_tensors<A: Tangent>(tangent: A, each: impl FnMut(&mut dyn Any) + 'static) -> A {
    tangent.scale_by(&Factor {
        host: &|| 1.0,
        on_device: &EachTensor(RefCell::new(Box::new(each))),
    })
}

/// Lets every tensor of a tangent change as `how` says, which tensors know; numbers stay.
pub(crate) fn change_tensors<A: Tangent>(tangent: A, how: &dyn Any) -> A {
    tangent.scale_by(&Factor {
        host: &|| 1.0,
        on_device: how,
    })
}
