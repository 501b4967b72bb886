//! Attention, positions and transformers against PyTorch.

#[macro_use]
#[path = "layers/golden.rs"]
mod golden;
#[path = "layers/attention.rs"]
mod attention;
#[path = "layers/transformer.rs"]
mod transformer;
