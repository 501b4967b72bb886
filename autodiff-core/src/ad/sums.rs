//! Numbers that a device may hold: the norm of a gradient, and what it is clipped by.
//!
//! The norm of a gradient that is on a GPU is known there long before the host could know it. So the sum of squares is
//! built where the tensors are, and what the gradient is multiplied by stays there. Tangents pass both through; only
//! tensors look inside.

use core::any::Any;

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
}
