//! An order of the nodes that needs less memory.

use crate::Graph;
use autodiff_core::device::record::{Arrangement, Origin, Plan};

/// What has to be made, and by what it may be made.
#[derive(Clone, Debug)]
pub(super) struct Task<'g> {
    pub graph: &'g Graph,
    pub wanted: Vec<usize>,
    pub stands_for: Vec<usize>,
    pub known: Vec<usize>,
}

impl<'g> Task<'g> {
    /// Everything that is wanted, as recorded.
    pub fn new(graph: &'g Graph, wanted: &[usize]) -> Self {
        Task {
            graph,
            wanted: wanted.to_vec(),
            stands_for: (0..graph.values().len()).collect(),
            known: Vec::new(),
        }
    }

    /// The node that has to run for a value.
    pub fn maker(&self, value: usize) -> Option<usize> {
        let value = self.stands_for[value];
        match self.graph.values()[value].origin() {
            Origin::Node(node) if !self.known.contains(&value) => Some(*node),
            _ => None,
        }
    }

    /// The nodes that are needed, in the order in which they were recorded.
    pub fn recorded(&self) -> Vec<usize> {
        let mut needed = vec![false; self.graph.nodes().len()];
        let mut open = self.wanted.clone();
        while let Some(value) = open.pop() {
            if let Some(node) = self.maker(value)
                && !std::mem::replace(&mut needed[node], true)
            {
                open.extend(self.graph.reads(&self.graph.nodes()[node]));
            }
        }
        (0..needed.len()).filter(|&n| needed[n]).collect()
    }

    pub fn plan(&self, order: Vec<usize>) -> Plan {
        let arrangement = Arrangement {
            order,
            stands_for: self.stands_for.clone(),
            known: self.known.clone(),
        };
        self.graph.arrange(&self.wanted, arrangement)
    }

    /// The best of several orders, the recorded one among them.
    pub fn lowest_peak(&self) -> Vec<usize> {
        let recorded = self.recorded();
        let peak = |order: &[usize]| self.graph.memory(&self.plan(order.to_vec())).made;
        let mut best = (peak(&recorded), recorded.clone());
        let candidates = [
            self.by_growth(&recorded),
            self.in_depth(true),
            self.in_depth(false),
        ];
        for order in candidates {
            let found = peak(&order);
            if found < best.0 {
                best = (found, order);
            }
        }
        best.1
    }

    /// Search in depth, by which a node runs just before the first that reads it. Of what a node reads, that with the most
    /// bytes (or the fewest) is made first.
    fn in_depth(&self, largest_first: bool) -> Vec<usize> {
        let mut seen = vec![false; self.graph.nodes().len()];
        let mut order = Vec::new();
        let mut open: Vec<(usize, bool)> = Vec::new();
        let enter = |open: &mut Vec<(usize, bool)>, mut values: Vec<usize>| {
            // The last of the stack comes first.
            values.sort_by_key(|&v| self.graph.bytes(v));
            if !largest_first {
                values.reverse();
            }
            let makers = values.into_iter().filter_map(|v| self.maker(v));
            open.extend(makers.map(|node| (node, false)));
        };
        enter(&mut open, self.wanted.clone());
        while let Some((node, done)) = open.pop() {
            if done {
                order.push(node);
            } else if !std::mem::replace(&mut seen[node], true) {
                open.push((node, true));
                let node = &self.graph.nodes()[node];
                enter(&mut open, self.graph.reads(node).collect());
            }
        }
        order
    }

    /// List scheduling: of the nodes that can run, the one that lets the memory grow least.
    fn by_growth(&self, recorded: &[usize]) -> Vec<usize> {
        let (graph, values) = (self.graph, self.graph.values().len());
        let reads = |node: usize| -> Vec<usize> {
            let reads = graph
                .reads(&graph.nodes()[node])
                .map(|v| self.stands_for[v]);
            let mut reads: Vec<usize> = reads.filter(|&v| self.maker(v).is_some()).collect();
            reads.sort_unstable();
            reads.dedup();
            reads
        };
        let all: Vec<Vec<usize>> = recorded.iter().map(|&n| reads(n)).collect();
        let mut readers = vec![Vec::new(); values];
        for (place, reads) in all.iter().enumerate() {
            reads.iter().for_each(|&v| readers[v].push(place));
        }
        let mut left: Vec<usize> = readers.iter().map(Vec::len).collect();
        // What is wanted is never free.
        self.wanted
            .iter()
            .for_each(|&v| left[self.stands_for[v]] += 1);
        let mut missing: Vec<usize> = all.iter().map(Vec::len).collect();
        let mut ready: Vec<usize> = (0..all.len()).filter(|&p| missing[p] == 0).collect();
        let mut order = Vec::with_capacity(recorded.len());
        while !ready.is_empty() {
            let growth = |place: usize| -> isize {
                let results = graph.nodes()[recorded[place]].results();
                let made = results.iter().filter(|r| left[r.value] > 0);
                let made: usize = made.map(|r| graph.bytes(r.value)).sum();
                let freed = all[place].iter().filter(|&&v| left[v] == 1);
                let freed: usize = freed.map(|&v| graph.bytes(v)).sum();
                made as isize - freed as isize
            };
            let best = (0..ready.len()).min_by_key(|&i| (growth(ready[i]), ready[i]));
            let place = ready.swap_remove(best.expect("one is ready"));
            order.push(recorded[place]);
            all[place].iter().for_each(|&v| left[v] -= 1);
            for result in graph.nodes()[recorded[place]].results() {
                for &reader in &readers[result.value] {
                    missing[reader] -= 1;
                    if missing[reader] == 0 {
                        ready.push(reader);
                    }
                }
            }
        }
        order
    }
}

impl Graph {
    /// An order of the nodes that these values need which needs less memory at once than that in which they were recorded,
    /// or that one. The numbers are the same, bit for bit: each node reads what it read.
    ///
    /// The lowest peak of all orders is hard to find (Sethi 1975). This is the best of four: as recorded; list scheduling, in
    /// which of the nodes that can run the one comes next by which memory grows least; and two searches in depth.
    #[must_use]
    pub fn lowest_peak_order(&self, wanted: &[usize]) -> Vec<usize> {
        Task::new(self, wanted).lowest_peak()
    }
}
