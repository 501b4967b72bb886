//! Checkpoints.

// Reading and writing a file dwarfs the move of an error.
#![allow(clippy::result_large_err)]

mod atomic;
mod checkpoint;
mod error;
mod format;

pub use atomic::{check_writable, remove_stale, write_atomically};
pub use checkpoint::Checkpoint;
pub use error::CheckpointError;
