//! Typed tensors and their untyped storage.

mod create;
mod differentiable;
mod ranges;
pub mod raw;
mod raw_ops;
mod raw_pick;
mod show;
mod typed;

pub use create::{Nested, tensor};
pub use differentiable::TensorAcc;
pub use raw::Raw;
pub use typed::Tensor;
