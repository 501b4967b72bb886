//! Why weights cannot be read or written.

use super::mismatch::Mismatch;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why weights could not be imported. The module is unchanged then.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A file or a directory cannot be read.
    #[error("{}: cannot read it: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A file ends too early.
    #[error("{}: the file is truncated: expected {expected} bytes, found {found}", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// The length that its header announces.
        expected: u64,
        /// The length that it has.
        found: u64,
    },
    /// A file is something else, or damaged.
    #[error("{}: expected {expected}, found {reason}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it should be.
        expected: &'static str,
        /// What shows that it is not.
        reason: String,
    },
    /// An index lists a file that is not there.
    #[error("{}: the shard `{shard}` is not beside the index, which expects {tensors} tensors in it", index.display())]
    NoShard {
        /// The index.
        index: PathBuf,
        /// The file.
        shard: String,
        /// How many tensors it should have.
        tensors: usize,
    },
    /// A directory has no file of weights, or several without an index.
    #[error("{}: {}", path.display(), directory(found))]
    Directory {
        /// The directory.
        path: PathBuf,
        /// The files that could be meant.
        found: Vec<String>,
    },
    /// A pattern cannot be understood, or fits no name.
    #[error("the pattern `{pattern}`: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong.
        reason: String,
    },
    /// A number of the file is none of the type of the parameter, where rounding would change what it means.
    #[error("tensor `{name}` holds {found}, which is no {ty}")]
    Number {
        /// The tensor of the file.
        name: String,
        /// The number.
        found: String,
        /// The element type.
        ty: &'static str,
    },
    /// The tensors of the file are not those of the module.
    #[error(transparent)]
    Mismatch(#[from] Box<Mismatch>),
    /// `#[torch(..)]` on a field says what cannot be.
    #[error(transparent)]
    Form(#[from] FormError),
}

fn directory(found: &[String]) -> String {
    match found {
        [] => "the directory has no safetensors file".to_string(),
        many => format!(
            "the directory has {} and no index: name the file",
            many.join(", ")
        ),
    }
}

/// Why weights could not be exported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The file cannot be written. An older one of this name is still complete.
    #[error("{}: cannot write it: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// `#[torch(..)]` on a field says what cannot be.
    #[error(transparent)]
    Form(#[from] FormError),
}

/// `#[torch(..)]` on a field says what cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`#[torch(..)]` of `{field}`: {reason}")]
pub struct FormError {
    /// The field.
    pub field: String,
    /// What is wrong.
    pub reason: String,
}

impl FormError {
    pub(super) fn new(field: &str, reason: impl Into<String>) -> Self {
        FormError {
            field: field.to_string(),
            reason: reason.into(),
        }
    }
}
