//! Macros that users call: what they stand for. Annotated functions see that too.

mod batched;
pub mod einsum;
pub mod vmap;
