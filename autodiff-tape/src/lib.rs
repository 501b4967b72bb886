//! Tapes: programs whose structure is data, differentiated while they run.
//!
//! A [`Tape`] is a list. What is computed with a [`Var`] is an operation on the list, with its pullback; the gradient comes from
//! going through the list backwards. The rules are those of annotated functions.
//!
//! ```
//! use differentiable::prelude::*;
//! use differentiable::tape::Tape;
//!
//! enum Tree {
//!     Leaf(f64),
//!     Node(Box<Tree>, Box<Tree>),
//! }
//!
//! let tape = Tape::new();
//! let w = tape.var(0.5);
//! fn value(tree: &Tree, w: &differentiable::tape::Var<f64>) -> differentiable::tape::Var<f64> {
//!     match tree {
//!         Tree::Leaf(x) => w.tape().constant(*x),
//!         Tree::Node(left, right) => (w * value(left, w) + value(right, w)).tanh(),
//!     }
//! }
//! let tree = Tree::Node(Box::new(Tree::Leaf(1.0)), Box::new(Tree::Leaf(0.2)));
//! value(&tree, &w).backward();
//! let t = (0.5f64 + 0.2).tanh();
//! assert_eq!(w.grad(), Some(1.0 - t * t));
//! ```
//!
//! | file | what it has |
//! |---|---|
//! | `tape` | the list, calls of annotated functions, gradients |
//! | `var` | a value and its place on the tape |
//! | `node`, `slot` | an operation on the list; where cotangents are added up |
//! | `operation`, `arguments` | what an operation is, and what it takes |
//! | `pass` | the list, backwards |
//! | `ops/` | operators and methods of values |
//! | `again/` | gradients that can be differentiated again |
//! | `custom`, `buffer` | operations with a pullback of the user's; gradients by value |
//! | `autograd` | gradients of functions of values: `make_vjp`, `grad` |
//! | `text` | the list as text |
//! | `lists` | the tuples and sequences that traits are implemented for |

#![forbid(unsafe_code)]

// Code written by `#[differentiable]` names the facade; inside this crate the facade is the core.
extern crate autodiff_core as differentiable;

mod again;
mod arguments;
mod autograd;
mod buffer;
mod custom;
mod error;
mod lists;
mod loss;
mod node;
mod operation;
mod ops;
mod pass;
mod slot;
mod tape;
mod text;
mod var;
mod wrt;

pub use again::{Vector, WrtVars};
pub(crate) use arguments::Arguments;
pub use arguments::{Input, Inputs};
pub use autograd::{grad, make_vjp, value_and_grad};
pub use buffer::GradientBuffer;
pub use error::TapeError;
pub use loss::Loss;
pub use ops::Numbers;
pub use tape::Tape;
pub use text::Noted;
pub use var::Var;
pub use wrt::Wrt;
