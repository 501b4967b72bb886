use crate::nn::StateError;
use crate::optim::OptimizerStateError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a checkpoint could not be written, read or used. Each message names the file, what is wrong
/// and what was expected. The whole cause
/// is in the message, so there is no [`source`](std::error::Error::source) that repeats it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be opened or read.
    #[error("{}: cannot read the checkpoint: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file cannot be written. An older checkpoint of this name is still complete.
    #[error("{}: cannot write the checkpoint: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
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
    #[error("{}: tensor `{name}` is {found}, expected f32, f64, bf16 or f16", path.display())]
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
    /// An entry beside the tensors cannot be understood or is not allowed.
    #[error("{}: entry `{key}` of the checkpoint is {:?}, expected {expected}", path.display(), brief(found))]
    BadEntry {
        /// The file.
        path: PathBuf,
        /// The entry's name.
        key: String,
        /// What it says.
        found: String,
        /// What it should be, in words.
        expected: String,
    },
    /// A tensor holds an infinite number or NaN.
    #[error(
        "{}: the checkpoint holds a number that is not finite: {found} at index {index} of tensor \
         `{name}`, expected finite numbers only",
        path.display()
    )]
    NotFinite {
        /// The file.
        path: PathBuf,
        /// The tensor.
        name: String,
        /// The place of the first such number, in row-major order.
        index: usize,
        /// The number.
        found: f64,
    },
    /// The parameters do not fit the model.
    #[error("{}: the checkpoint does not fit the model: {error}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// The tensor, what was expected, what was found.
        error: StateError,
    },
    /// The optimiser's state does not fit the optimiser.
    #[error("{}: the checkpoint does not fit the optimiser: {error}", path.display())]
    Optimizer {
        /// The file.
        path: PathBuf,
        /// What was expected, what was found.
        error: OptimizerStateError,
    },
}

/// The start of a text that may be long.
fn brief(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
