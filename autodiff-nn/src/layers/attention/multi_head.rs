//! Attention with several heads.

use super::{Keys, KvCache};
use autodiff_core::nn::Init;
use autodiff_core::prelude::*;

/// Attention of `H` heads of `K` entries each over vectors of `D` features (Vaswani et al. 2017):
/// `y = Σ_h softmax(q_h·k_hᵀ/√K)·v_h·out_h + bias` with `q_h = x·query_h + b`, and `k_h`, `v_h` likewise from the memory.
///
/// PyTorch's `nn.MultiheadAttention` stacks the three matrices: its `in_proj_weight` of `[3·H·K, D]` holds the transposes of
/// `query`, `key` and `value`, its `out_proj.weight` that of `out`.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::{Keys, MultiHead};
///
/// let attention = MultiHead::<8, 2, 4>::new(&mut Seeds::new(0));
/// let x: Tensor![3, 5, 8] = Tensor::randn(1); // 3 examples of 5 positions
/// let y = attention.forward(&x, &x, &Keys::Causal);
/// assert_eq!(y.dims().as_slice(), [3, 5, 8]);
/// ```
#[module]
pub struct MultiHead<const D: usize, const H: usize, const K: usize, T: Float = f32> {
    /// Makes queries.
    #[init(Init::XavierUniform.tensor(D, 3 * H * K, seeds))]
    #[torch(named("in_proj_weight").part(0, 3).transposed(1).or("q_proj.weight"))]
    pub query: Tensor![T; { D }, { H }, { K }],
    /// Makes keys.
    #[init(Init::XavierUniform.tensor(D, 3 * H * K, seeds))]
    #[torch(named("in_proj_weight").part(1, 3).transposed(1).or("k_proj.weight"))]
    pub key: Tensor![T; { D }, { H }, { K }],
    /// Makes values.
    #[init(Init::XavierUniform.tensor(D, 3 * H * K, seeds))]
    #[torch(named("in_proj_weight").part(2, 3).transposed(1).or("v_proj.weight"))]
    pub value: Tensor![T; { D }, { H }, { K }],
    /// Added to queries.
    #[init(Tensor::zeros())]
    #[torch(named("in_proj_bias").part(0, 3).merged(2).or("q_proj.bias"))]
    pub query_bias: Tensor![T; { H }, { K }],
    /// Added to keys.
    #[init(Tensor::zeros())]
    #[torch(named("in_proj_bias").part(1, 3).merged(2).or("k_proj.bias"))]
    pub key_bias: Tensor![T; { H }, { K }],
    /// Added to values.
    #[init(Tensor::zeros())]
    #[torch(named("in_proj_bias").part(2, 3).merged(2).or("v_proj.bias"))]
    pub value_bias: Tensor![T; { H }, { K }],
    /// Puts the heads together.
    #[init(Init::FanIn.tensor(H * K, D, seeds))]
    #[torch(named("out_proj.weight").transposed(2))]
    pub out: Tensor![T; { H }, { K }, { D }],
    /// Added to the outputs.
    #[init(Tensor::zeros())]
    #[torch(named("out_proj.bias"))]
    pub out_bias: Tensor![T; { D }],
}

#[differentiable]
impl<const D: usize, const H: usize, const K: usize, T: Float> MultiHead<D, H, K, T> {
    /// The queries of `x`, and the keys and values of the memory, for each head.
    #[allow(clippy::type_complexity)]
    pub(super) fn projected<B: Dim, Q: Dim, M: Dim>(
        &self,
        x: &Tensor![T; B, Q, { D }],
        memory: &Tensor![T; B, M, { D }],
    ) -> (
        Tensor![T; B, { H }, Q, { K }],
        Tensor![T; B, { H }, M, { K }],
        Tensor![T; B, { H }, M, { K }],
    ) {
        let q = (x.tensordot::<1, _>(&self.query) + &self.query_bias).transpose::<1, 2>();
        let k = (memory.tensordot::<1, _>(&self.key) + &self.key_bias).transpose::<1, 2>();
        let v = (memory.tensordot::<1, _>(&self.value) + &self.value_bias).transpose::<1, 2>();
        (q, k, v)
    }

    /// The outputs of what the heads have read.
    pub(super) fn joined<B: Dim, Q: Dim>(
        &self,
        y: &Tensor![T; B, { H }, Q, { K }],
    ) -> Tensor![T; B, Q, { D }] {
        y.transpose::<1, 2>().tensordot::<2, _>(&self.out) + &self.out_bias
    }

    /// What each position of `x` reads from the memory: `x` itself for self-attention, another sequence for
    /// cross-attention.
    pub fn forward<B: Dim, Q: Dim, M: Dim>(
        &self,
        x: &Tensor![T; B, Q, { D }],
        memory: &Tensor![T; B, M, { D }],
        keys: &Keys,
    ) -> Tensor![T; B, Q, { D }] {
        let (q, k, v) = self.projected(x, memory);
        let y = if keys.is_padded() {
            let lengths = no_grad!(
                keys.lengths(memory.shape().0, memory.dims()[1])
                    .to(memory.device())
            );
            q.attention_padded(&k, &v, &lengths, no_grad!(keys.options()))
        } else {
            q.attention(&k, &v, no_grad!(keys.options()))
        };
        self.joined(&y)
    }

    /// Self-attention of each position with those before it. What the cache holds counts as read before, and the keys and
    /// values of `x` are added to it: a sequence can be given piece by piece. The cache is data, without a derivative.
    pub fn causal<B: Dim, Q: Dim>(
        &self,
        x: &Tensor![T; B, Q, { D }],
        cache: &mut KvCache<H, K, T>,
    ) -> Tensor![T; B, Q, { D }] {
        let (q, k, v) = self.projected(x, x);
        let options = no_grad!(Attention::new().causal());
        let y = if cache.has_past() {
            let (past_k, past_v) = no_grad!(cache.past(x.shape().0));
            let length = no_grad!(cache.length_with(x.dims()[1]));
            let k = past_k.concat_to::<2, _, _>(&k, length);
            let v = past_v.concat_to::<2, _, _>(&v, length);
            no_grad!(cache.keep(&k, &v));
            q.attention(&k, &v, options)
        } else {
            no_grad!(cache.keep(&k, &v));
            q.attention(&k, &v, options)
        };
        self.joined(&y)
    }
}
