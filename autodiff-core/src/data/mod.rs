//! Data sets and mini-batches.
