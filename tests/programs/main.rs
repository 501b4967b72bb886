//! Twelve programs that a user of layers writes, each trained to the result that it is known to reach.

mod cnn;
mod common;
mod depth;
mod gpt;
mod graph;
mod lstm;
mod moe;
mod sentiment;
mod seq2seq;
mod tree;
mod vae;
mod vit;
