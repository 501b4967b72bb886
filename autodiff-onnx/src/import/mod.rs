//! ONNX files as models: loaded with types at both ends, run on every device, differentiated, trained.
//!
//! | file | what it has |
//! |---|---|
//! | `options`, `model` | what a user sees |
//! | `ends` | inputs and outputs as typed tensors |
//! | `module`, `weights` | parameters, gradients |
//! | `program` | the graph of a file, checked and put in order |
//! | `nodes`, `roles` | its nodes and initialisers |
//! | `run` | node by node |
//! | `operators/` | the operators of ONNX |
//! | `rules/` | the operations that they are put together from, with derivatives |
//! | `tape` | the list of pullbacks of a run |
//! | `value` | tensors of run-time types |
//!
//! What depends on sizes and constants alone (`Shape → Gather → Concat`) is *known*: it runs on the host, on every device and
//! while a graph is recorded.

mod attributes;
mod ends;
mod error;
mod fault;
mod model;
mod module;
mod nodes;
mod operators;
mod options;
mod program;
mod roles;
mod rules;
mod run;
mod tape;
#[cfg(test)]
mod tests;
mod value;
mod weights;

pub use ends::{End, Ends};
pub use error::ModelError;
pub use fault::Fault;
pub use model::Model;
pub use options::Options;
pub use weights::Weights;

/// The operators that a model may have: each with the forms of it that are not supported.
///
/// ```
/// use differentiable::onnx;
///
/// assert!(onnx::operators().any(|(name, _)| name == "Conv"));
/// ```
pub fn operators() -> impl Iterator<Item = (&'static str, &'static str)> {
    operators::OPERATORS.iter().map(|o| (o.name, o.without))
}
