//! Typed tensors and their untyped storage.

mod create;
mod create_rules;
mod differentiable;
mod half;
mod lift;
mod query;
mod ranges;
pub mod raw;
mod show;
mod typed;
#[doc(hidden)]
pub mod vmap;

pub use create::{Nested, tensor};
pub use create_rules::{NestedRule, tensor};
pub use differentiable::TensorAcc;
pub use half::HalfAcc;
pub use raw::Raw;
pub use raw::attention::{Attended, Masking};
pub use raw::conv::Pool;
#[cfg(feature = "linalg")]
pub use raw::linalg::Lu;
pub use raw::norm::Normalised;
pub use raw::recurrent::{Layer, LayerCotangents, LayerRun};
pub use typed::Tensor;
