//! A mixture of experts.

use super::{LinearNoBias, Mlp};
use autodiff_core::prelude::*;

dim!(
    /// The rows that one expert gets.
    pub Routed
);

/// `E` perceptrons of `D` features over `F`, of which each row runs through `K`:
/// `y = Σ_k p_k/Σp · expert_k(x)` over the `K` largest `p = softmax(x·gate)` (Shazeer et al. 2017).
///
/// Only the chosen experts run. The second result is the load-balancing loss of the Switch Transformer (Fedus et al. 2022),
/// `E·Σ_e f_e·P_e`, for the fraction `f_e` of the choices that fall on expert `e` and the mean `P_e` of its probability. It
/// is 1 where the load is even; add about 0.01 of it to the loss.
///
/// ```
/// use differentiable::nn::MixtureOfExperts;
/// use differentiable::prelude::*;
///
/// let mixture = MixtureOfExperts::<8, 16, 4, 2>::new(&mut Seeds::new(0));
/// let x: Tensor![5, 8] = Tensor::randn(1);
/// let (y, balance) = mixture.forward(&x);
/// assert_eq!(y.dims().as_slice(), [5, 8]);
/// assert!(balance.item() > 0.0);
/// ```
#[module]
pub struct MixtureOfExperts<
    const D: usize,
    const F: usize,
    const E: usize,
    const K: usize,
    T: Float = f32,
> {
    /// Scores the experts.
    pub gate: LinearNoBias<D, E, T>,
    /// The experts.
    pub experts: [Mlp<D, F, T>; E],
}

#[differentiable]
impl<const D: usize, const F: usize, const E: usize, const K: usize, T: Float>
    MixtureOfExperts<D, F, E, K, T>
{
    /// The mixture for each row, and how uneven the load is.
    pub fn forward<B: Dim>(&self, x: &Tensor![T; B, { D }]) -> (Tensor![T; B, { D }], Tensor![T;]) {
        let p = self.gate.forward(x).softmax::<-1>();
        let (best, chosen) = p.topk::<-1, K>();
        let weights = &best / best.sum_axis_keepdim::<-1>().expand::<-1, _>(Sz::<K>);
        let routes: Vec<i64> = no_grad!(chosen.to_vec());
        let mut y: Tensor![T; B, { D }] = no_grad!(x.zeros_like());
        for e in 0..E {
            for slot in 0..K {
                let rows: Vec<i64> = no_grad!(routed::<K>(&routes, e, slot));
                if !rows.is_empty() {
                    let at: Tensor<(Routed,), i64> = no_grad!(places(&rows).to(x.device()));
                    let output = self.experts[e].forward(&x.index_select::<0, _, _>(&at));
                    let weight = weights.index::<1>(slot).index_select::<0, _, _>(&at);
                    let weight = weight.unsqueeze::<1>().expand::<1, _>(Sz::<D>);
                    y = y.index_add::<0, _, _>(&at, &(output * weight));
                }
            }
        }
        let share: Tensor![T; { E }] = no_grad!(shares::<E, T>(&routes).to(x.device()));
        let experts: T = no_grad!(T::lit(E as f64));
        let balance = (p.mean_axis::<0>() * &share).sum() * experts;
        (y, balance)
    }

    /// As [`forward`](Self::forward), for the positions of sequences `[B, L, D]`.
    pub fn forward_sequences<B: Dim, L: Dim>(
        &self,
        x: &Tensor![T; B, L, { D }],
    ) -> (Tensor![T; B, L, { D }], Tensor![T;]) {
        let rows = x.reshape::<(Prod<B, L>, Sz<D>)>();
        let (y, balance) = self.forward(&rows);
        (y.reshape::<(B, L, Sz<D>)>(), balance)
    }
}

/// The rows whose choice number `slot` is the expert.
fn routed<const K: usize>(routes: &[i64], expert: usize, slot: usize) -> Vec<i64> {
    let rows = routes.iter().skip(slot).step_by(K).enumerate();
    let rows = rows.filter(|&(_, &choice)| choice == expert as i64);
    rows.map(|(row, _)| row as i64).collect()
}

fn places(rows: &[i64]) -> Tensor<(Routed,), i64> {
    Tensor::from_fn_with((Routed(rows.len()),), |i| rows[i])
}

/// The part of the choices that falls on each expert; of no choices, 0.
fn shares<const E: usize, T: Float>(routes: &[i64]) -> Tensor<(Sz<E>,), T> {
    let all = routes.len().max(1) as f64;
    Tensor::from_fn(|e| {
        T::lit(routes.iter().filter(|&&choice| choice == e as i64).count() as f64 / all)
    })
}
