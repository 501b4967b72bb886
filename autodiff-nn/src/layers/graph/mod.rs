//! Layers over graphs.
//!
//! A graph is given by its edges: [`Edges`] for layers that weigh them by attention, and a [`Sparse`] matrix for layers
//! that multiply with them. Both work edge by edge, so that time and memory grow with the number of edges.

mod attention;
mod conv;
mod edges;
mod sparse;

pub use attention::GraphAttention;
pub use conv::GraphConv;
pub use edges::{Edge, EdgeError, Edges};
pub use sparse::{EntryError, Sparse};
