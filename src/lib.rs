//! Compile-time automatic differentiation and deep learning on stable Rust.

pub use autodiff_core::*;
