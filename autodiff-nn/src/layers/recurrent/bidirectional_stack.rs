//! Layers that read in both directions, on top of each other.

use super::{BiGru, BiLstm, BiRnn};
use crate::context::Ctx;
use crate::layers::{Dropout, Lengths};
use autodiff_core::prelude::*;
use autodiff_core::shape::arith::Plus;

macro_rules! stacks {
    ($($(#[$doc:meta])* $Name:ident $Layer:ident;)*) => { $(
        $(#[$doc])*
        ///
        /// `W` is twice `H`: the outputs of both directions side by side, which the next layer reads.
        #[module(depth: usize, dropout: f64)]
        pub struct $Name<const I: usize, const H: usize, const W: usize, T: Float = f32> {
            /// Reads the input.
            #[torch(flat())]
            pub first: $Layer<I, H, T>,
            /// Each reads the outputs of the one before.
            #[init(repeat(depth.saturating_sub(1)))]
            #[torch(flat().rename(&[("{i}.{p}_l0", "{p}_l{i+1}"), ("{i}.{p}_l0_reverse", "{p}_l{i+1}_reverse")]))]
            pub rest: Vec<$Layer<W, H, T>>,
            /// What is left out of the outputs of all layers but the last.
            #[init(Dropout::new(dropout))]
            pub drop: Dropout,
        }

        #[differentiable]
        impl<const I: usize, const H: usize, const W: usize, T: Float> $Name<I, H, W, T>
        where
            Sz<H>: Plus<Sz<H>, Out = Sz<W>>,
        {
            /// The outputs of the last layer, from zero states.
            pub fn forward<L: Dim, B: Dim>(&self, x: &Tensor![T; L, B, { I }], ctx: &mut Ctx) -> Tensor![T; L, B, { W }] {
                let mut y = self.first.forward(x);
                for layer in &self.rest {
                    y = layer.forward(&self.drop.forward(&y, ctx));
                }
                y
            }

            /// The outputs for sequences of different lengths: example `i` has `lengths[i]` steps, behind which the outputs
            /// are 0.
            ///
            /// # Panics
            /// If a length is negative or beyond the steps.
            pub fn forward_padded<L: Dim, B: Dim>(&self, x: &Tensor![T; L, B, { I }], lengths: &Lengths, ctx: &mut Ctx) -> Tensor![T; L, B, { W }] {
                let mut y = self.first.forward_padded(x, lengths);
                for layer in &self.rest {
                    y = layer.forward_padded(&self.drop.forward(&y, ctx), lengths);
                }
                y
            }
        }
    )* };
}
stacks! {
    /// [`BiLstm`]s on top of each other: `BiLstmStack::<I, H, W>::new(seeds, depth, dropout)`.
    ///
    /// ```
    /// use differentiable::prelude::*;
    /// use differentiable::nn::{BiLstmStack, Ctx};
    ///
    /// let net = BiLstmStack::<3, 4, 8>::new(&mut Seeds::new(0), 2, 0.1); // two layers
    /// let x: Tensor![5, 2, 3] = Tensor::randn(1); // 5 steps of 2 examples
    /// let y: Tensor![5, 2, 8] = net.forward(&x, &mut Ctx::eval());
    /// # let _ = y;
    /// ```
    BiLstmStack BiLstm;
    /// [`BiGru`]s on top of each other: `BiGruStack::<I, H, W>::new(seeds, depth, dropout)`.
    BiGruStack BiGru;
    /// [`BiRnn`]s on top of each other: `BiRnnStack::<I, H, W>::new(seeds, depth, dropout)`.
    BiRnnStack BiRnn;
}
