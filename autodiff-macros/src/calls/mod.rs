//! Macros that users call: what they stand for. Annotated functions see that too.

pub mod einsum;
pub mod vmap;
