//! Long short-term memory.

use super::lengths::{alive, without_padding};
use super::state::{LstmState, StateBatch};
use crate::layers::Lengths;
use autodiff_core::nn::{Init, Seeds};
use autodiff_core::prelude::*;

/// One layer of long short-term memory from `I` features to `H` (Hochreiter & Schmidhuber 1997; the gate `f` is of Gers
/// et al. 2000). With `W`, `U` and `b` the rows of each gate in `weight_ih`, `weight_hh` and `bias`,
///
/// ```text
/// i, f, o = σ(W·x + U·h + b)      g = tanh(W·x + U·h + b)
/// c ← f∘c + i∘g                   h ← o∘tanh(c)
/// ```
///
/// The order of the gates is that of PyTorch's `nn.LSTM`: its `weight_ih_l0` of `[4H, I]` is `weight_ih` of `[4, H, I]`, and
/// `bias` is the sum of `bias_ih_l0` and `bias_hh_l0`.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::{Lstm, LstmState};
///
/// let lstm = Lstm::<3, 4>::new(&mut Seeds::new(0));
/// let x: Tensor![7, 2, 3] = Tensor::randn(1); // 7 steps of 2 examples
/// let mut state = LstmState::zeros();
/// let y: Tensor![7, 2, 4] = lstm.forward(&x, &mut state);
/// assert_eq!(state.h.to_vec(), y.index::<0>(6).to_vec());
/// ```
#[module]
pub struct Lstm<const I: usize, const H: usize, T: Float = f32> {
    /// From the input to the gates `i, f, g, o`, uniform on `(−1/√H, 1/√H)` at first.
    #[init(Init::FanIn.tensor(H, H, seeds))]
    #[torch(named("weight_ih_l0").merged(2))]
    pub weight_ih: Tensor![T; 4, { H }, { I }],
    /// From the last output to the gates, drawn in the same way.
    #[init(Init::FanIn.tensor(H, H, seeds))]
    #[torch(named("weight_hh_l0").merged(2))]
    pub weight_hh: Tensor![T; 4, { H }, { H }],
    /// Added to the gates: at first the sum of two draws, as PyTorch has two of them.
    #[init(two_draws::<H, _, _>(seeds))]
    #[torch(sum("bias_ih_l0", "bias_hh_l0").merged(2))]
    pub bias: Tensor![T; 4, { H }],
}

/// The sum of two biases.
pub(super) fn two_draws<const H: usize, S: StaticShape, T: Float>(
    seeds: &mut Seeds,
) -> Tensor<S, T> {
    let mut draw = || Init::FanIn.tensor::<S, T>(H, H, seeds);
    draw() + draw()
}

#[differentiable]
impl<const I: usize, const H: usize, T: Float> Lstm<I, H, T> {
    /// The outputs of all steps; the state is that after the last one.
    ///
    /// # Panics
    /// If the state belongs to a batch of another size.
    pub fn forward<L: Dim, B: Dim>(
        &self,
        x: &Tensor![T; L, B, { I }],
        state: &mut LstmState<H, T>,
    ) -> Tensor![T; L, B, { H }] {
        let batch: B = no_grad!(x.shape().1);
        let (h0, c0) = if no_grad!(state.is_new()) {
            let zeros: Tensor![T; B, { H }] =
                no_grad!(Tensor::zeros_with((batch, Sz)).to(x.device()));
            (zeros.clone(), zeros)
        } else {
            no_grad!(state.check(batch));
            (
                state.h.narrow::<0, _>(0, batch),
                state.c.narrow::<0, _>(0, batch),
            )
        };
        let (y, h, c) = x.lstm(&self.weight_ih, &self.weight_hh, &self.bias, &h0, &c0);
        let rows: StateBatch = no_grad!(StateBatch(batch.size()));
        state.h = h.narrow::<0, _>(0, rows);
        state.c = c.narrow::<0, _>(0, rows);
        y
    }

    /// One step: the output for inputs `[B, I]`.
    pub fn step<B: Dim>(
        &self,
        x: &Tensor![T; B, { I }],
        state: &mut LstmState<H, T>,
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
        state: &mut LstmState<H, T>,
    ) -> Tensor![T; L, B, { H }] {
        let batch: B = no_grad!(x.shape().1);
        let steps: L = no_grad!(x.shape().0);
        let count: usize = no_grad!(steps.size());
        let inputs = without_padding(x, lengths);
        let ends: Vec<i64> = no_grad!(lengths.steps().to_vec());
        let mut h: Tensor![T; B, { H }] = no_grad!(Tensor::zeros_with((batch, Sz)).to(x.device()));
        let mut c: Tensor![T; B, { H }] = no_grad!(Tensor::zeros_with((batch, Sz)).to(x.device()));
        if no_grad!(!state.is_new()) {
            no_grad!(state.check(batch));
            h = state.h.narrow::<0, _>(0, batch);
            c = state.c.narrow::<0, _>(0, batch);
        }
        let mut ys: Vec<Tensor![T; B, { H }]> = Vec::new();
        for t in 0..count {
            let on: Tensor![T; B, { H }] = no_grad!(alive(&ends, batch, t).to(x.device()));
            let input = inputs.narrow::<0, _>(t, Sz::<1>);
            let (_, h1, c1) = input.lstm(&self.weight_ih, &self.weight_hh, &self.bias, &h, &c);
            ys.push(&h1 * &on);
            h = &h + (&h1 - &h) * &on;
            c = &c + (&c1 - &c) * &on;
        }
        let rows: StateBatch = no_grad!(StateBatch(batch.size()));
        state.h = h.narrow::<0, _>(0, rows);
        state.c = c.narrow::<0, _>(0, rows);
        Tensor::stack_to::<0, _>(&ys, steps)
    }
}
