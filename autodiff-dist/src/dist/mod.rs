//! Many ranks: collective calls, and training by them.

mod call;
mod error;
mod flat;
mod launch;
#[cfg(feature = "mpi")]
mod mpi;
mod numbers;
mod parallel;
mod ranks;
mod threads;
mod zero;

pub use call::{Call, Reduce};
pub use error::CommError;
pub use launch::{LaunchError, Place, init, limit};
#[cfg(feature = "mpi")]
pub use mpi::Mpi;
pub use numbers::{Kind, Number, Numbers};
pub use parallel::{DataParallel, LocalSgd};
pub use ranks::{Alone, Answer, Collective, Pending, Ranks};
pub use threads::{threads, threads_within};
pub use zero::{ShardError, Sharded, Zero};
