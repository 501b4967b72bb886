//! What the example programs share: their options, the loop around training, the data of the repository, and pictures.
//!
//! A program's own file is the model, its data and what one step of training does:
//!
//! ```ignore
//! fn main() -> ExitCode {
//!     support::start(|args: &Args| &args.common, run)
//! }
//! ```

pub mod data;
mod fitting;
mod options;
pub mod pictures;
mod png;
mod ranks;
mod training;

pub use options::{Common, Goal, start};
pub use ranks::{by_ranks, is_first};
pub use training::{Plan, Step};
