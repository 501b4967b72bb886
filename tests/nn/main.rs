//! Layers, modules and their context, as programs use them.

mod fitted;
mod graphs;
mod sizes;
mod snippets;
mod speech;
mod wrong_uses;
