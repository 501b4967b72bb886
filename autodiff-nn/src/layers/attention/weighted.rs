//! Attention of several heads with masks and biases of one's own, with dropout, and with its weights for pictures.

use super::{Keys, MultiHead};
use crate::context::Ctx;
use crate::layers::Dropout;
use autodiff_core::prelude::*;
use autodiff_core::shape::{Broadcast, Paired};

#[differentiable]
impl<const D: usize, const H: usize, const K: usize, T: Float> MultiHead<D, H, K, T> {
    /// As [`forward`](Self::forward), where a query sees the keys with `true` in the mask only: a mask `[Q, M]`, or with more
    /// trailing axes of `[B, H, Q, M]`. A query that sees no key reads nothing.
    ///
    /// ```
    /// use differentiable::prelude::*;
    /// use differentiable::nn::MultiHead;
    ///
    /// let attention = MultiHead::<8, 2, 4>::new(&mut Seeds::new(0));
    /// let x: Tensor![3, 5, 8] = Tensor::randn(1);
    /// let near: Tensor![bool; 5, 5] = Tensor::from_fn(|i| (i / 5).abs_diff(i % 5) < 2);
    /// let y = attention.forward_masked(&x, &x, &near);
    /// assert_eq!(y.dims().as_slice(), [3, 5, 8]);
    /// ```
    pub fn forward_masked<B: Dim, Q: Dim, M: Dim, R: Shape>(
        &self,
        x: &Tensor![T; B, Q, { D }],
        memory: &Tensor![T; B, M, { D }],
        mask: &Tensor<R, bool>,
    ) -> Tensor![T; B, Q, { D }]
    where
        (B, Sz<H>, Q, M): Broadcast<R, Joint = (B, Sz<H>, Q, M)>,
        <(B, Sz<H>, Q, M) as Broadcast<R>>::Pairs: Paired<(B, Sz<H>, Q, M), R>,
    {
        let (q, k, v) = self.projected(x, memory);
        let y = q.attention_masked(&k, &v, mask, no_grad!(Attention::new()));
        self.joined(&y)
    }

    /// As [`forward`](Self::forward), with a bias added to the scores before the softmax: `[Q, M]`, or with more trailing
    /// axes of `[B, H, Q, M]`, as [`alibi`](super::alibi) gives it. It has a derivative.
    pub fn forward_biased<B: Dim, Q: Dim, M: Dim, R: Shape>(
        &self,
        x: &Tensor![T; B, Q, { D }],
        memory: &Tensor![T; B, M, { D }],
        bias: &Tensor<R, T>,
    ) -> Tensor![T; B, Q, { D }]
    where
        (B, Sz<H>, Q, M): Broadcast<R, Joint = (B, Sz<H>, Q, M)>,
        <(B, Sz<H>, Q, M) as Broadcast<R>>::Pairs: Paired<(B, Sz<H>, Q, M), R>,
    {
        let (q, k, v) = self.projected(x, memory);
        let y = q.attention_biased(&k, &v, bias, no_grad!(Attention::new()));
        self.joined(&y)
    }

    /// As [`forward`](Self::forward), and the weights of the attention `[B, H, Q, M]`, for pictures. It keeps all of them in
    /// memory, which `forward` does not.
    pub fn forward_with_weights<B: Dim, Q: Dim, M: Dim>(
        &self,
        x: &Tensor![T; B, Q, { D }],
        memory: &Tensor![T; B, M, { D }],
        keys: &Keys,
    ) -> (Tensor![T; B, Q, { D }], Tensor![T; B, { H }, Q, M]) {
        let (q, k, v) = self.projected(x, memory);
        let weights = self.weights(&q, &k, keys);
        let heads = einsum!("bhqm,bhmk->bhqk", &weights, &v);
        (self.joined(&heads), weights)
    }

    /// As [`forward`](Self::forward), with some weights of the attention left out in training, as the `dropout` of PyTorch's
    /// `nn.MultiheadAttention` does. It keeps all weights in memory then, which `forward` does not.
    pub fn forward_with_dropout<B: Dim, Q: Dim, M: Dim>(
        &self,
        x: &Tensor![T; B, Q, { D }],
        memory: &Tensor![T; B, M, { D }],
        keys: &Keys,
        drop: &Dropout,
        ctx: &mut Ctx,
    ) -> Tensor![T; B, Q, { D }] {
        if no_grad!(ctx.is_train() && drop.p > 0.0) {
            let (q, k, v) = self.projected(x, memory);
            let weights = drop.forward(&self.weights(&q, &k, keys), ctx);
            let heads = einsum!("bhqm,bhmk->bhqk", &weights, &v);
            self.joined(&heads)
        } else {
            self.forward(x, memory, keys)
        }
    }

    /// The weights of each query.
    fn weights<B: Dim, Q: Dim, M: Dim>(
        &self,
        q: &Tensor![T; B, { H }, Q, { K }],
        k: &Tensor![T; B, { H }, M, { K }],
        keys: &Keys,
    ) -> Tensor![T; B, { H }, Q, M] {
        let scale: T = no_grad!(T::lit(1.0 / (K as f64).sqrt()));
        let scores = einsum!("bhqk,bhmk->bhqm", q, k) * scale;
        let hidden: Tensor![bool; B, { H }, Q, M] = no_grad!(
            keys.hidden::<H, B, Q, M>(q.shape().0, q.shape().2, k.shape().2)
                .to(q.device())
        );
        // A finite number, and the second mask: a query that sees no key reads nothing, as in `forward`.
        let lowest: T = no_grad!(T::lit(-1e30));
        let zero: T = no_grad!(T::ZERO);
        scores
            .masked_fill(&hidden, lowest)
            .softmax::<-1>()
            .masked_fill(&hidden, zero)
    }
}
