//! Layers, modules and their context, as programs use them.

mod graphs;
mod sizes;
mod snippets;
mod wrong_uses;
