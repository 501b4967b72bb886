//! Layers of vectors, tables and single elements, and how layers are put together.

mod activation;
mod bilinear;
mod dropout;
mod embedding;
mod embedding_bag;
mod layer;
mod linear;
mod mlp;
mod residual;

pub use activation::*;
pub use bilinear::Bilinear;
pub use dropout::{DropPath, Dropout, Dropout1d, Dropout2d, Dropout3d};
pub use embedding::Embedding;
pub use embedding_bag::{Bag, EmbeddingBag};
pub use layer::{Flatten, Layer, Sequential};
pub use linear::LinearNoBias;
pub use mlp::{GatedMlp, Mlp};
pub use residual::Residual;
