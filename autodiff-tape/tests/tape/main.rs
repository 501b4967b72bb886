//! Tapes: programs whose structure is data.
#![allow(missing_docs)]

mod basics;
mod calls;
mod lectures;
mod methods;
mod networks;
mod pullbacks;
mod recordings;
