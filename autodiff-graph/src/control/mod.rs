//! Control flow that a run decides: `cond` and `while_loop` as nodes with subgraphs.
//!
//! A function that is passed on is recorded as a graph of its own ([`Subgraph`]), whose values have the numbers that they
//! have outside. So it may use tensors of the program around it: these become operands of the node. In annotated functions
//! both have derivatives. The pullback of a `cond` is a `cond` of the pullbacks of its branches. A loop keeps its state
//! before each trip, and its pullback is a loop over these, backwards. Either way a body runs once more to be pulled back, as
//! with a checkpoint.
//!
//! On a device that computes at once both are what Rust's `if` and `while` are, and a graph gives their bits. The gradient by
//! a tensor that a loop captures is summed up over the trips, and then added to what the program has for it elsewhere; a
//! `while` in an annotated function adds each trip to it, which may round otherwise. A branch that is not taken adds zeros.

mod branch;
mod branch_rule;
mod flow;
mod looped;
mod looped_rule;
mod subgraph;

pub use branch::cond;
pub use branch_rule::cond;
pub use flow::Flow;
#[cfg(feature = "dist")]
pub(crate) use looped::is_states;
pub use looped::while_loop;
pub use looped_rule::while_loop;
pub use subgraph::Subgraph;
