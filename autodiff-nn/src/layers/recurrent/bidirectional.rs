//! Two layers, of which one reads the sequence from its end.

use super::lengths::reversed;
use super::{Gru, Lstm, LstmState, Rnn, RnnState};
use crate::layers::Lengths;
use autodiff_core::prelude::*;
use autodiff_core::shape::StaticDim;
use autodiff_core::shape::arith::Plus;

macro_rules! both_ways {
    ($($(#[$doc:meta])* $Name:ident $Layer:ident $State:ident;)*) => { $(
        $(#[$doc])*
        #[module]
        pub struct $Name<const I: usize, const H: usize, T: Float = f32> {
            /// Reads from the start.
            #[torch(flat())]
            pub forward: $Layer<I, H, T>,
            /// Reads from the end.
            #[torch(flat().rename(&[("{p}", "{p}_reverse")]))]
            pub backward: $Layer<I, H, T>,
        }

        #[differentiable]
        impl<const I: usize, const H: usize, T: Float> $Name<I, H, T> {
            /// The outputs of both at each step, side by side, from zero states.
            pub fn forward<L: Dim, B: Dim, O: StaticDim>(&self, x: &Tensor![T; L, B, { I }]) -> Tensor<(L, B, O), T>
            where
                Sz<H>: Plus<Sz<H>, Out = O>,
            {
                let mut start = no_grad!($State::<H, T>::zeros());
                let mut end = no_grad!($State::<H, T>::zeros());
                let there = self.forward.forward(x, &mut start);
                let back = self.backward.forward(&x.flip::<0>(), &mut end).flip::<0>();
                let both: O = no_grad!(O::default());
                there.concat_to::<2, _, _>(&back, both)
            }

            /// The outputs for sequences of different lengths: example `i` has `lengths[i]` steps, behind which the outputs
            /// are 0.
            ///
            /// # Panics
            /// If a length is negative or beyond the steps.
            pub fn forward_padded<L: Dim, B: Dim, O: StaticDim>(&self, x: &Tensor![T; L, B, { I }], lengths: &Lengths) -> Tensor<(L, B, O), T>
            where
                Sz<H>: Plus<Sz<H>, Out = O>,
            {
                let mut start = no_grad!($State::<H, T>::zeros());
                let mut end = no_grad!($State::<H, T>::zeros());
                let steps: L = no_grad!(x.shape().0);
                let batch: B = no_grad!(x.shape().1);
                let inputs: Tensor<(L, B, Sz<I>), i64> = no_grad!(reversed::<L, B, I>(lengths, steps, batch).to(x.device()));
                let outputs: Tensor<(L, B, Sz<H>), i64> = no_grad!(reversed::<L, B, H>(lengths, steps, batch).to(x.device()));
                let there = self.forward.forward_padded(x, lengths, &mut start);
                let turned = x.gather::<0, _, _>(&inputs);
                let back = self.backward.forward_padded(&turned, lengths, &mut end);
                let back = back.gather::<0, _, _>(&outputs);
                let both: O = no_grad!(O::default());
                there.concat_to::<2, _, _>(&back, both)
            }
        }
    )* };
}
both_ways! {
    /// An [`Lstm`] in each direction: `[L, B, I]` gives `[L, B, 2H]`.
    BiLstm Lstm LstmState;
    /// A [`Gru`] in each direction: `[L, B, I]` gives `[L, B, 2H]`.
    BiGru Gru RnnState;
    /// An [`Rnn`] in each direction: `[L, B, I]` gives `[L, B, 2H]`.
    BiRnn Rnn RnnState;
}
