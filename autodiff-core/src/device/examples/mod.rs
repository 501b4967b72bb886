//! Buffers with a part for each example of a batch: what `vmap!(#[batched] ..)` computes with.
//!
//! The body of such a call runs once. Its examples are tensors whose buffer has as many equal parts as there are
//! examples, one behind the other, and whose sizes are those of one example. Where an operation meets such a buffer,
//! its other operands are the same for all examples, and its results get parts as well:
//!
//! - Most operations run once, with the parts as a further leading axis ([`all`](Operands::all)): elementwise ones,
//!   reductions, products, and those along the last axis. A product with a matrix that all examples share is one product
//!   over the rows of all of them ([`product`]).
//! - The others run for one example after the other ([`example`](Operands::example)). So each operation has a meaning
//!   here, on every device that knows its buffers at run time.
//!
//! The host sees no element of such a buffer: there is no one number that it could see.

mod operands;
mod product;
mod regions;
pub(super) mod seams;

use super::run_time::{Device, DeviceBuf};
use super::*;
use core::cell::Cell;
use core::sync::atomic::{AtomicU64, Ordering};
pub(super) use operands::{Operands, joint};
use std::sync::Arc;

/// The examples of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    call: u64,
    examples: usize,
}

impl Batch {
    /// The examples of a call that has not been before.
    pub fn new(examples: usize) -> Self {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        Batch {
            call: CALLS.fetch_add(1, Ordering::Relaxed),
            examples,
        }
    }

    /// How many there are.
    pub fn examples(self) -> usize {
        self.examples
    }

    /// Runs `f`, a part of the call without a reverse pass.
    pub fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        self.within(Phase::Entered, f)
    }

    /// Runs `f`, the forward pass of a call that is followed by a reverse pass.
    pub fn record<R>(self, f: impl FnOnce() -> R) -> R {
        self.within(Phase::Recorded, f)
    }

    /// Runs `f`, the reverse pass of the call: the cotangent of a number, which is the same for all examples, is the sum
    /// over them.
    pub fn reverse<R>(self, f: impl FnOnce() -> R) -> R {
        self.within(Phase::Reversed, f)
    }

    /// Runs `f`, the end of the reverse pass, which asks for cotangents of what all examples share.
    pub fn settle<R>(self, f: impl FnOnce() -> R) -> R {
        self.within(Phase::Settled, f)
    }

    /// Whether a call is running in this thread. Then another `#[batched]` call takes its examples one after the other.
    pub fn is_running() -> bool {
        RUNNING.get().is_some()
    }

    /// Whether what a call in this thread computes has cotangents that are summed over its examples.
    pub fn is_recorded() -> bool {
        RUNNING
            .get()
            .is_some_and(|(_, phase)| phase != Phase::Entered)
    }

    /// Whether the reverse pass of the call is running.
    pub fn is_reversed(self) -> bool {
        RUNNING.get() == Some((self, Phase::Reversed))
    }

    /// Whether cotangents of what all examples share are asked for.
    pub fn is_settled(self) -> bool {
        RUNNING.get() == Some((self, Phase::Settled))
    }

    fn within<R>(self, phase: Phase, f: impl FnOnce() -> R) -> R {
        /// Sets the state back, also when `f` panics.
        struct Before(Option<(Batch, Phase)>);
        impl Drop for Before {
            fn drop(&mut self) {
                RUNNING.set(self.0);
            }
        }
        let _before = Before(RUNNING.replace(Some((self, phase))));
        f()
    }
}

/// What runs of a call.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Entered,
    Recorded,
    Reversed,
    Settled,
}

thread_local! {
    static RUNNING: Cell<Option<(Batch, Phase)>> = const { Cell::new(None) };
}

/// A buffer with a part for each example.
#[derive(Debug)]
pub struct ExamplesBuf<T: Elem> {
    all: Arc<DeviceBuf<T>>,
    batch: Batch,
    /// Elements of one part.
    len: usize,
}

impl<T: Elem> ExamplesBuf<T> {
    /// The parts one behind the other, as a buffer of the device.
    pub(super) fn new(all: Arc<DeviceBuf<T>>, batch: Batch, len: usize) -> Self {
        assert_eq!(
            Device::len(&all),
            batch.examples * len,
            "a part for each example"
        );
        ExamplesBuf { all, batch, len }
    }

    /// The parts one behind the other.
    pub(super) fn all(&self) -> Arc<DeviceBuf<T>> {
        Arc::clone(&self.all)
    }

    /// Whose they are.
    pub(super) fn batch(&self) -> Batch {
        self.batch
    }

    /// Elements of one part.
    pub(super) fn len(&self) -> usize {
        self.len
    }
}
