//! A device that computes nothing: it records what it is asked for, as a graph.
//!
//! A buffer of a [`Recorder`] is the number of a value. A call of a method of [`Backend`](super::Backend) is a node: what
//! it is told ([`Attr`]), the values that it reads, and those that it writes. A write makes a new value, and names the one
//! whose buffer it may take over (static single assignment). Nodes are in an order in which they can run, because each
//! was recorded when what it reads was there.
//!
//! A node also keeps how to call the method again, on any [`Device`](super::Device): the macro of the list of methods
//! writes that, so a new method is recorded, and runs again, by construction. What runs are the kernels of the device,
//! fused regions included, so a graph gives the numbers of the program that it was recorded from, bit for bit.
//!
//! | file | what it has |
//! |---|---|
//! | `recorder` | the device |
//! | `attr` | what an operation is told beside its operands |
//! | `operand` | operands, as a node keeps them and as it gives them back |
//! | `graph` | nodes and values |
//! | `plan` | the nodes that are needed, and where each value is used last |
//! | `run` | a graph on a device |
//! | `scope` | names of what is recorded |

mod attr;
mod graph;
mod operand;
mod plan;
mod recorder;
mod run;
mod scope;

pub use attr::{Attr, Attribute, RegionAttr};
pub use graph::{Argument, Constant, Graph, Node, NodeOperand, NodeResult, Origin, Output, Value};
pub use plan::{Arrangement, Plan};
pub use recorder::{RecordedBuf, Recorder};
pub use run::{AnyBuffer, GraphError, Run};
pub use scope::Scope;
