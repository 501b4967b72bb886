//! Losses that are compositions of operations. Losses with a rule of their own are methods of tensors.

mod binary;
mod distributions;
mod embeddings;

pub use binary::bce_with_logits_weighted;
pub use distributions::{kl_normal, soft_cross_entropy};
pub use embeddings::{
    clip_loss, contrastive_loss, cosine_embedding_loss, cosine_similarity, info_nce, triplet_loss,
};
