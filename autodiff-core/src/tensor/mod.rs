//! Typed tensors and their untyped storage.

mod create;
mod create_rules;
mod differentiable;
mod half;
mod lift;
mod ranges;
pub mod raw;
mod raw_acc;
mod raw_attention;
mod raw_channels;
mod raw_conv;
mod raw_fold;
#[cfg(feature = "fft")]
mod raw_fourier;
mod raw_integer;
#[cfg(feature = "linalg")]
mod raw_linalg;
mod raw_mask;
mod raw_norm;
mod raw_ops;
mod raw_pick;
mod raw_recurrent;
mod raw_resample;
mod raw_sort;
mod show;
mod typed;

pub use create::{Nested, tensor};
pub use create_rules::{NestedRule, tensor};
pub use differentiable::TensorAcc;
pub use half::HalfAcc;
pub use raw::Raw;
pub use raw_attention::{Attended, Masking};
pub use raw_conv::Pool;
#[cfg(feature = "linalg")]
pub use raw_linalg::Lu;
pub use raw_norm::Normalised;
pub use raw_recurrent::{Layer, LayerCotangents, LayerRun};
pub use typed::Tensor;
