//! What the outputs do not need.

use super::statistics::by_operation;
use crate::{Graph, Node};
use autodiff_core::device::record::Origin;
use core::fmt;

/// A graph of what its outputs need, and what is not in it.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// The rest. Values have the numbers from before.
    pub graph: Graph,
    /// The nodes that were dropped.
    pub dropped: Vec<Node>,
    /// The inputs that no output depends on.
    pub inputs: Vec<String>,
    /// The bytes of what the dropped nodes would have made.
    pub bytes: usize,
}

impl Graph {
    /// The graph without what its outputs do not need, and a report of what that is.
    ///
    /// ```
    /// use differentiable::graph::Recording;
    /// use differentiable::prelude::*;
    ///
    /// let recording = Recording::new();
    /// let x: Tensor![2] = recording.input("x", Default::default());
    /// let y: Tensor![2] = recording.input("y", Default::default());
    /// let _unused = &x * &y;
    /// recording.output("twice", &(&x * 2.0_f32));
    /// let pruned = recording.graph().pruned();
    /// assert_eq!(pruned.graph.nodes().len(), 1);
    /// assert_eq!(pruned.to_string(), "dropped 1 of 2 nodes (binary), which make 8 bytes; no output needs the input y");
    /// ```
    #[must_use]
    pub fn pruned(&self) -> Pruned {
        let (graph, dropped) = autodiff_core::device::record::Graph::pruned(self);
        let graph = Graph::new(graph);
        let was_input = |n: &usize| matches!(self.values()[*n].origin(), Origin::Input(_));
        let is_input = |n: &usize| matches!(graph.values()[*n].origin(), Origin::Input(_));
        let inputs = (0..self.values().len()).filter(|n| was_input(n) && !is_input(n));
        let name = |n: usize| match self.values()[n].origin() {
            Origin::Input(name) => name.to_string(),
            _ => unreachable!("an input"),
        };
        let made = dropped.iter().flat_map(|n| n.results());
        Pruned {
            inputs: inputs.map(name).collect(),
            bytes: made.map(|r| self.values()[r.value].bytes()).sum(),
            graph,
            dropped,
        }
    }
}

/// One line that says what was dropped.
impl fmt::Display for Pruned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dropped = self.dropped.len();
        let all = dropped + self.graph.nodes().len();
        write!(f, "dropped {dropped} of {all} nodes")?;
        if dropped > 0 {
            let counts = by_operation(&self.dropped);
            let counts: Vec<String> = counts
                .into_iter()
                .map(|(name, n)| {
                    if n == 1 {
                        name.to_owned()
                    } else {
                        format!("{n} {name}")
                    }
                })
                .collect();
            write!(
                f,
                " ({}), which make {} bytes",
                counts.join(", "),
                self.bytes
            )?;
        }
        match self.inputs.as_slice() {
            [] => Ok(()),
            [input] => write!(f, "; no output needs the input {input}"),
            inputs => write!(f, "; no output needs the inputs {}", inputs.join(", ")),
        }
    }
}
