//! Convolutions and pools over sequences, images and volumes.

mod conv;
mod grouped;
mod pool;
mod transposed;

pub use conv::{Conv1d, Conv2d, Conv3d};
pub use grouped::*;
pub use pool::*;
pub use transposed::{ConvTranspose1d, ConvTranspose2d, ConvTranspose3d};
