//! Training runs: `fit` over an [`Objective`], and what a loop of one's own is put together from.

mod objective;

pub use objective::Objective;
