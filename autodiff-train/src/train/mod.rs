//! Training runs: [`fit`] over an [`Objective`], and what a loop of one's own is put together from.
//!
//! [`fit`] trains a module on the batches of a [`Source`](crate::data::Source). Its methods add what a run needs:
//! validation by [`metrics`], logs, checkpoints from which a run goes on bit for bit, early stopping. [`train_step`],
//! [`Accumulate`](crate::optim::Accumulate) and [`evaluate`] are its parts, for a loop of one's own.

mod builder;
mod check;
mod checkpoint;
mod checksum;
mod entries;
mod error;
mod evaluate;
mod finite;
pub mod log;
pub mod metrics;
mod objective;
mod progress;
mod report;
mod run;
mod save;
mod span;
mod step;
mod team;

pub use builder::{Fit, Verdict, fit};
pub use checkpoint::{Every, every, every_steps};
pub use error::TrainError;
pub use evaluate::evaluate;
pub use finite::{NotFinite, Place, PlaceKind};
pub use log::{Csv, JsonLines, Logger, TensorBoard};
pub use metrics::{Metric, Predict, Tally, accuracy};
pub use objective::Objective;
pub use report::{Best, EpochReport, Goal, Report, StepReport, Stopped};
pub use step::{StepError, step_seed, train_step};
