//! Why a graph is no ONNX model.

use crate::proto::ProtoError;
use autodiff_core::device::record::Node;
use std::path::PathBuf;

/// Why a graph could not be written as an ONNX model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OnnxError {
    /// ONNX has no operators that do what an operation does.
    #[error("ONNX cannot say `{operation}`, recorded at {location}: {reason}")]
    Operation {
        /// The method of [`Backend`](autodiff_core::device::Backend).
        operation: String,
        /// The line of the program that asked for it.
        location: String,
        /// What is missing, and the way out.
        reason: String,
    },
    /// A graph that gives nothing.
    #[error("the graph has no outputs: name them by `recording.output(name, &tensor)`")]
    NoOutputs,
    /// Two values of one name.
    #[error("two {what} have the name `{name}`: expected a name for each")]
    Name {
        /// Inputs or outputs.
        what: &'static str,
        /// Their name.
        name: String,
    },
    /// Elements that ONNX does not have.
    #[error(
        "`{name}` has elements of type {dtype}, which ONNX does not have: record the program with `f32` or `f64`"
    )]
    Elements {
        /// The input or output, or where a value was recorded.
        name: String,
        /// The type of the elements.
        dtype: String,
    },
    /// A number or a size that is not `a + b·batch`, or a program that does other things for other batches.
    #[error("the graph does not hold for every batch: {what}, recorded at {location}")]
    Batch {
        /// What depends on the batch.
        what: String,
        /// The line of the program.
        location: String,
    },
    /// The elements of a variable could not be read from its device.
    #[error("the variable `{name}`: {what}")]
    Variable {
        /// Its name.
        name: String,
        /// What is wrong.
        what: String,
    },
    /// The model is no file.
    #[error(transparent)]
    Proto(#[from] ProtoError),
    /// The file could not be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: std::io::Error,
    },
}

impl OnnxError {
    /// What ONNX cannot say of a node.
    pub(super) fn of(node: &Node, reason: impl Into<String>) -> Self {
        OnnxError::Operation {
            operation: node.operation().into(),
            location: node.location().to_string(),
            reason: reason.into(),
        }
    }
}
