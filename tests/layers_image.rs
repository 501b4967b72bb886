//! Convolutions and pools against PyTorch.

#[macro_use]
#[path = "layers/golden.rs"]
mod golden;
#[path = "layers/image.rs"]
mod image;
