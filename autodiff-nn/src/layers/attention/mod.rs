//! Attention, positions, and the blocks of transformers.

mod cache;
mod decoder;
mod encoder;
mod grouped;
mod keys;
mod multi_head;
mod patches;
mod positions;
mod rotary;
mod weighted;

pub use cache::{Caches, KvCache};
pub use decoder::{Decoder, DecoderLayer, Transformer};
pub use encoder::{Encoder, EncoderLayer};
pub use grouped::GroupedMultiHead;
pub use keys::Keys;
pub use multi_head::MultiHead;
pub use patches::PatchEmbedding;
pub use positions::{LinearPositions, alibi, positions, sinusoidal};
pub use rotary::Rotary;
