//! What names mean: tables of the functions and methods that the macro knows, and nothing else.

pub mod numbers;
pub mod operators;
pub mod sequences;
pub mod tensors;
