//! What has to run for some values, and how long each buffer is needed.

use super::graph::{Graph, Origin};
use std::collections::BTreeSet;

/// The nodes that make some values, in an order in which they can run, and after which of them each buffer is free.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) order: Vec<usize>,
    /// For each place in `order` the values that nobody reads later, until they are made again.
    pub(super) free: Vec<Vec<usize>>,
    /// Those of them whose buffers the node takes over.
    taken: Vec<Vec<usize>>,
    pub(super) wanted: Vec<usize>,
    /// The inputs and constants that are read or wanted, and what is known.
    pub(super) given: Vec<usize>,
    /// For each value the one in whose place it is.
    stands_for: Vec<usize>,
    /// Sorted.
    known: Vec<usize>,
}

/// A way to run a graph other than node after node as recorded.
#[derive(Clone, Debug, Default)]
pub struct Arrangement {
    /// The nodes in the order in which they run. One that is there twice makes its results twice: between the last use
    /// before the second time and that time, nothing holds them.
    pub order: Vec<usize>,
    /// For each value an equal one that is taken in its place, or itself.
    pub stands_for: Vec<usize>,
    /// Values of nodes that a run is given, as it is given constants.
    pub known: Vec<usize>,
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

    /// The inputs and constants that it reads, and what is [known](Plan::known).
    pub fn given(&self) -> &[usize] {
        &self.given
    }

    /// Values of nodes that do not run: whoever runs the plan gives them, as inputs.
    pub fn known(&self) -> &[usize] {
        &self.known
    }

    /// Whether a value is given to a run although a node makes it.
    pub fn is_known(&self, value: usize) -> bool {
        self.known.binary_search(&value).is_ok()
    }

    /// Whether a node runs twice, so that its results need not be kept in between.
    pub fn recomputes(&self) -> bool {
        let mut seen = BTreeSet::new();
        !self.order.iter().all(|node| seen.insert(node))
    }

    /// The value that is read where this one is meant: itself, or an equal one.
    pub fn stands_for(&self, value: usize) -> usize {
        self.stands_for[value]
    }

    /// The values whose buffers are free when the node at this place of the order has run.
    pub fn free(&self, at: usize) -> &[usize] {
        &self.free[at]
    }

    /// Whether the node at this place of the order writes into the buffer of a value, which nobody reads later, instead of
    /// a new one.
    pub fn takes(&self, at: usize, base: usize) -> bool {
        self.taken[at].contains(&self.stands_for[base])
    }
}

impl Graph {
    /// Plans a run that makes these values, node after node as recorded.
    pub fn plan(&self, wanted: &[usize]) -> Plan {
        let needed = self.needed(wanted.iter().copied());
        let arrangement = Arrangement {
            order: (0..self.nodes.len()).filter(|&n| needed[n]).collect(),
            stands_for: (0..self.values.len()).collect(),
            known: Vec::new(),
        };
        self.arrange(wanted, arrangement)
    }

    /// Plans a run in another way.
    ///
    /// # Panics
    /// If a node comes before what it reads, or something that is wanted is not made.
    pub fn arrange(&self, wanted: &[usize], arrangement: Arrangement) -> Plan {
        let Arrangement {
            order,
            stands_for,
            mut known,
        } = arrangement;
        known.sort_unstable();
        let mut is_known = vec![false; self.values.len()];
        known.iter().for_each(|&value| is_known[value] = true);
        let is_made =
            |value: usize| matches!(self.values[value].origin, Origin::Node(_)) && !is_known[value];
        let mut given = BTreeSet::new();
        let mut made = vec![false; self.values.len()];
        let mut read = |value: usize, made: &[bool]| {
            if is_made(value) {
                assert!(made[value], "value {value} is read before it is made");
            } else if !matches!(self.values[value].origin, Origin::Unwritten) {
                given.insert(value);
            }
        };
        for &node in &order {
            let reads = self.reads(&self.nodes[node]);
            reads.for_each(|v| read(stands_for[v], &made));
            for result in &self.nodes[node].results {
                made[result.value] = true;
            }
        }
        wanted.iter().for_each(|&v| read(stands_for[v], &made));

        // From the end: what nobody behind a node reads is free when it has run.
        let mut live = vec![false; self.values.len()];
        wanted.iter().for_each(|&v| live[stands_for[v]] = true);
        let (mut free, mut taken) = (vec![Vec::new(); order.len()], Vec::new());
        for (at, &node) in order.iter().enumerate().rev() {
            let node = &self.nodes[node];
            // What a run is given stays, also where the node makes it once more, beside another result.
            for result in node.results.iter().filter(|r| is_made(r.value)) {
                if !core::mem::replace(&mut live[result.value], false) {
                    free[at].push(result.value);
                }
            }
            let reads: Vec<usize> = self.reads(node).map(|v| stands_for[v]).collect();
            for &value in &reads {
                if is_made(value) && !core::mem::replace(&mut live[value], true) {
                    free[at].push(value);
                }
            }
            let bases = node.results.iter().map(|r| stands_for[r.base]);
            let once = |&base: &usize| reads.iter().filter(|&&v| v == base).count() == 1;
            let taken_here = bases.filter(|base| free[at].contains(base)).filter(once);
            taken.push(taken_here.collect());
        }
        taken.reverse();
        Plan {
            order,
            free,
            taken,
            wanted: wanted.to_vec(),
            given: given.into_iter().collect(),
            stands_for,
            known,
        }
    }
}
