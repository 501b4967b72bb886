//! Normalisation.

mod batch;
mod rows;

pub use batch::{BatchNorm, BatchNorm1d, BatchNorm2d, BatchNorm3d};
pub use rows::{GroupNorm, InstanceNorm, LayerNorm, RmsNorm};
