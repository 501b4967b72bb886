//! Common subexpressions: nodes that compute the same.

use super::cost::has_cost;
use crate::{Graph, Node};
use autodiff_core::device::record::{Origin, Value};
use autodiff_core::device::{DType, Layout};
use core::fmt;
use std::collections::HashMap;

/// Which values are equal because nodes compute the same: the first stands for the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    pub(super) stands_for: Vec<usize>,
    dropped: Vec<usize>,
}

impl Merged {
    /// The value that is computed where this one is meant: the first that is equal, or itself.
    #[must_use]
    pub fn stands_for(&self, value: usize) -> usize {
        self.stands_for[value]
    }

    /// The nodes that nobody needs, because an earlier one computes the same.
    #[must_use]
    pub fn dropped(&self) -> &[usize] {
        &self.dropped
    }

    /// No two values are taken to be equal.
    pub(super) fn none(graph: &Graph) -> Self {
        Merged {
            stands_for: (0..graph.values().len()).collect(),
            dropped: Vec::new(),
        }
    }
}

impl fmt::Display for Merged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dropped.len() {
            1 => write!(f, "1 node computes what an earlier one does"),
            n => write!(f, "{n} nodes compute what earlier ones do"),
        }
    }
}

/// Constants of more elements are not compared.
const COMPARED: usize = 4096;

/// A value as a node meets it: the first of those that are equal, or a buffer that nobody has written, of which there are
/// many with contents that do not matter.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Met {
    Value(usize),
    Unwritten(DType, usize),
}

fn met(values: &[Value], stands_for: &[usize], value: usize) -> Met {
    match values[value].origin() {
        Origin::Unwritten => Met::Unwritten(values[value].dtype(), values[value].len()),
        _ => Met::Value(stands_for[value]),
    }
}

/// What two nodes have in common that may be the same.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    operation: &'static str,
    reads: Vec<Met>,
}

impl Graph {
    /// Finds nodes that compute the same: the same operation with the same attributes, of operands that are the same part
    /// of the same value, into the same part of the same buffer. Where they were recorded does not matter.
    ///
    /// A random draw is the same if its seed, its stream and its law are; regions if their formulas are. What adds to a
    /// buffer or writes over a part of it is the same only if what was there is. Constants of up to 4096 elements are the
    /// same if their elements are. Nodes of other methods than those of the [table of costs](Graph::cost), and numbers with
    /// tangents, are left alone.
    ///
    /// ```
    /// use differentiable::graph::Recording;
    /// use differentiable::prelude::*;
    ///
    /// let recording = Recording::new();
    /// let x: Tensor![2] = recording.input("x", Default::default());
    /// recording.output("y", &(&x.exp() + &x.exp().tanh()));
    /// let graph = recording.graph();
    /// assert_eq!(graph.nodes().len(), 4);
    /// assert_eq!(graph.merged().dropped(), [1]); // the second exponential
    /// ```
    #[must_use]
    pub fn merged(&self) -> Merged {
        let mut merged = Merged::none(self);
        self.merge_constants(&mut merged.stands_for);
        let mut seen: HashMap<Key, Vec<usize>> = HashMap::new();
        for (number, node) in self.nodes().iter().enumerate() {
            if !has_cost(node.operation()) || self.has_tangents(node) || self.is_given(node) {
                continue;
            }
            let stands_for = &merged.stands_for;
            let met = |value: usize| met(self.values(), stands_for, value);
            let operands = node.operands().iter().map(|o| o.value);
            let bases = node.results().iter().map(|r| r.base);
            let key = Key {
                operation: node.operation(),
                reads: operands.chain(bases).map(met).collect(),
            };
            let same = seen.entry(key).or_default();
            match same.iter().find(|&&n| is_same(&self.nodes()[n], node)) {
                None => same.push(number),
                Some(&first) => {
                    let firsts = self.nodes()[first].results().iter();
                    for (first, result) in firsts.zip(node.results()) {
                        merged.stands_for[result.value] = first.value;
                    }
                    merged.dropped.push(number);
                }
            }
        }
        merged
    }

    fn merge_constants(&self, stands_for: &mut [usize]) {
        let mut seen: HashMap<(DType, usize), Vec<usize>> = HashMap::new();
        for (number, value) in self.values().iter().enumerate() {
            let Origin::Constant(constant) = value.origin() else {
                continue;
            };
            if value.len() > COMPARED {
                continue;
            }
            let known = seen.entry((value.dtype(), value.len())).or_default();
            let same = |n: &&usize| match self.values()[**n].origin() {
                Origin::Constant(other) => other.same(constant),
                _ => false,
            };
            match known.iter().find(same) {
                Some(&first) => stands_for[number] = first,
                None => known.push(number),
            }
        }
    }

    /// Whether a run is given what a node would make: no other value is equal to that.
    fn is_given(&self, node: &Node) -> bool {
        let mut results = node
            .results()
            .iter()
            .map(|r| self.values()[r.value].origin());
        results.any(|origin| matches!(origin, Origin::Input(_)))
    }

    /// Whether a node has numbers with tangents, which attributes do not show.
    fn has_tangents(&self, node: &Node) -> bool {
        let results = node.results().iter().map(|r| r.value);
        let mut values = node.operands().iter().map(|o| o.value).chain(results);
        values.any(|v| self.values()[v].dtype() == DType::Dual)
    }
}

/// Whether two nodes of one operation that read the same values do the same with them.
fn is_same(a: &Node, b: &Node) -> bool {
    let layouts = |node: &Node| -> Vec<Layout> {
        let operands = node.operands().iter().map(|o| o.layout);
        operands
            .chain(node.results().iter().map(|r| r.layout))
            .collect()
    };
    let attributes = a.attributes().iter().zip(b.attributes());
    a.arguments() == b.arguments()
        && layouts(a) == layouts(b)
        && a.attributes().len() == b.attributes().len()
        && attributes.into_iter().all(|(a, b)| a.same(b))
}
