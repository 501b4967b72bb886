//! Recurrent layers on top of each other.

// A differentiable argument is the whole `Vec`.
#![allow(clippy::ptr_arg)]

use super::{Gru, Lstm, LstmState, Rnn, RnnState};
use crate::context::Ctx;
use crate::layers::{Dropout, Lengths};
use autodiff_core::prelude::*;

macro_rules! stacks {
    ($($(#[$doc:meta])* $Name:ident $Layer:ident $State:ident;)*) => { $(
        $(#[$doc])*
        #[module(depth: usize, dropout: f64)]
        pub struct $Name<const I: usize, const H: usize, T: Float = f32> {
            /// Reads the input.
            #[torch(flat())]
            pub first: $Layer<I, H, T>,
            /// Each reads the outputs of the one before.
            #[init(repeat(depth.saturating_sub(1)))]
            #[torch(flat().rename(&[("{i}.{p}_l0", "{p}_l{i+1}")]))]
            pub rest: Vec<$Layer<H, H, T>>,
            /// What is left out of the outputs of all layers but the last.
            #[init(Dropout::new(dropout))]
            pub drop: Dropout,
        }

        impl<const I: usize, const H: usize, T: Float> $Name<I, H, T> {
            /// A zero state for each layer.
            pub fn zeros(&self) -> Vec<$State<H, T>> {
                vec![$State::zeros(); 1 + self.rest.len()]
            }

            #[track_caller]
            fn check(&self, states: usize) {
                let layers = 1 + self.rest.len();
                assert!(
                    states == layers,
                    "{states} states for {layers} layers: begin with `stack.zeros()`"
                );
            }
        }

        #[differentiable]
        impl<const I: usize, const H: usize, T: Float> $Name<I, H, T> {
            /// The outputs of the last layer; the states, one for each layer, are those after the last step.
            ///
            /// # Panics
            /// If there is not one state for each layer, or a state belongs to a batch of another size.
            pub fn forward<L: Dim, B: Dim>(&self, x: &Tensor![T; L, B, { I }], states: &mut Vec<$State<H, T>>, ctx: &mut Ctx) -> Tensor![T; L, B, { H }] {
                no_grad!(self.check(states.len()));
                let mut y = self.first.forward(x, &mut states[0]);
                for (i, layer) in self.rest.iter().enumerate() {
                    let input = self.drop.forward(&y, ctx);
                    y = layer.forward(&input, &mut states[i + 1]);
                }
                y
            }

            /// The outputs for sequences of different lengths: example `i` has `lengths[i]` steps, behind which the outputs
            /// are 0, and the states are those after its last step.
            ///
            /// # Panics
            /// If there is not one state for each layer, or a length is negative or beyond the steps.
            pub fn forward_padded<L: Dim, B: Dim>(
                &self,
                x: &Tensor![T; L, B, { I }],
                lengths: &Lengths,
                states: &mut Vec<$State<H, T>>,
                ctx: &mut Ctx,
            ) -> Tensor![T; L, B, { H }] {
                no_grad!(self.check(states.len()));
                let mut y = self.first.forward_padded(x, lengths, &mut states[0]);
                for (i, layer) in self.rest.iter().enumerate() {
                    let input = self.drop.forward(&y, ctx);
                    y = layer.forward_padded(&input, lengths, &mut states[i + 1]);
                }
                y
            }
        }
    )* };
}
stacks! {
    /// [`Lstm`]s on top of each other: `LstmStack::new(seeds, depth, dropout)`.
    LstmStack Lstm LstmState;
    /// [`Gru`]s on top of each other: `GruStack::new(seeds, depth, dropout)`.
    GruStack Gru RnnState;
    /// [`Rnn`]s on top of each other: `RnnStack::new(seeds, depth, dropout)`.
    RnnStack Rnn RnnState;
}
