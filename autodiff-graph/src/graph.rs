//! What was recorded, to look at.

use autodiff_core::device::record;
use core::ops::Deref;
use std::sync::Arc;

/// A recorded program: values, the nodes that make them, and the outputs that the program names.
///
/// The nodes, values and outputs are those of [`record::Graph`], to which it derefs.
#[derive(Clone, Debug)]
pub struct Graph(Arc<record::Graph>);

impl Graph {
    pub(crate) fn new(graph: record::Graph) -> Self {
        Graph(Arc::new(graph))
    }
}

impl Deref for Graph {
    type Target = record::Graph;
    fn deref(&self) -> &record::Graph {
        &self.0
    }
}
