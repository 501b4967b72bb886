//! Layers of vectors, tables and single elements against PyTorch.

#[macro_use]
#[path = "layers/golden.rs"]
mod golden;
#[path = "layers/basic.rs"]
mod basic;
