//! Layers, modules and their context, as programs use them.

#[path = "nn/snippets.rs"]
mod snippets;
