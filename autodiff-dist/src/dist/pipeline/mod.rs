//! A network in stages, one on each rank, through which parts of a batch travel.

mod message;
mod schedule;

pub use message::Message;
pub use schedule::{Inputs, Pipeline, Schedule};
