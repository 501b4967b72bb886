//! Directions to differentiate along.

use crate::ad::Tangent;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Random directions, the same ones for the same seed.
pub(super) struct Directions(ChaCha8Rng);

impl Directions {
    pub(super) fn new(seed: u64) -> Self {
        Directions(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A direction of the structure of `zero`, its entries uniform in ±[0.5, 1.5): none is so small
    /// that a wrong entry would go unnoticed.
    pub(super) fn like<T: Tangent>(&mut self, zero: &T) -> T {
        zero.fill_with(&mut || {
            let size = self.0.random_range(0.5..1.5);
            if self.0.random() { size } else { -size }
        })
    }
}

/// The relative rounding error of the least precise entry, told by what becomes of 1/3.
pub(super) fn unit_roundoff(t: &impl Tangent) -> f64 {
    let third = 1.0 / 3.0;
    let mut exact = 0.0;
    let rounded = t.fill_with(&mut || {
        exact += third * third;
        third
    });
    let error = if exact == 0.0 {
        0.0
    } else {
        (rounded.dot(&rounded) / exact - 1.0).abs()
    };
    match error {
        0.0..1e-13 => f64::EPSILON,
        1e-13..1e-6 => f64::from(f32::EPSILON),
        _ => 2f64.powi(-7),
    }
}
