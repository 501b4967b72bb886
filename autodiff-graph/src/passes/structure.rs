//! A graph as nodes and edges.

use crate::Graph;
use autodiff_core::device::record::{Origin, Value};

/// What flows into a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The number of the value that flows.
    pub value: usize,
    /// The node that makes it; `None` for an input or a constant.
    pub from: Option<usize>,
    /// The node that reads it.
    pub to: usize,
    /// The parameter of the method, such as `a` of `gemm`. A result whose previous contents are read has its own name.
    pub parameter: &'static str,
}

impl Graph {
    /// The edges: one for each value that a node reads, in the order of the nodes.
    ///
    /// ```
    /// use differentiable::graph::Recording;
    /// use differentiable::prelude::*;
    ///
    /// let recording = Recording::new();
    /// let (a, b) = (recording.input("a", <shape![]>::default()), recording.input("b", <shape![]>::default()));
    /// recording.output("y", &(&a * &b + 3.0_f32)); // two nodes
    /// let graph = recording.graph();
    /// assert_eq!(graph.edges().filter(|e| e.from.is_none()).count(), 2); // `a` and `b`
    /// assert_eq!(graph.edges().filter(|e| e.from == Some(0)).count(), 1); // from the product to the sum
    /// ```
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.nodes().iter().enumerate().flat_map(move |(to, node)| {
            let operands = node.operands().iter().map(|o| (o.value, o.name));
            let kept = node.results().iter().map(|r| (r.base, r.name));
            let edge = move |(value, parameter): (usize, &'static str)| match self.values()[value]
                .origin()
            {
                Origin::Unwritten => None,
                Origin::Node(from) => Some((value, Some(*from), parameter)),
                Origin::Input(_) | Origin::Constant(_) => Some((value, None, parameter)),
            };
            let edges = operands.chain(kept).filter_map(edge);
            edges.map(move |(value, from, parameter)| Edge {
                value,
                from,
                to,
                parameter,
            })
        })
    }

    /// The nodes that these values need, in a topological order: for each edge from `u` to `v`, `u` stands before `v`.
    ///
    /// It is the order in which a search in depth leaves the nodes: a node is visited from the values that it makes, all that
    /// it reads is visited first, in the order of its operands, and then the node itself is put down (Cormen, Leiserson,
    /// Rivest, Stein: *Introduction to Algorithms*, 22.4). Each node stands there once, and nodes that nothing of `wanted`
    /// depends on are not there. A recorded graph has no cycles, because a node reads what was recorded before it.
    #[must_use]
    pub fn topological(&self, wanted: &[usize]) -> Vec<usize> {
        enum Visit {
            Value(usize),
            Leave(usize),
        }
        let mut seen = vec![false; self.nodes().len()];
        let mut order = Vec::new();
        let mut open: Vec<Visit> = wanted.iter().rev().map(|&v| Visit::Value(v)).collect();
        while let Some(visit) = open.pop() {
            match visit {
                Visit::Leave(node) => order.push(node),
                Visit::Value(value) => {
                    let Origin::Node(node) = *self.values()[value].origin() else {
                        continue;
                    };
                    if !std::mem::replace(&mut seen[node], true) {
                        open.push(Visit::Leave(node));
                        let reads: Vec<usize> = self.reads(&self.nodes()[node]).collect();
                        open.extend(reads.into_iter().rev().map(Visit::Value));
                    }
                }
            }
        }
        order
    }

    /// The inputs and variables: the number, the name and the value of each.
    pub fn inputs(&self) -> impl Iterator<Item = (usize, &str, &Value)> {
        let values = self.values().iter().enumerate();
        values.filter_map(|(number, value)| match value.origin() {
            Origin::Input(name) => Some((number, &**name, value)),
            _ => None,
        })
    }

    /// The nodes that read a value.
    #[must_use]
    pub fn consumers(&self, value: usize) -> Vec<usize> {
        let nodes = self.nodes().iter().enumerate();
        let read = nodes.filter(|(_, node)| self.reads(node).any(|v| v == value));
        read.map(|(number, _)| number).collect()
    }

    /// The numbers of the values that the program names as outputs.
    #[must_use]
    pub fn wanted(&self) -> Vec<usize> {
        self.outputs().iter().map(|o| o.value).collect()
    }

    /// The number of nodes on the longest path: what runs one after the other with as many processors as one likes.
    #[must_use]
    pub fn depth(&self) -> usize {
        let mut depths = vec![0; self.values().len()];
        for node in self.nodes() {
            let before = self.reads(node).map(|v| depths[v]).max().unwrap_or(0);
            node.results()
                .iter()
                .for_each(|r| depths[r.value] = before + 1);
        }
        depths.into_iter().max().unwrap_or(0)
    }
}
