//! What has to run for some values, and how long each buffer is needed.

use super::graph::{Graph, Origin};
use std::collections::BTreeSet;

/// The nodes that some values need, in order, and after which of them each buffer is free.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) order: Vec<usize>,
    /// For each value the place in `order` of the node that reads it last; none for what is wanted.
    pub(super) last: Vec<Option<usize>>,
    /// For each place in `order` the values that nobody reads later.
    pub(super) free: Vec<Vec<usize>>,
    pub(super) wanted: Vec<usize>,
    /// The inputs and constants that are read or wanted.
    pub(super) given: Vec<usize>,
}

impl Plan {
    /// The nodes, by number, in the order in which they run.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The values that it is for.
    pub fn wanted(&self) -> &[usize] {
        &self.wanted
    }
}

impl Graph {
    /// Plans a run that makes these values.
    pub fn plan(&self, wanted: &[usize]) -> Plan {
        let needed = self.needed(wanted.iter().copied());
        let order: Vec<usize> = (0..self.nodes.len()).filter(|&n| needed[n]).collect();
        let mut last = vec![None; self.values.len()];
        let mut given = BTreeSet::new();
        for (at, &node) in order.iter().enumerate() {
            let node = &self.nodes[node];
            let made = node.results.iter().map(|r| r.value);
            for value in self.reads(node).chain(made) {
                last[value] = Some(at);
            }
            given.extend(self.reads(node).filter(|&v| self.is_given(v)));
        }
        for &value in wanted {
            last[value] = None;
        }
        given.extend(wanted.iter().copied().filter(|&v| self.is_given(v)));
        let mut free = vec![Vec::new(); order.len()];
        for (value, at) in last.iter().enumerate() {
            // Inputs and constants stay for the next run.
            if let (Some(at), Origin::Node(_)) = (at, &self.values[value].origin) {
                free[*at].push(value);
            }
        }
        Plan {
            order,
            last,
            free,
            wanted: wanted.to_vec(),
            given: given.into_iter().collect(),
        }
    }

    /// Whether no node makes it, and it has contents.
    fn is_given(&self, value: usize) -> bool {
        matches!(
            self.values[value].origin,
            Origin::Input(_) | Origin::Constant(_)
        )
    }
}
