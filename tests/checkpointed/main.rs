//! `#[checkpoint]` on loops and functions: the same gradients as without it.
#![allow(missing_docs)]

mod loops;
