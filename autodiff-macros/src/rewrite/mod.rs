//! Rust made into less Rust, before anything is lowered.

pub mod chains;
pub mod choices;
pub mod desugar;
pub mod jumps;
pub mod local_items;
pub mod receivers;
pub mod rename;
