//! The context of layers: mode, random numbers, new buffers, recorded activations.
//!
//! A function that takes `ctx: &mut Ctx` reads its mode and seeds from there and leaves there what buffers become. The
//! context is an argument and a result; the module stays `&self`. So a function is the same one whether its value, its
//! gradient or its pushforward is computed, and a checkpointed block that runs again draws the same numbers from the
//! copy of the context that it keeps.

mod buffers;
mod records;

pub use records::RecordError;

use autodiff_core::ad::Context;
use autodiff_core::nn::{Module, Seeds};
use autodiff_core::prelude::*;
use buffers::{Known, Update};
use records::Record;
use std::sync::Arc;

/// Mode, random numbers and new buffers of a forward pass: `net.forward(&x, &mut ctx)`.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::{Ctx, Dropout};
///
/// let drop = Dropout::new(0.5);
/// let x: Tensor![4] = Tensor::ones();
/// assert_eq!(drop.forward(&x, &mut Ctx::eval()), x);
///
/// let mut ctx = Ctx::train(&drop, 7);
/// let once = drop.forward(&x, &mut ctx);
/// assert_eq!(once, drop.forward(&x, &mut Ctx::train(&drop, 7))); // the same seed, the same mask
/// ```
///
/// A training step that changes buffers, such as the running statistics of a normalisation, ends with
/// [`commit`](Ctx::commit). In debug builds a context that is dropped with changes that nobody committed panics with
/// their names.
pub struct Ctx {
    is_train: bool,
    seeds: Seeds,
    /// The buffers of the model.
    known: Arc<Vec<Known>>,
    updates: Vec<Update>,
    records: Vec<Record>,
    /// Copies, as derivatives make them, need no commit.
    is_original: bool,
    /// The module that runs is another form of the one that the buffers are of: a new buffer of any tensor is noted.
    takes_any_buffer: bool,
}

autodiff_core::__discrete!([] Ctx);
impl Context for Ctx {
    fn of_another_form(&self) -> Self {
        let mut copy = self.clone();
        copy.takes_any_buffer = true;
        copy
    }
}

impl Ctx {
    fn of(is_train: bool, seed: u64, known: Vec<Known>) -> Self {
        Ctx {
            is_train,
            seeds: Seeds::new(seed),
            known: Arc::new(known),
            updates: Vec::new(),
            records: Vec::new(),
            is_original: true,
            takes_any_buffer: false,
        }
    }

    /// For training: masks are drawn, statistics are those of the batch, and buffers of the module can change. The same
    /// seed gives the same random numbers.
    pub fn train<M: Module + ?Sized>(module: &M, seed: u64) -> Self {
        Self::of(true, seed, buffers::known(module))
    }

    /// For inference: no masks, and statistics are the buffers' own.
    pub fn eval() -> Self {
        Self::of(false, 0, Vec::new())
    }

    /// For inference with random numbers, such as samples of a decoder or of a latent variable.
    pub fn eval_with_seed(seed: u64) -> Self {
        Self::of(false, seed, Vec::new())
    }

    /// Whether the pass is one of training.
    pub fn is_train(&self) -> bool {
        self.is_train
    }

    /// A seed for the next random numbers: each call gives another one, and the same order of calls the same seeds.
    pub fn next_seed(&mut self) -> u64 {
        self.seeds.next_seed()
    }
}

#[differentiable]
impl Ctx {
    /// Standard normal numbers in the shape of a tensor; they have no derivative.
    pub fn randn_like<S: Shape, T: Float>(&mut self, x: &Tensor<S, T>) -> Tensor<S, T> {
        let seed = no_grad!(self.next_seed());
        no_grad!(Tensor::randn_with(x.shape(), seed).to(x.device()))
    }
}

impl Clone for Ctx {
    fn clone(&self) -> Self {
        Ctx {
            is_train: self.is_train,
            seeds: self.seeds.clone(),
            known: Arc::clone(&self.known),
            updates: self.updates.clone(),
            records: self.records.clone(),
            is_original: false,
            takes_any_buffer: self.takes_any_buffer,
        }
    }
}

impl core::fmt::Debug for Ctx {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Ctx")
            .field("is_train", &self.is_train)
            .field("seeds", &self.seeds)
            .field("updates", &self.names_of_updates())
            .field("records", &self.recorded_names().collect::<Vec<_>>())
            .finish()
    }
}

impl Drop for Ctx {
    fn drop(&mut self) {
        let forgotten = self.is_original && !self.updates.is_empty();
        if cfg!(debug_assertions) && forgotten && !std::thread::panicking() {
            panic!(
                "a context was dropped with new buffers that no model has: {}: end each training step with \
                 `ctx.commit(&mut net)`, or throw them away with `ctx.discard()`",
                self.names_of_updates().join(", ")
            );
        }
    }
}
