//! Data through the facade, as users call it.

// Types of tensors are long: they hold the shapes.
#![allow(clippy::type_complexity)]

mod batch;
mod damaged;
mod formats;
mod images;
mod loader;
mod parquet;
mod support;
mod tokenizers;
