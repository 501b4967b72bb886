//! Define, then run: programs that are recorded and run in sessions, against the same programs run at once.

mod compiled;
mod control;
mod errors;
mod feeds;
mod fetches;
mod lectures;
mod minimize;
mod names;
mod placed;
mod programs;
mod saved;

use differentiable::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a panic of `f` says.
pub fn message(f: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(f)).expect_err("a panic");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => (*panic.downcast::<&str>().expect("a text")).to_owned(),
    }
}

/// The bits of the elements.
pub fn bits<S: Shape>(x: &Tensor<S, f32>) -> Vec<u32> {
    x.to_vec().into_iter().map(f32::to_bits).collect()
}
