//! Typed tensors and their untyped storage.

pub mod raw;
mod raw_ops;
