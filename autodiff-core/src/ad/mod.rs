//! Differentiation at run time: the traits that generated code is written against, the rules of
//! the primitive operations, and the loop tape.

mod mode;
mod traits;
mod witness;

pub use mode::{Mode, NoGrad, Off, On};
pub use traits::{Acc, Adj, Ct, Differentiable, Leaf, Tangent};
pub use witness::{Val, Wit, wit};
