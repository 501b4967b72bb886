//! Attention whose heads share keys and values.

use super::{KvCache, Rotary};
use autodiff_core::nn::Init;
use autodiff_core::prelude::*;

/// Causal self-attention in `G` groups of `R` heads of queries, which share one head of keys and values each, of `K` entries
/// (grouped queries, Ainslie et al. 2023), with rotary positions and without biases, as in Llama. With `G = 1` it is
/// multi-query attention, with `R = 1` each head has its own keys.
///
/// `y = Σ_{g,r} softmax(R(q_{g,r})·R(k_g)ᵀ/√K)·v_g·out_{g,r}` with `q_{g,r} = x·query_{g,r}`, `k_g = x·key_g`, `v_g = x·value_g`
/// and the rotation `R` of [`Rotary`].
#[module]
pub struct GroupedMultiHead<
    const D: usize,
    const G: usize,
    const R: usize,
    const K: usize,
    T: Float = f32,
> {
    /// Makes queries.
    #[init(Init::FanIn.tensor(D, G * R * K, seeds))]
    #[torch(named("q_proj.weight").transposed(1))]
    pub query: Tensor![T; { D }, { G }, { R }, { K }],
    /// Makes keys.
    #[init(Init::FanIn.tensor(D, G * K, seeds))]
    #[torch(named("k_proj.weight").transposed(1))]
    pub key: Tensor![T; { D }, { G }, { K }],
    /// Makes values.
    #[init(Init::FanIn.tensor(D, G * K, seeds))]
    #[torch(named("v_proj.weight").transposed(1))]
    pub value: Tensor![T; { D }, { G }, { K }],
    /// Puts the heads together.
    #[init(Init::FanIn.tensor(G * R * K, D, seeds))]
    #[torch(named("o_proj.weight").transposed(3))]
    pub out: Tensor![T; { G }, { R }, { K }, { D }],
    /// The positions.
    pub rotary: Rotary<K>,
}

#[differentiable]
impl<const D: usize, const G: usize, const R: usize, const K: usize, T: Float>
    GroupedMultiHead<D, G, R, K, T>
{
    /// What each position reads from those before it, and from the cache, to which its keys and values are added. The
    /// cache is data, without a derivative.
    pub fn causal<B: Dim, Q: Dim>(
        &self,
        x: &Tensor![T; B, Q, { D }],
        cache: &mut KvCache<G, K, T>,
    ) -> Tensor![T; B, Q, { D }] {
        let from = no_grad!(cache.len());
        let q = self.rotary.forward(
            &x.tensordot::<1, _>(&self.query).permute::<0, 2, 3, 1, 4>(),
            from,
        );
        let k = self
            .rotary
            .forward(&x.tensordot::<1, _>(&self.key).transpose::<1, 2>(), from);
        let v = x.tensordot::<1, _>(&self.value).transpose::<1, 2>();
        let options = no_grad!(Attention::new().causal());
        let y = if no_grad!(cache.has_past()) {
            let (past_k, past_v) = no_grad!(cache.past(x.shape().0));
            let length = no_grad!(cache.length_with(x.dims()[1]));
            let k = past_k.concat_to::<2, _, _>(&k, length);
            let v = past_v.concat_to::<2, _, _>(&v, length);
            no_grad!(cache.keep(&k, &v));
            let k = k.unsqueeze::<2>().expand::<2, _>(Sz::<R>);
            q.attention(&k, &v.unsqueeze::<2>().expand::<2, _>(Sz::<R>), options)
        } else {
            no_grad!(cache.keep(&k, &v));
            let k = k.unsqueeze::<2>().expand::<2, _>(Sz::<R>);
            q.attention(&k, &v.unsqueeze::<2>().expand::<2, _>(Sz::<R>), options)
        };
        y.permute::<0, 3, 1, 2, 4>().tensordot::<3, _>(&self.out)
    }
}
