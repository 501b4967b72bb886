//! Checkpoints.

// Reading and writing a file dwarfs the move of an error.
#![allow(clippy::result_large_err)]

mod atomic;
mod checkpoint;
mod error;
mod format;
/// Messages of protocol buffers, for files that other programs read.
#[doc(hidden)]
pub mod proto;
/// Files of records, for TensorBoard.
#[doc(hidden)]
pub mod records;

pub use atomic::{check_writable, remove_stale, write_atomically};
pub use checkpoint::Checkpoint;
pub use error::CheckpointError;
