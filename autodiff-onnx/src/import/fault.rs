//! Why a node cannot run.

use autodiff_core::device::{DeviceError, IndexError, MAX_RANK};

/// Why an operation of a model cannot be done with what it is given.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// An operand that the operator needs is left out.
    #[error("its input {input} is missing")]
    Missing {
        /// Its position.
        input: usize,
    },
    /// An operand of a type that the operator does not take.
    #[error("its input {input} is of {found}, expected {expected}")]
    Type {
        /// Its position.
        input: usize,
        /// What it takes.
        expected: &'static str,
        /// What there is.
        found: &'static str,
    },
    /// Operands whose sizes do not fit one another.
    #[error("{what}")]
    Sizes {
        /// What does not fit.
        what: String,
    },
    /// An axis that a tensor does not have.
    #[error("axis {axis} of a tensor of {rank} axes")]
    Axis {
        /// The axis.
        axis: i64,
        /// The number of axes.
        rank: usize,
    },
    /// More axes than tensors have.
    #[error("a tensor of {found} axes, expected {MAX_RANK} at most")]
    Rank {
        /// How many.
        found: usize,
    },
    /// More elements than are allowed.
    #[error(
        "a tensor of sizes {sizes:?}, expected {limit} elements at most; `Options::limit` changes that"
    )]
    TooLarge {
        /// Its sizes.
        sizes: Vec<usize>,
        /// How many elements it may have.
        limit: usize,
    },
    /// An attribute without a meaning.
    #[error("its attribute `{name}` {what}")]
    Attribute {
        /// Its name.
        name: &'static str,
        /// What is wrong with it.
        what: String,
    },
    /// A form of the operator that is not supported.
    #[error("{what} is not supported{}{instead}", if instead.is_empty() { "" } else { ": " })]
    Unsupported {
        /// The form.
        what: String,
        /// The way out.
        instead: &'static str,
    },
    /// A number that an operation cannot take.
    #[error("{what}")]
    Number {
        /// What is wrong.
        what: String,
    },
    /// An index outside its range.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A device that cannot give a number, or could not do what came before.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl Fault {
    /// Sizes that do not fit.
    pub(super) fn sizes(what: impl Into<String>) -> Self {
        Fault::Sizes { what: what.into() }
    }

    /// A form that is not supported, with the way out.
    pub(super) fn unsupported(what: impl Into<String>, instead: &'static str) -> Self {
        let what = what.into();
        Fault::Unsupported { what, instead }
    }
}
