//! What an optimiser remembers, in a form that can be saved.

use crate::nn::{State, StateError};
use std::collections::BTreeMap;
use thiserror::Error;

/// What an optimiser remembers between steps, in a form that can be saved.
#[derive(Clone, Debug, PartialEq)]
pub struct OptimizerState {
    /// Which optimiser.
    pub algorithm: String,
    /// The number of steps done.
    pub steps: u64,
    /// Other numbers that changed during the run, such as `skipped` and `plateau.factor`.
    pub numbers: BTreeMap<String, f64>,
    /// `SLOT.PARAMETER`, for example `first_moment.hidden.weight`.
    pub tensors: State,
}

/// Why a saved state does not fit an optimiser.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OptimizerStateError {
    /// It was saved by another optimiser.
    #[error("it was saved by the optimiser `{found}`, expected `{expected}`")]
    Algorithm {
        /// This optimiser.
        expected: &'static str,
        /// The one that saved it.
        found: String,
    },
    /// A number is missing: the optimiser that saved it had other settings.
    #[error(
        "the number `{name}` is missing: the optimiser that was saved did not have this setting"
    )]
    MissingNumber {
        /// The number.
        name: String,
    },
    /// There is a number that this optimiser has no use for.
    #[error(
        "the number `{name}` is not expected: the optimiser that was saved had a setting that this one lacks"
    )]
    SurplusNumber {
        /// The number.
        name: String,
    },
    /// A number is not one that an optimiser saves there.
    #[error("the number `{name}` is {found}, expected {expected}")]
    Number {
        /// The number.
        name: String,
        /// What it should be, in words.
        expected: &'static str,
        /// What it is, as text.
        found: String,
    },
    /// It was saved for another model, or with another kind of momentum.
    #[error(transparent)]
    Tensors(#[from] StateError),
}
