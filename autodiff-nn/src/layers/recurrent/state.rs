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
