//! Values that are computed twice, so that a run fits into a budget of memory.

use super::order::Task;
use crate::Graph;
use autodiff_core::device::record::{Origin, Plan};

/// A run does not fit into the memory that it may take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a run within {budget} bytes is not possible: the smallest peak that was found is {smallest} bytes"
)]
pub struct BudgetError {
    /// The bytes that it may take at once, inputs and constants included.
    pub budget: usize,
    /// The smallest peak that was found.
    pub smallest: usize,
}

/// A node that could run a second time, just before a node that reads its results.
struct Candidate {
    node: usize,
    /// Where in the order.
    before: usize,
    /// What it saves at the peak.
    bytes: usize,
    /// What it costs.
    work: f64,
}

/// Orders that are tried at each step, the most promising ones first.
const TRIED: usize = 24;

impl Task<'_> {
    /// An order with repetitions whose peak is at most `budget`.
    pub fn within(&self, budget: usize) -> Result<Plan, BudgetError> {
        let work = self.graph.cost();
        let mut order = self.lowest_peak();
        let mut plan = self.plan(order.clone());
        let mut memory = self.graph.memory(&plan);
        while memory.peak() > budget {
            let mut candidates = self.candidates(&plan, &memory);
            for candidate in &mut candidates {
                let work = &work.nodes()[candidate.node];
                candidate.work = work.operations as f64 + work.bytes() as f64;
            }
            candidates.sort_by(|a, b| {
                let cost = |c: &Candidate| c.work / c.bytes as f64;
                cost(a).total_cmp(&cost(b))
            });
            // The first that helps: it lowers the peak, or leaves fewer places as high.
            let height =
                |plan: &Plan, memory: &super::Memory| (memory.made, self.high(plan, memory));
            let now = height(&plan, &memory);
            let better = candidates.iter().take(TRIED).find_map(|candidate| {
                let mut longer = order.clone();
                longer.insert(candidate.before, candidate.node);
                let plan = self.plan(longer.clone());
                let memory = self.graph.memory(&plan);
                (height(&plan, &memory) < now).then_some((longer, plan, memory))
            });
            match better {
                Some(found) => (order, plan, memory) = found,
                None => {
                    return Err(BudgetError {
                        budget,
                        smallest: memory.peak(),
                    });
                }
            }
        }
        Ok(plan)
    }

    /// The bytes above nine tenths of the peak, over all places: what shows progress where several places are as high.
    fn high(&self, plan: &Plan, memory: &super::Memory) -> usize {
        let mut changes = vec![0_isize; plan.order().len() + 2];
        for range in &memory.ranges {
            changes[range.from] += range.bytes as isize;
            changes[range.to + 1] -= range.bytes as isize;
        }
        let (floor, mut live) = (memory.made as isize * 9 / 10, 0);
        let above = changes.into_iter().map(|change| {
            live += change;
            (live - floor).max(0) as usize
        });
        above.sum()
    }

    /// The buffers that are there at the peak but not used by the node that runs then.
    fn candidates(&self, plan: &Plan, memory: &super::Memory) -> Vec<Candidate> {
        let (graph, at) = (self.graph, memory.at);
        let reads = |place: usize| -> Vec<usize> {
            let node = &graph.nodes()[plan.order()[place]];
            graph.reads(node).map(|v| plan.stands_for(v)).collect()
        };
        let now = reads(at);
        let idle = memory
            .at_peak()
            .filter(|r| r.from < at && r.to > at && !now.contains(&r.value));
        idle.filter_map(|range| {
            let Origin::Node(node) = *graph.values()[range.value].origin() else {
                return None;
            };
            let end = range.to.min(plan.order().len() - 1);
            // What is wanted and not read again is made again at the end, which frees nothing before.
            let before = (at + 1..=end).find(|&place| reads(place).contains(&range.value))?;
            Some(Candidate {
                node,
                before,
                bytes: range.bytes,
                work: 0.0,
            })
        })
        .filter(|c| c.bytes > 0)
        .collect()
    }
}

impl Graph {
    /// A plan for these values whose [peak](Graph::memory) is at most so many bytes, inputs and constants included. Where
    /// the [best order](Graph::lowest_peak_order) needs more, nodes run a second time instead of having their results kept
    /// (rematerialisation). The numbers are the same, bit for bit.
    ///
    /// It is a greedy search: of the buffers that lie idle at the peak, it gives up the one whose node takes the least work
    /// for a byte, and goes on from there as long as that helps (the rule of Kirisame et al. 2021, *Dynamic tensor
    /// rematerialization*, without its run-time).
    ///
    /// # Errors
    /// If it does not get so far; the error names the smallest peak that was found.
    pub fn within(&self, wanted: &[usize], bytes: usize) -> Result<Plan, BudgetError> {
        Task::new(self, wanted).within(bytes)
    }
}
