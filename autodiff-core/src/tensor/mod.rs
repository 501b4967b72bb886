//! Typed tensors and their untyped storage.
