//! Programs as graphs: recorded, looked at, run.
//!
//! A [`Recording`] hands out tensors that live on a [`Recorder`](autodiff_core::device::record::Recorder). What is computed from
//! them is recorded instead: operations, annotated functions, their derivatives, the step of an optimiser. A [`Session`]
//! runs what was recorded on a device, as often as it is asked to, with other inputs.
//!
//! ```
//! use differentiable::graph::{Feeds, Recording, Session};
//! use differentiable::prelude::*;
//!
//! #[differentiable]
//! fn loss(w: &Tensor![3], #[constant] x: &Tensor![3]) -> Tensor![] {
//!     (w * x).sum().square()
//! }
//!
//! let recording = Recording::new();
//! let (w, x) = (recording.input("w", Default::default()), recording.input("x", Default::default()));
//! let (value, slope) = recording.scope(|| loss::value_and_grad(&w, &x)); // nothing is computed
//!
//! let mut session = Session::new(&recording, &Device::cpu());
//! let feeds = Feeds::new().with(&w, &tensor([1.0, 2.0, 3.0])).with(&x, &tensor([1.0, 0.0, 2.0]));
//! let (value, slope) = session.run((&value, &slope), &feeds)?;
//! assert_eq!(value.item(), 49.0);
//! assert_eq!(slope.to_vec(), [14.0, 0.0, 28.0]);
//! # Ok::<(), differentiable::graph::GraphError>(())
//! ```
//!
//! | file | what it has |
//! |---|---|
//! | `graph` | what was recorded |
//! | `recording/` | inputs, variables, outputs, assignments, steps of optimisers, placement |
//! | `session/` | runs with feeds and fetches; sessions in files |
//! | `execute/` | how a planned graph runs: in order, in parallel, in parts on several devices or ranks |
//! | `program/` | placeholders, variables and gradients on a tape |
//! | `compile/` | functions that run as graphs |
//! | `control/` | `cond` and `while_loop` |
//! | `any` | tensors and buffers whose type of elements is known at run time |
//! | `tuples` | the lengths of tuples for which traits are implemented |
//! | `passes/` | graphs analysed and improved |
//! | `pictures/` | graphs as text and as pictures |

// Code written by `#[differentiable]` names the facade; inside this crate the facade is the core.
extern crate autodiff_core as differentiable;

mod any;
mod compile;
mod control;
mod execute;
mod graph;
mod passes;
mod pictures;
mod program;
mod recording;
mod session;
mod tuples;

pub use autodiff_core::device::record::{
    Argument as NodeArgument, Arrangement, Attr, GraphError, Node, NodeOperand, NodeResult, Origin,
    Output, Plan, RegionAttr, Scope, Value,
};
pub use compile::{Argument, Arguments, Compiled, Function, Retraced, compile, retrace};
pub use control::{Flow, Subgraph, cond, while_loop};
pub use execute::Part;
#[cfg(feature = "dist")]
pub use execute::ranks::RankPart;
pub use graph::Graph;
#[doc(hidden)]
pub use passes::has_cost;
pub use passes::{
    BudgetError, Cost, Costs, Edge, LiveRange, Memory, Merged, Passes, Pruned, Statistics, Work,
};
pub use pictures::{Everything, Picture, Values};
pub use program::{Program, Trained};
pub use recording::{Assign, Recorded, Recording, Train};
#[doc(hidden)]
pub use session::Wanted;
pub use session::{Feeds, Fetch, Gradient, Session, Whole};
