//! Graphs analysed, improved and drawn.

mod cost;
mod memory;
mod merge;
mod pictures;
mod programs;
mod speed;
mod structure;
mod tensorboard;
mod text;
