//! State of the optimiser, gradients and parameters divided among ranks (Rajbhandari et al. 2020, "ZeRO: Memory Optimizations Toward
//! Training Trillion Parameter Models", SC20).

mod by_share;
mod layout;
mod saved;
mod sharded;
mod share;
mod states;

pub use by_share::ByShare;
pub use sharded::{ShardError, Sharded};
pub use states::Zero;
