//! The layers, by what they work on.

mod attention;
mod basic;
mod image;
mod norm;
mod recurrent;

pub use attention::*;
pub use basic::*;
pub use image::*;
pub use norm::*;
pub use recurrent::*;
