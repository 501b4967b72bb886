//! Checkpoints.

mod atomic;
mod checkpoint;
mod error;
mod format;

pub use atomic::write_atomically;
pub use checkpoint::Checkpoint;
pub use error::CheckpointError;
