//! Transformers that write a sequence while they read another.

use super::{Encoder, Keys, MultiHead};
use crate::context::Ctx;
use crate::layers::{Dropout, LayerNorm, Mlp};
use autodiff_core::prelude::*;

/// A block of causal self-attention, attention to a memory, and an [`Mlp`] of `F` hidden features, each with a
/// normalisation and beside its input.
#[module(dropout: f64)]
pub struct DecoderLayer<
    const D: usize,
    const H: usize,
    const K: usize,
    const F: usize,
    T: Float = f32,
> {
    /// Of the self-attention.
    pub norm1: LayerNorm<D, T>,
    /// Of each position to those before it.
    #[torch(named("self_attn"))]
    pub attention: MultiHead<D, H, K, T>,
    /// Of the attention to the memory.
    pub norm2: LayerNorm<D, T>,
    /// Of each position to the memory.
    #[torch(named("multihead_attn"))]
    pub cross: MultiHead<D, H, K, T>,
    /// Of the two products.
    pub norm3: LayerNorm<D, T>,
    /// At each position.
    #[torch(flat().rename(&[("up.{p}", "linear1.{p}"), ("down.{p}", "linear2.{p}")]))]
    pub mlp: Mlp<D, F, T>,
    /// What is left out of each part.
    #[init(Dropout::new(dropout))]
    pub drop: Dropout,
    /// What is left out of the weights of attention: nothing at first. PyTorch's layer leaves out as much as of each part.
    #[init(Dropout::new(0.0))]
    pub attention_drop: Dropout,
    /// Whether the normalisations stand before the parts.
    #[config]
    #[init(true)]
    pub norm_first: bool,
}

#[differentiable]
impl<const D: usize, const H: usize, const K: usize, const F: usize, T: Float>
    DecoderLayer<D, H, K, F, T>
{
    /// The vectors after the block; `keys` says what of the memory is seen.
    pub fn forward<B: Dim, L: Dim, M: Dim>(
        &self,
        x: &Tensor![T; B, L, { D }],
        memory: &Tensor![T; B, M, { D }],
        keys: &Keys,
        ctx: &mut Ctx,
    ) -> Tensor![T; B, L, { D }] {
        let own = no_grad!(Keys::Causal);
        if self.norm_first {
            let h = self.norm1.forward(x);
            let read = self
                .attention
                .forward_with_dropout(&h, &h, &own, &self.attention_drop, ctx);
            let x = x + self.drop.forward(&read, ctx);
            let h = self.norm2.forward(&x);
            let read = self
                .cross
                .forward_with_dropout(&h, memory, keys, &self.attention_drop, ctx);
            let x = &x + self.drop.forward(&read, ctx);
            &x + self
                .drop
                .forward(&self.mlp.forward(&self.norm3.forward(&x)), ctx)
        } else {
            let read = self
                .attention
                .forward_with_dropout(x, x, &own, &self.attention_drop, ctx);
            let h = x + self.drop.forward(&read, ctx);
            let x = self.norm1.forward(&h);
            let read = self
                .cross
                .forward_with_dropout(&x, memory, keys, &self.attention_drop, ctx);
            let h = &x + self.drop.forward(&read, ctx);
            let x = self.norm2.forward(&h);
            let h = &x + self.drop.forward(&self.mlp.forward(&x), ctx);
            self.norm3.forward(&h)
        }
    }
}

/// A stack of [`DecoderLayer`]s with a normalisation behind it.
#[module(depth: usize, dropout: f64)]
pub struct Decoder<const D: usize, const H: usize, const K: usize, const F: usize, T: Float = f32> {
    /// One after the other.
    #[init(repeat(depth, DecoderLayer::new(seeds, dropout)))]
    pub layers: Vec<DecoderLayer<D, H, K, F, T>>,
    /// Behind the last one.
    pub norm: LayerNorm<D, T>,
}

#[differentiable]
impl<const D: usize, const H: usize, const K: usize, const F: usize, T: Float>
    Decoder<D, H, K, F, T>
{
    /// The vectors after all blocks; `keys` says what of the memory is seen.
    pub fn forward<B: Dim, L: Dim, M: Dim>(
        &self,
        x: &Tensor![T; B, L, { D }],
        memory: &Tensor![T; B, M, { D }],
        keys: &Keys,
        ctx: &mut Ctx,
    ) -> Tensor![T; B, L, { D }] {
        let mut x = x.clone();
        for layer in &self.layers {
            x = layer.forward(&x, memory, keys, ctx);
        }
        self.norm.forward(&x)
    }
}

/// An [`Encoder`] whose outputs a [`Decoder`] reads (Vaswani et al. 2017), over vectors: embeddings and the last product
/// are the program's own.
#[module(depth: usize, dropout: f64)]
pub struct Transformer<
    const D: usize,
    const H: usize,
    const K: usize,
    const F: usize,
    T: Float = f32,
> {
    /// Reads the source.
    #[init(Encoder::new(seeds, depth, dropout))]
    pub encoder: Encoder<D, H, K, F, T>,
    /// Writes the target.
    #[init(Decoder::new(seeds, depth, dropout))]
    pub decoder: Decoder<D, H, K, F, T>,
}

#[differentiable]
impl<const D: usize, const H: usize, const K: usize, const F: usize, T: Float>
    Transformer<D, H, K, F, T>
{
    /// The vectors of the target; `keys` says what of the source is seen.
    pub fn forward<B: Dim, M: Dim, L: Dim>(
        &self,
        source: &Tensor![T; B, M, { D }],
        target: &Tensor![T; B, L, { D }],
        keys: &Keys,
        ctx: &mut Ctx,
    ) -> Tensor![T; B, L, { D }] {
        let memory = self.encoder.forward(source, keys, ctx);
        self.decoder.forward(target, &memory, keys, ctx)
    }
}
