//! Constants: what depends on them alone is computed once.

use super::cost::has_cost;
use super::merge::Merged;
use crate::{Graph, GraphError, Node};
use autodiff_core::device::Device;
use autodiff_core::device::record::{AnyBuffer, Origin, Plan, Run};
use std::collections::HashMap;

/// What is kept of folded values: larger ones are computed in each run, unless the constants that they are made of are as
/// large.
const KEPT_BYTES: usize = 1 << 20;

/// Whether a node may draw random numbers, which another seed changes from run to run. A body of control flow may.
fn draws(node: &Node) -> bool {
    let may = !has_cost(node.operation()) || node.operation().starts_with("attention");
    may || node.attribute::<u64>("seed").is_some()
}

impl Graph {
    /// The values that these need, that depend on constants alone, and that are read by what does not. A run can be given
    /// them, once they were computed.
    ///
    /// What takes more than a megabyte, and more than the constants that it is made of, is none of them, so that a large
    /// tensor of zeros is not kept. Nor is what `fill` makes: to fill a buffer takes no longer than to copy it.
    pub(super) fn constant_values(&self, wanted: &[usize], merged: &Merged) -> Vec<usize> {
        let of = |value: usize| merged.stands_for(value);
        // The bytes of the constants that a value depends on, if it depends on nothing else.
        let mut sources: Vec<Option<usize>> = self
            .values()
            .iter()
            .map(|value| match value.origin() {
                Origin::Constant(_) => Some(value.bytes()),
                Origin::Unwritten => Some(0),
                Origin::Input(_) | Origin::Node(_) => None,
            })
            .collect();
        let mut is_fill = vec![false; self.values().len()];
        // Not what a run is given in place of what a node makes: it may be another value in each run.
        let is_made = |value: usize| matches!(self.values()[value].origin(), Origin::Node(_));
        for node in self.nodes() {
            let mut reads = self.reads(node).map(|v| sources[of(v)]);
            let bytes = reads.try_fold(0_usize, |sum, bytes| Some(sum.saturating_add(bytes?)));
            let bytes = if draws(node) { None } else { bytes };
            for result in node.results().iter().filter(|r| is_made(r.value)) {
                sources[result.value] = bytes;
                is_fill[result.value] = node.operation() == "fill";
            }
        }
        let keeps = |value: usize| {
            let bytes = self.values()[value].bytes();
            let small = |of: usize| bytes <= KEPT_BYTES.max(of);
            is_made(value) && !is_fill[value] && sources[value].is_some_and(small)
        };
        let mut found = Vec::new();
        let mut seen = vec![false; self.values().len()];
        let mut open: Vec<usize> = wanted.iter().map(|&v| of(v)).collect();
        while let Some(value) = open.pop() {
            if std::mem::replace(&mut seen[value], true) {
                continue;
            }
            if keeps(value) {
                found.push(value);
            } else if let Origin::Node(node) = *self.values()[value].origin() {
                open.extend(self.reads(&self.nodes()[node]).map(of));
            }
        }
        found.sort_unstable();
        found
    }
}

/// Computes what a plan takes as known, unless it is there.
pub(crate) fn fold(
    graph: &Graph,
    plan: &Plan,
    device: &Device,
    constants: &mut HashMap<usize, AnyBuffer>,
) -> Result<(), GraphError> {
    let missing: Vec<usize> = plan
        .known()
        .iter()
        .copied()
        .filter(|value| !constants.contains_key(value))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let plan = graph.plan(&missing);
    let mut run = Run::new(graph, &plan, device);
    for (&value, buffer) in &*constants {
        run.give(value, buffer.clone());
    }
    run.run()?;
    for value in missing {
        let buffer = run.any_buffer(value);
        constants.insert(value, buffer);
    }
    Ok(())
}
