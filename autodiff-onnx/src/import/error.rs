//! What can go wrong with a model of a file.

use super::fault::Fault;
use crate::proto::ProtoError;
use autodiff_core::device::DeviceError;
use std::path::PathBuf;
use std::sync::Arc;

/// Why a model cannot be loaded, or cannot run on what it is given.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: Arc<std::io::Error>,
    },
    /// The bytes are no ONNX model.
    #[error(transparent)]
    Proto(#[from] ProtoError),
    /// The model has no graph.
    #[error("the model has no graph")]
    NoGraph,
    /// Operators of a version that is not supported.
    #[error(
        "the operators have the version {}, expected {} to {}: export with another `opset_version`",
        found.map_or("that the file does not say".to_owned(), |v| v.to_string()), expected.0, expected.1
    )]
    Opset {
        /// The version of the file.
        found: Option<i64>,
        /// The first and the last that are supported.
        expected: (i64, i64),
    },
    /// An operator that is not supported.
    #[error(
        "node `{node}`: the operator `{operator}` (opset {opset}) is not supported, the nearest that are: {nearest}; `onnx::operators()` lists all"
    )]
    Operator {
        /// The node.
        node: String,
        /// Its operator, with the domain if it is not that of ONNX.
        operator: String,
        /// The version of the operators.
        opset: i64,
        /// Names of operators that look alike.
        nearest: String,
    },
    /// An attribute that the operator does not have, or of another type.
    #[error(
        "node `{node}` (`{operator}`, opset {opset}): the attribute `{attribute}` is {found}, expected {expected}"
    )]
    Attribute {
        /// The node.
        node: String,
        /// Its operator.
        operator: &'static str,
        /// The version of the operators.
        opset: i64,
        /// The attribute.
        attribute: String,
        /// What it may be; the attributes that there are, if it is none of them.
        expected: String,
        /// What it is.
        found: String,
    },
    /// Another number of operands than the operator has.
    #[error("node `{node}` (`{operator}`): {found} inputs, expected {expected}")]
    Arity {
        /// The node.
        node: String,
        /// Its operator.
        operator: &'static str,
        /// How many it has.
        found: usize,
        /// How many it may have.
        expected: String,
    },
    /// A value that nothing defines.
    #[error("{reader} reads `{value}`, which no input, initialiser or node is")]
    Undefined {
        /// What reads it.
        reader: String,
        /// The value.
        value: String,
    },
    /// A value that is defined twice.
    #[error("`{value}` is defined twice")]
    Twice {
        /// The value.
        value: String,
    },
    /// A node that needs its own result.
    #[error("node `{node}` (`{operator}`) depends on its own result")]
    Cycle {
        /// The node.
        node: String,
        /// Its operator.
        operator: String,
    },
    /// A tensor of the file that values cannot be.
    #[error("the tensor `{name}`: {fault}")]
    Tensor {
        /// Its name.
        name: String,
        /// What is wrong.
        #[source]
        fault: Fault,
    },
    /// A name that is none of those that there are.
    #[error("there is no {what} `{name}`, expected one of: {names}")]
    Name {
        /// What is looked for: an input, an output, an initialiser, a parameter.
        what: &'static str,
        /// The name.
        name: String,
        /// Those that there are.
        names: String,
    },
    /// Another number of inputs or outputs than the program has.
    #[error("the file has {found} {what}s ({names}), expected {expected}")]
    Count {
        /// Inputs or outputs.
        what: &'static str,
        /// How many the program has.
        expected: usize,
        /// How many the file has.
        found: usize,
        /// Their names in the file.
        names: String,
    },
    /// An input, an output or a parameter of another type or other sizes than the program says.
    #[error("the {what} `{name}` is {found}, expected {expected}")]
    Mismatch {
        /// Input, output or parameter.
        what: &'static str,
        /// Its name.
        name: String,
        /// What the program says.
        expected: String,
        /// What it is.
        found: String,
    },
    /// A node that cannot run.
    #[error("node `{node}` (`{operator}`, opset {opset}): {fault}")]
    Node {
        /// The node.
        node: String,
        /// Its operator.
        operator: &'static str,
        /// The version of the operators.
        opset: i64,
        /// Why.
        #[source]
        fault: Fault,
    },
    /// Parameters and inputs on different devices.
    #[error(
        "`{name}` is on {found}, the other values are on {expected}: bring them together with `.to(&device)`"
    )]
    Device {
        /// The value.
        name: String,
        /// Where it is.
        found: String,
        /// Where the others are.
        expected: String,
    },
    /// What a device could not do.
    #[error(transparent)]
    Reported(#[from] DeviceError),
}
