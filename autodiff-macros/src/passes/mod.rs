//! What is found out and changed in the representation between lowering and emission.

pub mod activity;
pub mod checkpoint;
pub mod fuse;
pub mod hints;
pub mod lengths;
pub mod likes;
pub mod needs;
pub mod operators;
pub mod over_scalar;
pub mod pairs;
pub mod settle;
pub mod types;
