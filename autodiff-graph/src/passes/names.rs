//! A name for each node, after its scope.

use crate::Graph;
use autodiff_core::device::record::Origin;
use std::collections::HashMap;

impl Graph {
    /// A name for each node, by number: its scope and operation, as `net/hidden/gemm`. Of several with the same, the second
    /// is `net/hidden/gemm_1`.
    #[must_use]
    pub fn node_names(&self) -> Vec<String> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        let name = |node: &super::super::Node| match node.scope() {
            "" => node.operation().to_owned(),
            scope => format!("{scope}/{}", node.operation()),
        };
        let mut names = Vec::with_capacity(self.nodes().len());
        for node in self.nodes() {
            let name = name(node);
            let count = counts.entry(name.clone()).or_default();
            names.push(match *count {
                0 => name,
                count => format!("{name}_{count}"),
            });
            *count += 1;
        }
        names
    }

    /// The node that makes the output of this name, or the node that [`node_names`](Graph::node_names) calls so.
    ///
    /// ```
    /// use differentiable::graph::Recording;
    /// use differentiable::prelude::*;
    ///
    /// let recording = Recording::new();
    /// let x = recording.input("x", <shape![2]>::default());
    /// let y: Tensor![2] = recording.named("layer", || (&x * 2.0_f32).tanh());
    /// recording.output("y", &y);
    /// let graph = recording.graph();
    /// assert_eq!(graph.node_named("y"), Some(1));
    /// assert_eq!(graph.node_named("layer/unary_1"), Some(1));
    /// assert_eq!(graph.node_named("z"), None);
    /// ```
    #[must_use]
    pub fn node_named(&self, name: &str) -> Option<usize> {
        let output = self.outputs().iter().find(|o| &*o.name == name);
        match output.map(|o| self.values()[o.value].origin()) {
            Some(Origin::Node(node)) => Some(*node),
            _ => self.node_names().iter().position(|n| n == name),
        }
    }
}
