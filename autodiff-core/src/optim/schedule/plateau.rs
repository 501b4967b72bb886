//! A learning rate that falls where the loss no longer does.

use crate::optim::OptimizerStateError;
use std::collections::BTreeMap;

/// Lowers the learning rate when the loss no longer falls, as PyTorch's `ReduceLROnPlateau` does.
///
/// The optimiser gets the losses from [`observe`](crate::optim::Optimizer::observe), after an epoch for example. When more
/// than `patience` of them one after the other are no better than the best before, the rate is multiplied by `factor`. A
/// [schedule](crate::optim::Descent::schedule) multiplies it too, if there is one.
///
/// ```
/// # use autodiff_core as differentiable;
/// use differentiable::optim::{Optimizer, Plateau, Sgd};
///
/// let mut sgd = Sgd::new(0.5).plateau(Plateau::new(0.1, 1));
/// for loss in [3.0, 2.0, 2.5, 2.5] {
///     sgd.observe(loss);
/// }
/// assert_eq!(sgd.rate(), 0.05);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Plateau {
    by: f64,
    patience: u64,
    threshold: f64,
    cooldown: u64,
    floor: f64,
    /// What was seen so far.
    pub(in crate::optim) factor: f64,
    best: f64,
    bad: u64,
    resting: u64,
}

impl Plateau {
    /// Multiplies the rate by `factor` after more than `patience` losses without progress.
    ///
    /// # Panics
    /// When the factor is not in `0.0..1.0`.
    pub fn new(factor: f64, patience: u64) -> Self {
        crate::optim::check_fraction("the factor of `Plateau`", factor);
        Plateau {
            by: factor,
            patience,
            threshold: 1e-4,
            cooldown: 0,
            floor: 0.0,
            factor: 1.0,
            best: f64::INFINITY,
            bad: 0,
            resting: 0,
        }
    }

    /// A loss is progress when it is below the best one by this fraction of it; 1e-4 if not set.
    ///
    /// # Panics
    /// When it is not in `0.0..1.0`.
    pub fn threshold(mut self, fraction: f64) -> Self {
        crate::optim::check_fraction("the threshold of `Plateau`", fraction);
        self.threshold = fraction;
        self
    }

    /// Counts no losses without progress for so many losses after a change; 0 if not set.
    pub fn cooldown(mut self, losses: u64) -> Self {
        self.cooldown = losses;
        self
    }

    /// The factor on the base rate never falls below this; 0 if not set.
    ///
    /// # Panics
    /// When it is not in `0.0..1.0`.
    pub fn floor(mut self, factor: f64) -> Self {
        crate::optim::check_fraction("the floor of `Plateau`", factor);
        self.floor = factor;
        self
    }

    /// Takes a loss; NaN is no progress.
    pub(in crate::optim) fn observe(&mut self, loss: f64) {
        // PyTorch's `best · (1 − threshold)`.
        if loss < self.best * (1.0 - self.threshold) {
            (self.best, self.bad) = (loss, 0);
        } else {
            self.bad += 1;
        }
        if self.resting > 0 {
            self.resting -= 1;
            self.bad = 0;
        }
        if self.bad > self.patience {
            self.factor = (self.factor * self.by).max(self.floor);
            (self.bad, self.resting) = (0, self.cooldown);
        }
    }

    pub(in crate::optim) fn save(&self, numbers: &mut BTreeMap<String, f64>) {
        let (bad, resting) = (self.bad as f64, self.resting as f64);
        let all = [self.factor, self.best, bad, resting];
        numbers.extend(NAMES.map(String::from).into_iter().zip(all));
    }

    /// Takes its numbers out of those that were saved.
    pub(in crate::optim) fn load(
        &mut self,
        numbers: &mut BTreeMap<String, f64>,
    ) -> Result<(), OptimizerStateError> {
        let mut found = [0.0; 4];
        for (found, name) in found.iter_mut().zip(NAMES) {
            *found = super::super::take_number(numbers, name)?;
        }
        let [factor, best, bad, resting] = found;
        let checks = [
            (
                factor.is_finite() && factor >= 0.0,
                "a finite number of at least 0",
            ),
            (!best.is_nan(), "a loss"),
            (bad >= 0.0, "a count"),
            (resting >= 0.0, "a count"),
        ];
        for (((fine, expected), name), found) in checks.into_iter().zip(NAMES).zip(found) {
            if !fine {
                return Err(OptimizerStateError::Number {
                    name: name.to_string(),
                    expected,
                    found: found.to_string(),
                });
            }
        }
        (self.factor, self.best) = (factor, best);
        (self.bad, self.resting) = (bad as u64, resting as u64);
        Ok(())
    }
}

const NAMES: [&str; 4] = [
    "plateau.factor",
    "plateau.best",
    "plateau.bad",
    "plateau.resting",
];
