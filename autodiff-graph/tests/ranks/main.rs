//! Graphs over several ranks, against the same graphs in one process: the same bits.

#![allow(clippy::type_complexity)] // shapes are types

mod errors;
mod placed;
mod programs;
mod training;

use differentiable::dist::{Ranks, threads_within};
use differentiable::prelude::*;
use std::time::Duration;

/// Runs `f` on ranks that are threads.
pub fn threads<R: Send>(size: usize, f: impl Fn(Ranks) -> R + Sync) -> Vec<R> {
    threads_within(size, Duration::from_secs(60), f)
}

/// The bits of the elements.
pub fn bits<S: Shape>(x: &Tensor<S, f32>) -> Vec<u32> {
    x.to_vec().into_iter().map(f32::to_bits).collect()
}
