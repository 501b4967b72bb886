//! Many ranks: collective calls, and training by them.

mod call;
mod error;
mod flat;
mod launch;
#[cfg(feature = "mpi")]
mod mpi;
#[cfg(feature = "nccl")]
mod nccl;
mod numbers;
mod parallel;
mod pipeline;
mod ranks;
mod server;
mod tensor_parallel;
mod threads;
mod zero;

pub use call::{Call, Reduce};
pub use error::CommError;
pub use flat::Exchanged;
pub use launch::{LaunchError, Place, init, limit};
#[cfg(feature = "mpi")]
pub use mpi::Mpi;
#[cfg(feature = "nccl")]
pub use nccl::Nccl;
pub use numbers::{Kind, Number, Numbers};
pub use parallel::{DataParallel, DistributedOptimizer, LocalSgd};
pub use pipeline::{Inputs, Message, Pipeline, Schedule};
pub use ranks::{Alone, Answer, Collective, Pending, Ranks};
pub use server::{Serve, Served, Worker};
pub use tensor_parallel::{ColumnLinear, RowLinear, Split, copied, gathered, summed};
pub use threads::{threads, threads_within};
pub use zero::{ByShare, ShardError, Sharded, Zero};
