//! The representation written as Rust: the body of each companion.

pub mod jvp;
pub mod region;
pub mod sides;
pub mod slope;
pub mod vjp;
