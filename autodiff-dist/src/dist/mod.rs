//! Many ranks: programs that compute together, and training by them.
//!
//! A rank is a process that a launcher has started, such as `mpirun -n 4 program`, or a thread of [`threads`] in tests. [`init`] gives
//! a program its [`Ranks`], whose calls are those of [`Collective`]. [`fit`](https://docs.rs/differentiable) uses them by itself.
//!
//! | what is divided | by | each rank has |
//! |---|---|---|
//! | the rows of a batch | [`DataParallel`], [`DistributedOptimizer`] | the whole network |
//! | the state of the optimiser (ZeRO-1) | [`Zero`] | the whole network, a part of the state |
//! | gradients that are added up (ZeRO-2) | [`Zero::add`] | the same, and a part of their sum |
//! | parameters (ZeRO-3) | [`Sharded`], [`ByShare`] | a part of each layer |
//! | matrices of a layer | [`ColumnLinear`], [`RowLinear`], [`SplitHeads`]; [`copied()`], [`summed()`], [`gathered()`] | columns, rows or heads |
//! | layers | [`Pipeline`] | a stage |
//! | the work | [`Serve`] and [`Worker`] | the parameters, or rows |
//! | time | [`LocalSgd`] | the whole network, and steps of its own |
//!
//! Every error of a call is a [`CommError`], which names the rank that is missing, failed, or asked for something else.

#[cfg(any(feature = "mpi", feature = "nccl"))]
mod bytes;
mod call;
mod error;
mod flat;
mod inner;
mod launch;
#[cfg(feature = "mpi")]
mod mpi;
#[cfg(feature = "nccl")]
mod nccl;
mod numbers;
mod parallel;
mod pipeline;
mod ranks;
#[cfg(any(feature = "mpi", feature = "nccl"))]
mod reply;
mod server;
mod share;
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
pub use share::Share;
pub use tensor_parallel::{ColumnLinear, RowLinear, Split, SplitHeads, copied, gathered, summed};
pub use threads::{threads, threads_within};
pub use zero::{ByShare, ShardError, Sharded, Zero};
