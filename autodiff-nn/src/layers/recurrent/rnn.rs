//! Plain recurrent units.

use super::lengths::{alive, without_padding};
use super::lstm::two_draws;
use super::state::{RnnState, StateBatch};
use crate::layers::Lengths;
use autodiff_core::nn::Init;
use autodiff_core::prelude::*;

/// One layer of plain recurrent units from `I` features to `H` (Elman 1990): `h ← tanh(weight_ih·x + weight_hh·h + bias)`.
///
/// `bias` is the sum of the `bias_ih_l0` and `bias_hh_l0` of PyTorch's `nn.RNN`.
#[module]
pub struct Rnn<const I: usize, const H: usize, T: Float = f32> {
    /// From the input, uniform on `(−1/√H, 1/√H)` at first.
    #[init(Init::FanIn.tensor(H, H, seeds))]
    #[torch(named("weight_ih_l0"))]
    pub weight_ih: Tensor![T; { H }, { I }],
    /// From the last output, drawn in the same way.
    #[init(Init::FanIn.tensor(H, H, seeds))]
    #[torch(named("weight_hh_l0"))]
    pub weight_hh: Tensor![T; { H }, { H }],
    /// Added to both: at first the sum of two draws, as PyTorch has two of them.
    #[init(two_draws::<H, _, _>(seeds))]
    #[torch(sum("bias_ih_l0", "bias_hh_l0"))]
    pub bias: Tensor![T; { H }],
}

#[differentiable]
impl<const I: usize, const H: usize, T: Float> Rnn<I, H, T> {
    /// The outputs of all steps; the state is that after the last one.
    ///
    /// # Panics
    /// If the state belongs to a batch of another size.
    pub fn forward<L: Dim, B: Dim>(
        &self,
        x: &Tensor![T; L, B, { I }],
        state: &mut RnnState<H, T>,
    ) -> Tensor![T; L, B, { H }] {
        let batch: B = no_grad!(x.shape().1);
        let h0 = if no_grad!(state.is_new()) {
            let zeros: Tensor![T; B, { H }] =
                no_grad!(Tensor::zeros_with((batch, Sz)).to(x.device()));
            zeros
        } else {
            no_grad!(state.check(batch));
            state.h.narrow::<0, _>(0, batch)
        };
        let (y, h) = x.rnn(&self.weight_ih, &self.weight_hh, &self.bias, &h0);
        let rows: StateBatch = no_grad!(StateBatch(batch.size()));
        state.h = h.narrow::<0, _>(0, rows);
        y
    }

    /// One step: the output for inputs `[B, I]`.
    pub fn step<B: Dim>(
        &self,
        x: &Tensor![T; B, { I }],
        state: &mut RnnState<H, T>,
    ) -> Tensor![T; B, { H }] {
        self.forward(&x.unsqueeze::<0>(), state).squeeze::<0>()
    }

    /// The outputs for sequences of different lengths: example `i` has `lengths[i]` steps, behind which the outputs are 0,
    /// and the state is that after its last step.
    ///
    /// # Panics
    /// If a length is negative or beyond the steps.
    pub fn forward_padded<L: Dim, B: Dim>(
        &self,
        x: &Tensor![T; L, B, { I }],
        lengths: &Lengths,
        state: &mut RnnState<H, T>,
    ) -> Tensor![T; L, B, { H }] {
        let batch: B = no_grad!(x.shape().1);
        let steps: L = no_grad!(x.shape().0);
        let count: usize = no_grad!(steps.size());
        let inputs = without_padding(x, lengths);
        let ends: Vec<i64> = no_grad!(lengths.steps().to_vec());
        let mut h: Tensor![T; B, { H }] = no_grad!(Tensor::zeros_with((batch, Sz)).to(x.device()));
        if no_grad!(!state.is_new()) {
            no_grad!(state.check(batch));
            h = state.h.narrow::<0, _>(0, batch);
        }
        let mut ys: Vec<Tensor![T; B, { H }]> = Vec::new();
        for t in 0..count {
            let on: Tensor![T; B, { H }] = no_grad!(alive(&ends, batch, t).to(x.device()));
            let input = inputs.narrow::<0, _>(t, Sz::<1>);
            let (_, h1) = input.rnn(&self.weight_ih, &self.weight_hh, &self.bias, &h);
            ys.push(&h1 * &on);
            h = &h + (&h1 - &h) * &on;
        }
        let rows: StateBatch = no_grad!(StateBatch(batch.size()));
        state.h = h.narrow::<0, _>(0, rows);
        Tensor::stack_to::<0, _>(&ys, steps)
    }
}
