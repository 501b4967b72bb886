//! What a graph is made of.

use crate::{Graph, Node};
use autodiff_core::device::record::Origin;
use core::fmt;
use std::collections::BTreeMap;

/// The number of nodes of each operation.
pub(super) fn by_operation<'n>(
    nodes: impl IntoIterator<Item = &'n Node>,
) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for node in nodes {
        *counts.entry(node.operation()).or_default() += 1;
    }
    counts
}

/// What a graph is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// The nodes of each operation.
    pub operations: BTreeMap<&'static str, usize>,
    /// The nodes of each scope.
    pub scopes: BTreeMap<String, usize>,
    /// The number of edges.
    pub edges: usize,
    /// The number of inputs and variables.
    pub inputs: usize,
    /// The number of constants.
    pub constants: usize,
    /// The bytes of inputs, variables and constants.
    pub given_bytes: usize,
    /// The bytes of all that nodes make. A run needs [less](Graph::peak_bytes) at once.
    pub made_bytes: usize,
    /// The nodes of the longest path.
    pub depth: usize,
}

impl Graph {
    /// Counts nodes, edges, values and bytes.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let mut scopes = BTreeMap::new();
        for node in self.nodes() {
            *scopes.entry(node.scope().to_owned()).or_default() += 1;
        }
        let count = |is: fn(&Origin) -> bool| {
            let values = self.values().iter().filter(|v| is(v.origin()));
            values.fold((0, 0), |(n, bytes), v| (n + 1, bytes + v.bytes()))
        };
        let (inputs, input_bytes) = count(|o| matches!(o, Origin::Input(_)));
        let (constants, constant_bytes) = count(|o| matches!(o, Origin::Constant(_)));
        let (_, made_bytes) = count(|o| matches!(o, Origin::Node(_)));
        Statistics {
            operations: by_operation(self.nodes()),
            scopes,
            edges: self.edges().count(),
            inputs,
            constants,
            given_bytes: input_bytes + constant_bytes,
            made_bytes,
            depth: self.depth(),
        }
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes: usize = self.operations.values().sum();
        writeln!(
            f,
            "{nodes} nodes, {} edges, {} inputs, {} constants; the longest path has {} nodes",
            self.edges, self.inputs, self.constants, self.depth
        )?;
        let mut operations: Vec<_> = self.operations.iter().collect();
        operations.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
        for (operation, count) in operations {
            writeln!(f, "{count:>6} {operation}")?;
        }
        Ok(())
    }
}
