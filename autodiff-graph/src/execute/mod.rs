//! How a planned graph runs: one node after the other, independent nodes at the same time, in parts on several devices, or in
//! parts on several ranks.

mod parallel;
mod parts;
mod placed;
#[cfg(feature = "dist")]
pub(crate) mod ranks;
mod todo;

pub use parts::Part;
pub(crate) use parts::cut;
pub(crate) use placed::Placed;

use autodiff_core::device::Device;
use autodiff_core::device::record::{AnyBuffer, Graph, GraphError, Origin, Plan, Run};
use std::collections::HashMap;

/// What is to run, and how.
#[derive(Clone, Copy)]
pub(crate) struct Execution<'x> {
    pub graph: &'x Graph,
    pub plan: &'x Plan,
    pub device: &'x Device,
    pub draw: Option<u64>,
    pub parallel: bool,
    pub placed: &'x Placed,
}

/// A run on a device, with these inputs, variables and constants.
pub(crate) fn begun<'g>(
    (graph, plan): (&'g Graph, &'g Plan),
    device: &Device,
    draw: Option<u64>,
    given: HashMap<usize, AnyBuffer>,
) -> Run<'g> {
    let mut run = Run::new(graph, plan, device);
    if let Some(seed) = draw {
        run.draw(seed);
    }
    for (value, buffer) in given {
        run.give(value, buffer);
    }
    run
}

impl Execution<'_> {
    /// Runs what has begun. All that was wanted is in the run then, on its device.
    pub fn run(&self, run: &mut Run<'_>) -> Result<(), GraphError> {
        // A recorder notes nodes in the order in which they come.
        let records = matches!(self.device, Device::Recorder(_));
        if !self.placed.is_empty() && !records {
            run.check()?;
            parts::run(self, run)
        } else if self.parallel && !records && !self.plan.recomputes() {
            run.check()?;
            parallel::run(self, run)
        } else {
            run.run()
        }
    }

    /// Runs one node. `read` gives the buffers that it reads, and `made` takes those that it makes.
    fn step(
        &self,
        device: &Device,
        node: usize,
        mut read: impl FnMut(usize) -> Option<AnyBuffer>,
        mut made: impl FnMut(usize, AnyBuffer),
    ) -> Result<(), GraphError> {
        let mut run = Run::single(self.graph, self.plan, device, self.draw);
        for value in self.reads(node) {
            if let Some(buffer) = read(value) {
                run.give(value, buffer);
            }
        }
        run.step(node)?;
        for result in self.graph.nodes()[node].results() {
            if let Some(buffer) = run.take(result.value) {
                made(result.value, buffer);
            }
        }
        Ok(())
    }

    /// The node that makes a value in this run, if one does.
    fn maker(&self, value: usize) -> Option<usize> {
        maker(self.graph, self.plan, value)
    }

    /// The values that a node reads, each once; of equal values the one that is there.
    fn reads(&self, node: usize) -> Vec<usize> {
        reads(self.graph, self.plan, node)
    }
}

/// The node that makes a value when a plan runs, if one does.
fn maker(graph: &Graph, plan: &Plan, value: usize) -> Option<usize> {
    match graph.values()[value].origin() {
        Origin::Node(node) if !plan.is_known(value) => Some(*node),
        _ => None,
    }
}

/// The values that a node reads when a plan runs, each once; of equal values the one that is there.
fn reads(graph: &Graph, plan: &Plan, node: usize) -> Vec<usize> {
    let reads = graph.reads(&graph.nodes()[node]);
    let mut reads: Vec<usize> = reads.map(|v| plan.stands_for(v)).collect();
    reads.sort_unstable();
    reads.dedup();
    reads
}
