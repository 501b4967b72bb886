//! Typed tensors and their untyped storage.

mod create;
mod differentiable;
pub mod raw;
mod raw_fold;
mod raw_mask;
mod raw_ops;
mod raw_sort;
mod show;
mod typed;

pub use create::{Nested, tensor};
pub use differentiable::TensorAcc;
pub use raw::Raw;
pub use typed::Tensor;
