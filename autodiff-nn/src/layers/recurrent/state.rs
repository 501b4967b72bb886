//! What a recurrent layer remembers.

use autodiff_core::prelude::*;

dim!(
    /// The examples of a state.
    pub StateBatch
);

#[track_caller]
fn agree(found: usize, given: usize) {
    assert!(
        found == given,
        "the state belongs to a batch of {found}, and this one has {given} examples: begin with `zeros()`"
    );
}

/// The state of an [`Lstm`](super::Lstm): its output `h` and its memory `c`.
#[derive(Clone, Debug, Differentiable)]
pub struct LstmState<const H: usize, T: Float = f32> {
    /// The last output.
    pub h: Tensor<(StateBatch, Sz<H>), T>,
    /// The memory.
    pub c: Tensor<(StateBatch, Sz<H>), T>,
}

/// The state of an [`Rnn`](super::Rnn) or a [`Gru`](super::Gru): its last output.
#[derive(Clone, Debug, Differentiable)]
pub struct RnnState<const H: usize, T: Float = f32> {
    /// The last output.
    pub h: Tensor<(StateBatch, Sz<H>), T>,
}

macro_rules! states {
    ($($Name:ident { $($part:ident),+ })*) => { $(
        impl<const H: usize, T: Float> $Name<H, T> {
            /// Zeros, for a batch of any size.
            pub fn zeros() -> Self {
                $Name { $($part: Tensor::zeros_with((StateBatch(0), Sz))),+ }
            }

            pub(super) fn is_new(&self) -> bool {
                self.h.is_empty()
            }

            #[track_caller]
            pub(super) fn check(&self, batch: impl Dim) {
                agree(self.h.dims()[0], batch.size());
            }
        }

        impl<const H: usize, T: Float> Default for $Name<H, T> {
            fn default() -> Self {
                Self::zeros()
            }
        }

        #[differentiable]
        impl<const H: usize, T: Float> $Name<H, T> {
            /// The same state, from which no derivative goes back: between the pieces of truncated backpropagation.
            pub fn detached(&self) -> $Name<H, T> {
                $Name { $($part: stop_gradient(self.$part.clone())),+ }
            }
        }
    )* };
}
states! {
    LstmState { h, c }
    RnnState { h }
}

#[differentiable]
impl<const H: usize, T: Float> LstmState<H, T> {
    /// A state from an output and a memory of each example, such as what an encoder gives.
    pub fn new<B: Dim>(h: &Tensor<(B, Sz<H>), T>, c: &Tensor<(B, Sz<H>), T>) -> LstmState<H, T> {
        let rows: StateBatch = no_grad!(StateBatch(h.dims()[0]));
        LstmState {
            h: h.narrow::<0, _>(0, rows),
            c: c.narrow::<0, _>(0, rows),
        }
    }

    /// The last output, for the batch that it belongs to: `state.output(Batch(5))`.
    ///
    /// # Panics
    /// If the state belongs to a batch of another size.
    pub fn output<B: Dim>(&self, #[constant] batch: B) -> Tensor<(B, Sz<H>), T> {
        no_grad!(self.check(batch));
        self.h.narrow::<0, _>(0, batch)
    }

    /// The memory, for the batch that it belongs to.
    ///
    /// # Panics
    /// If the state belongs to a batch of another size.
    pub fn memory<B: Dim>(&self, #[constant] batch: B) -> Tensor<(B, Sz<H>), T> {
        no_grad!(self.check(batch));
        self.c.narrow::<0, _>(0, batch)
    }
}

#[differentiable]
impl<const H: usize, T: Float> RnnState<H, T> {
    /// A state from an output of each example, such as what an encoder gives.
    pub fn new<B: Dim>(h: &Tensor<(B, Sz<H>), T>) -> RnnState<H, T> {
        let rows: StateBatch = no_grad!(StateBatch(h.dims()[0]));
        RnnState {
            h: h.narrow::<0, _>(0, rows),
        }
    }

    /// The last output, for the batch that it belongs to: `state.output(Batch(5))`.
    ///
    /// # Panics
    /// If the state belongs to a batch of another size.
    pub fn output<B: Dim>(&self, #[constant] batch: B) -> Tensor<(B, Sz<H>), T> {
        no_grad!(self.check(batch));
        self.h.narrow::<0, _>(0, batch)
    }
}
