//! Normalisations against PyTorch.

#[macro_use]
#[path = "layers/golden.rs"]
mod golden;
#[path = "layers/norm.rs"]
mod norm;
