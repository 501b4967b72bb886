//! Transformers that read a whole sequence.

use super::{Keys, MultiHead};
use crate::context::Ctx;
use crate::layers::{Dropout, LayerNorm, Mlp};
use autodiff_core::prelude::*;

/// A block of self-attention and an [`Mlp`] of `F` hidden features, each with a normalisation and beside its input.
///
/// With `norm_first` the normalisation stands before each part (Xiong et al. 2020): `x + part(norm(x))`, otherwise
/// behind the sum: `norm(x + part(x))` (Vaswani et al. 2017).
#[module(dropout: f64)]
pub struct EncoderLayer<
    const D: usize,
    const H: usize,
    const K: usize,
    const F: usize,
    T: Float = f32,
> {
    /// Of the attention.
    pub norm1: LayerNorm<D, T>,
    /// Of each position to all.
    #[torch(named("self_attn"))]
    pub attention: MultiHead<D, H, K, T>,
    /// Of the two products.
    pub norm2: LayerNorm<D, T>,
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
    EncoderLayer<D, H, K, F, T>
{
    /// The vectors after the block.
    pub fn forward<B: Dim, L: Dim>(
        &self,
        x: &Tensor![T; B, L, { D }],
        keys: &Keys,
        ctx: &mut Ctx,
    ) -> Tensor![T; B, L, { D }] {
        if self.norm_first {
            let h = self.norm1.forward(x);
            let read = self
                .attention
                .forward_with_dropout(&h, &h, keys, &self.attention_drop, ctx);
            let x = x + self.drop.forward(&read, ctx);
            &x + self
                .drop
                .forward(&self.mlp.forward(&self.norm2.forward(&x)), ctx)
        } else {
            let read = self
                .attention
                .forward_with_dropout(x, x, keys, &self.attention_drop, ctx);
            let h = x + self.drop.forward(&read, ctx);
            let x = self.norm1.forward(&h);
            let h = &x + self.drop.forward(&self.mlp.forward(&x), ctx);
            self.norm2.forward(&h)
        }
    }
}

/// A stack of [`EncoderLayer`]s with a normalisation behind it.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::{Ctx, Encoder, Keys};
///
/// let encoder = Encoder::<8, 2, 4, 16>::new(&mut Seeds::new(0), 2, 0.1); // two blocks
/// let x: Tensor![3, 5, 8] = Tensor::randn(1);
/// let y = encoder.forward(&x, &Keys::All, &mut Ctx::eval());
/// assert_eq!(y.dims().as_slice(), [3, 5, 8]);
/// ```
#[module(depth: usize, dropout: f64)]
pub struct Encoder<const D: usize, const H: usize, const K: usize, const F: usize, T: Float = f32> {
    /// One after the other.
    #[init(repeat(depth, EncoderLayer::new(seeds, dropout)))]
    pub layers: Vec<EncoderLayer<D, H, K, F, T>>,
    /// Behind the last one.
    pub norm: LayerNorm<D, T>,
}

#[differentiable]
impl<const D: usize, const H: usize, const K: usize, const F: usize, T: Float>
    Encoder<D, H, K, F, T>
{
    /// The vectors after all blocks.
    pub fn forward<B: Dim, L: Dim>(
        &self,
        x: &Tensor![T; B, L, { D }],
        keys: &Keys,
        ctx: &mut Ctx,
    ) -> Tensor![T; B, L, { D }] {
        let mut x = x.clone();
        for layer in &self.layers {
            x = layer.forward(&x, keys, ctx);
        }
        self.norm.forward(&x)
    }
}
