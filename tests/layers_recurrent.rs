//! Recurrent layers against PyTorch.

#[macro_use]
#[path = "layers/golden.rs"]
mod golden;
#[path = "layers/recurrent.rs"]
mod recurrent;
