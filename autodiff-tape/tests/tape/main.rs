//! Tapes: programs whose structure is data.
#![allow(missing_docs)]

mod basics;
mod pullbacks;
