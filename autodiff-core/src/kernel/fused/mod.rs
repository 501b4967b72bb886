//! Elementwise regions: many operations in one pass over their inputs, interior values in registers.
//!
//! | file | what it holds |
//! |---|---|
//! | `rules` | the operations a region is made of, each with its pullback |
//! | `block` | a region over blocks of elements, as vector code |
//! | `run` | inputs of any layout, outputs that are dense or summed, threads |
//! | `piece` | one thread's part of that, block by block |
//! | `ladder` | sums of many terms |

pub mod block;
mod ladder;
mod piece;
pub mod rules;
pub mod run;

pub use run::{Output, run};
