use crate::dist::{Kind, LaunchError};
use std::time::Duration;
use thiserror::Error;

/// Why ranks could not exchange numbers.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CommError {
    /// A rank ended, while others still count on it.
    #[error("rank {rank} has ended, and this rank waits for it in {call}")]
    Gone {
        /// The rank that ended.
        rank: usize,
        /// What this rank asked for.
        call: String,
    },
    /// A rank did not come in time.
    #[error(
        "rank {rank} did not come within {limit:?} to {call} (the variable DIFFERENTIABLE_RANK_LIMIT sets the limit, in seconds)"
    )]
    TimedOut {
        /// The rank that did not come.
        rank: usize,
        /// What this rank asked for.
        call: String,
        /// How long this rank waited.
        limit: Duration,
    },
    /// Two ranks ask for different things in the same call.
    #[error(
        "the ranks disagree in call number {number}: rank {rank} asks for {call}, rank {other} for {other_call}"
    )]
    Mismatch {
        /// The number of the call, from 1.
        number: u64,
        /// A rank.
        rank: usize,
        /// What it asks for.
        call: String,
        /// Another one.
        other: usize,
        /// What that one asks for.
        other_call: String,
    },
    /// There is no such rank.
    #[error("there is no rank {rank} among {size}, in {call}")]
    NoRank {
        /// The rank that was named.
        rank: usize,
        /// The number of ranks.
        size: usize,
        /// What this rank asked for.
        call: String,
    },
    /// Numbers that cannot be shared out evenly.
    #[error("{len} numbers cannot be divided evenly among {size} ranks, in {call}")]
    Uneven {
        /// How many there are.
        len: usize,
        /// The number of ranks.
        size: usize,
        /// What this rank asked for.
        call: String,
    },
    /// What came has another type or length than what was expected.
    #[error("{found_len} numbers of {found} came, expected {expected_len} of {expected}")]
    Received {
        /// The type that was expected.
        expected: Kind,
        /// How many were expected.
        expected_len: usize,
        /// The type that came.
        found: Kind,
        /// How many came.
        found_len: usize,
    },
    /// A tensor of a module or of a gradient has elements that ranks do not exchange, such as numbers with tangents.
    #[error(
        "tensor number {index} has elements that ranks do not exchange: expected f32, f64 or Mixed"
    )]
    Elements {
        /// The place of the tensor among those of the module or gradient, from 0.
        index: usize,
    },
    /// A tensor cannot be read from its device.
    #[error("tensor number {index} cannot be read: {why}")]
    Device {
        /// The place of the tensor among those of the module or gradient, from 0.
        index: usize,
        /// The error of the device.
        why: String,
    },
    /// The model has other parameters than in the steps before.
    #[error(
        "the model has other parameters than in the steps before: an optimiser serves one model"
    )]
    OtherModel,
    /// Something else than what a scheme sends came, for example an odd header.
    #[error("what came from rank {rank} is no {expected}")]
    Unexpected {
        /// The rank that sent it.
        rank: usize,
        /// What was expected.
        expected: &'static str,
    },
    /// Another rank could not go on; its own error says why.
    #[error("rank {rank} could not go on: {why}")]
    Failed {
        /// The rank.
        rank: usize,
        /// Its error.
        why: String,
    },
    /// The engine below refused.
    #[error("{engine} refused {call}: {why}")]
    Engine {
        /// `MPI` or `NCCL`.
        engine: &'static str,
        /// What this rank asked for.
        call: String,
        /// What the engine says.
        why: String,
    },
    /// The ranks could not begin.
    #[error(transparent)]
    Launch(#[from] LaunchError),
}
