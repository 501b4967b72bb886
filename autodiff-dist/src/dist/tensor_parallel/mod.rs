//! Layers whose matrices are divided among the ranks (Shoeybi et al. 2019, "Megatron-LM").
//!
//! A matrix that is divided by columns gives each rank some of the outputs; one that is divided by rows takes them and gives a sum
//! over the ranks. One after the other they need one sum in the forward pass, behind the rows, and one in the reverse pass, before the
//! columns:
//!
//! ```text
//! x ── copied ──▶ x·W₁ᵣ ── tanh, gelu, heads of attention, .. ──▶ h·W₂ᵣ ── summed ──▶ y
//! ```
//!
//! The value of [`summed()`] is the sum over the ranks, and its cotangent goes to each as it is; the value of [`copied()`] is its input,
//! and its cotangent is the sum. Between them each rank has numbers of its own, outside all have the same.

mod heads;
mod layers;
mod ops;

pub use heads::SplitHeads;
pub use layers::{ColumnLinear, RowLinear, Split};
pub use ops::{copied, gathered, summed};
