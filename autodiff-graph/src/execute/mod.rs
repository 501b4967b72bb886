//! How a planned graph runs: one node after the other, independent nodes at the same time, or in parts on several devices.

mod parallel;
mod parts;

pub use parts::Part;
pub(crate) use parts::cut;

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

/// Which nodes run on which device.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placed {
    /// By the numbers of the values that they make, the innermost placement first.
    pub values: Vec<(core::ops::Range<usize>, Device)>,
    /// By the names of the scopes that they are in, the latest last.
    pub scopes: Vec<(String, Device)>,
}

impl Placed {
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.scopes.is_empty()
    }
}

impl<'x> Execution<'x> {
    /// Runs with these inputs, variables and constants. All that was wanted is in the run that comes back, on its device.
    pub fn run(&self, given: HashMap<usize, AnyBuffer>) -> Result<Run<'x>, GraphError> {
        let mut run = Run::new(self.graph, self.plan, self.device);
        if let Some(seed) = self.draw {
            run.draw(seed);
        }
        for (value, buffer) in given {
            run.give(value, buffer);
        }
        // A recorder notes nodes in the order in which they come.
        let records = matches!(self.device, Device::Recorder(_));
        if !self.placed.is_empty() && !records {
            run.check()?;
            parts::run(self, &mut run)?;
        } else if self.parallel && !records && !self.plan.recomputes() {
            run.check()?;
            parallel::run(self, &mut run)?;
        } else {
            run.run()?;
        }
        Ok(run)
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
