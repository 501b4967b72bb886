//! Scaled dot-product attention: `attention`, with a mask, a bias, lengths, or groups of heads.
//!
//! `softmax(scale·q·kᵀ + bias)·v` along keys, as one operation that stores two numbers for each query beside its
//! operands and output, and nothing for each pair of a query and a key. The formulas of both derivatives, and where
//! they are from, are in [`kernel::attention`](crate::kernel::attention).
//!
//! Keys that a mask hides have the weight 0. A row without visible keys has an output and derivatives of 0, as fused
//! kernels have it (PyTorch's unfused form gives NaN); so has a row whose bias is −∞ everywhere. A score that is NaN or
//! +∞ makes the row NaN. Hidden keys may still pass on NaN by `0·NaN` if their *value* is not finite, except the
//! padding of `attention_padded`, which is never read.
//!
//! Options have no derivative: one that depends on a differentiated argument does not compile.

mod options;
mod rules;

pub use options::Attention;
