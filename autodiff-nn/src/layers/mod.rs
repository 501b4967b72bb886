//! The layers, by what they work on.

mod attention;
mod basic;
mod experts;
mod graph;
mod image;
mod lengths;
mod norm;
mod recurrent;

pub use attention::*;
pub use basic::*;
pub use experts::*;
pub use graph::*;
pub use image::*;
pub use lengths::Lengths;
pub use norm::*;
pub use recurrent::*;
