//! Gated recurrent units.

use super::lengths::{alive, without_padding};
use super::state::{RnnState, StateBatch};
use crate::layers::Lengths;
use autodiff_core::nn::Init;
use autodiff_core::prelude::*;

/// One layer of gated recurrent units from `I` features to `H` (Cho et al. 2014). With `W`, `b` the rows of each gate in
/// `weight_ih` and `bias_ih`, and `U`, `d` those in `weight_hh` and `bias_hh`,
///
/// ```text
/// r, z = σ(W·x + b + U·h + d)      n = tanh(W·x + b + r∘(U·h + d))
/// h ← (1 − z)∘n + z∘h
/// ```
///
/// The reset `r` is applied behind the product, as in PyTorch's `nn.GRU`, whose `weight_ih_l0` of `[3H, I]` is `weight_ih` of
/// `[3, H, I]`. That is why both biases are there.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::{Gru, RnnState};
///
/// let gru = Gru::<3, 4>::new(&mut Seeds::new(0));
/// let x: Tensor![7, 2, 3] = Tensor::randn(1); // 7 steps of 2 examples
/// let mut state = RnnState::zeros();
/// let y: Tensor![7, 2, 4] = gru.forward(&x, &mut state);
/// assert_eq!(state.output(Sz::<2>), y.index::<0>(6));
/// ```
#[module]
pub struct Gru<const I: usize, const H: usize, T: Float = f32> {
    /// From the input to the gates `r, z, n`, uniform on `(−1/√H, 1/√H)` at first.
    #[init(Init::FanIn.tensor(H, H, seeds))]
    #[torch(named("weight_ih_l0").merged(2))]
    pub weight_ih: Tensor![T; 3, { H }, { I }],
    /// From the last output, drawn in the same way.
    #[init(Init::FanIn.tensor(H, H, seeds))]
    #[torch(named("weight_hh_l0").merged(2))]
    pub weight_hh: Tensor![T; 3, { H }, { H }],
    /// Added to what the gates read of the input.
    #[init(Init::FanIn.tensor(H, H, seeds))]
    #[torch(named("bias_ih_l0").merged(2))]
    pub bias_ih: Tensor![T; 3, { H }],
    /// Added to what the gates read of the last output.
    #[init(Init::FanIn.tensor(H, H, seeds))]
    #[torch(named("bias_hh_l0").merged(2))]
    pub bias_hh: Tensor![T; 3, { H }],
}

#[differentiable]
impl<const I: usize, const H: usize, T: Float> Gru<I, H, T> {
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
        let (y, h) = x.gru(
            &self.weight_ih,
            &self.weight_hh,
            &self.bias_ih,
            &self.bias_hh,
            &h0,
        );
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
            let (_, h1) = input.gru(
                &self.weight_ih,
                &self.weight_hh,
                &self.bias_ih,
                &self.bias_hh,
                &h,
            );
            ys.push(&h1 * &on);
            h = &h + (&h1 - &h) * &on;
        }
        let rows: StateBatch = no_grad!(StateBatch(batch.size()));
        state.h = h.narrow::<0, _>(0, rows);
        Tensor::stack_to::<0, _>(&ys, steps)
    }
}
