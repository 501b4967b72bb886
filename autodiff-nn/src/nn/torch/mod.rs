//! Weights from and for PyTorch, in safetensors files.
//!
//! Every layer of [`nn`](crate::nn) states how PyTorch stores it, so a file needs new names at most. A network that has the
//! names of PyTorch's needs nothing:
//!
//! ```
//! use differentiable::prelude::*;
//! use differentiable::nn::torch;
//!
//! #[module]
//! struct Net {
//!     fc1: Linear<4, 4>,
//!     fc2: Linear<4, 2>,
//! }
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let path = std::env::temp_dir().join("net.safetensors");
//! let net = Net::new(&mut Seeds::new(0));
//! torch::export(&net, &path)?; // `fc1.weight` is [outputs, inputs] there
//!
//! let mut again = Net::new(&mut Seeds::new(1));
//! let report = torch::import(&mut again, &path)?;
//! assert_eq!(report.loaded.len(), 4);
//! assert_eq!(again.fc1.weight, net.fc1.weight);
//! # Ok(()) }
//! ```
//!
//! | layer | in PyTorch |
//! |---|---|
//! | `Linear`, `LinearNoBias` | `weight` as `[outputs, inputs]`, `bias` |
//! | `Conv*d`, `ConvTranspose*d`, `Bilinear`, `Embedding`, `EmbeddingBag`, `PRelu`, norms | the same |
//! | `BatchNorm` | the same, and `num_batches_tracked`, which is left out |
//! | `Rnn`, `Lstm`, `Gru` | `weight_ih_l0`, `weight_hh_l0`, `bias_ih_l0`, `bias_hh_l0`; the bias of `Rnn` and `Lstm` is the sum of the two |
//! | `RnnStack`, `LstmStack`, `GruStack` | `_l0`, `_l1`, … |
//! | `BiRnn`, `BiLstm`, `BiGru` | the second one with `_reverse` |
//! | `MultiHead` | `in_proj_weight`, `in_proj_bias`, `out_proj`, as `nn.MultiheadAttention`; or `q_proj`, `k_proj`, `v_proj` alone |
//! | `EncoderLayer`, `DecoderLayer` | `self_attn`, `multihead_attn`, `linear1`, `linear2`, `norm1`, …, as `nn.TransformerEncoderLayer` |
//! | `GroupedMultiHead`, `GatedMlp` | `q_proj`, `k_proj`, `v_proj`, `o_proj`; `gate_proj`, `up_proj`, `down_proj`, as Llama |
//! | `Sequential` | the positions, `0.weight` |
//!
//! A tensor of your own is read as it is: its name is that of the field, and its sizes are those of the file. If it is
//! transposed there, say so, `#[torch(transposed(1))]`: shapes are never used to guess. See
//! [`TorchForm`](crate::nn::TorchForm) for what else can be said.

mod assemble;
mod choose;
mod error;
mod export;
mod file;
mod import;
mod mismatch;
mod numbers;
mod pattern;
mod plan;
mod report;

pub use error::{ExportError, FormError, ImportError};
pub use export::export;
pub use import::Import;
pub use mismatch::{Mismatch, Missing, Unused, WrongShape};
pub use report::Report;

use autodiff_core::nn::Module;
use std::path::Path;

/// Sets the parameters and buffers of a module from a file of PyTorch's whose names are those of the module:
/// [`Import::load`] without patterns.
///
/// # Errors
/// As [`Import::load`]. The module is unchanged then.
pub fn import<M: Module + ?Sized>(
    module: &mut M,
    path: impl AsRef<Path>,
) -> Result<Report, ImportError> {
    Import::new().load(module, path)
}
