use crate::nn::StateError;
use crate::optim::OptimizerStateError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a checkpoint could not be written, read or used. Each message names the file, what is wrong
/// and what was expected.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be opened or read.
    #[error("{}: cannot read the checkpoint: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file cannot be written. An older checkpoint of this name is still complete.
    #[error("{}: cannot write the checkpoint: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file ends too early.
    #[error("{}: the checkpoint is truncated: expected {expected} bytes, found {found}", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// The length that its header announces.
        expected: u64,
        /// The length that it has.
        found: u64,
    },
    /// The file is something else, or damaged.
    #[error("{}: not a checkpoint: expected a safetensors file, found {reason}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What shows it.
        reason: String,
    },
    /// A tensor has an element type that parameters never have.
    #[error("{}: tensor `{name}` is {found}, expected f32 or f64", path.display())]
    ElementType {
        /// The file.
        path: PathBuf,
        /// The tensor.
        name: String,
        /// Its element type.
        found: String,
    },
    /// An entry beside the tensors is missing.
    #[error("{}: the checkpoint has no entry `{key}`, expected one: it was not written by this kind of run", path.display())]
    NoEntry {
        /// The file.
        path: PathBuf,
        /// The entry's name.
        key: String,
    },
    /// An entry beside the tensors cannot be understood.
    #[error("{}: entry `{key}` of the checkpoint is {found:?}, expected a {expected}", path.display())]
    BadEntry {
        /// The file.
        path: PathBuf,
        /// The entry's name.
        key: String,
        /// What it says.
        found: String,
        /// The type it should be of.
        expected: &'static str,
    },
    /// The parameters do not fit the model.
    #[error("{}: the checkpoint does not fit the model: {source}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// The tensor, what was expected, what was found.
        source: StateError,
    },
    /// The optimiser's state does not fit the optimiser.
    #[error("{}: the checkpoint does not fit the optimiser: {source}", path.display())]
    Optimizer {
        /// The file.
        path: PathBuf,
        /// What was expected, what was found.
        source: OptimizerStateError,
    },
}
