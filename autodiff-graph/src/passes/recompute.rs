//! Values that are computed twice, so that a run fits into a budget of memory.

use super::order::Task;
use super::{Costs, LiveRange, Memory};
use crate::Graph;
use autodiff_core::device::record::Plan;

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

/// Nodes that could run a second time, just before a node that reads what the last of them makes.
struct Candidate {
    nodes: Vec<usize>,
    /// Where in the order.
    before: usize,
    /// What it costs for each byte that it saves at the peak.
    price: f64,
}

/// Candidates that are tried at each step, the cheapest ones first.
const TRIED: usize = 48;
/// Nodes that run again for one value at most.
const LONGEST: usize = 64;

impl Task<'_> {
    /// An order with repetitions whose peak is at most `budget`.
    pub fn within(&self, budget: usize) -> Result<Plan, BudgetError> {
        let costs = self.graph.cost();
        let mut order = self.lowest_peak();
        let mut plan = self.plan(order.clone());
        let mut memory = self.graph.memory(&plan);
        while memory.peak() > budget {
            let mut candidates = self.candidates(&plan, &memory, &costs);
            candidates.sort_by(|a, b| a.price.total_cmp(&b.price));
            // The first that helps: it lowers the peak, or leaves less of what is nearly as high.
            let now = (memory.made, high(&plan, &memory, memory.made));
            let better = candidates.iter().take(TRIED).find_map(|candidate| {
                let mut longer = order.clone();
                let at = candidate.before;
                longer.splice(at..at, candidate.nodes.iter().copied());
                let plan = self.plan(longer.clone());
                let other = self.graph.memory(&plan);
                let height = (other.made, high(&plan, &other, memory.made));
                (height < now).then_some((longer, plan, other))
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
        Ok(self.without_needless(order, budget))
    }

    /// Drops repetitions without which the peak is within the budget as well: what was given up before others were.
    fn without_needless(&self, mut order: Vec<usize>, budget: usize) -> Plan {
        let mut at = order.len();
        while at > 0 {
            at -= 1;
            if order[..at].contains(&order[at]) {
                let node = order.remove(at);
                let plan = self.plan(order.clone());
                if self.graph.memory(&plan).peak() > budget {
                    order.insert(at, node);
                }
            }
        }
        self.plan(order)
    }

    /// For each buffer that is there at the peak, but not used by the node that runs then, how to make it again.
    fn candidates(&self, plan: &Plan, memory: &Memory, costs: &Costs) -> Vec<Candidate> {
        if plan.order().is_empty() {
            return Vec::new();
        }
        let (graph, at) = (self.graph, memory.at);
        let reads = |place: usize| -> Vec<usize> {
            let node = &graph.nodes()[plan.order()[place]];
            graph.reads(node).map(|v| plan.stands_for(v)).collect()
        };
        // The places that read each value, in order.
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); graph.values().len()];
        for place in 0..plan.order().len() {
            reads(place)
                .into_iter()
                .for_each(|v| readers[v].push(place));
        }
        let now = reads(at);
        let is_idle = |r: &&LiveRange| r.from < at && r.to > at && !now.contains(&r.value);
        let idle = memory.at_peak().filter(is_idle).filter(|r| r.bytes > 0);
        let candidates = idle.filter_map(|range| {
            // What is wanted and not read again cannot be given up.
            let before = *readers[range.value].iter().find(|&&place| place > at)?;
            let mut nodes = Vec::new();
            let is_there = |value: usize| {
                let mut ranges = memory.ranges.iter().filter(|r| r.value == value);
                value != range.value && ranges.any(|r| r.from < before && r.to >= before)
            };
            self.again(range.value, &is_there, &mut nodes)
                .then_some(())?;
            let work = |node: &usize| {
                let work = costs.nodes()[*node];
                work.operations as f64 + work.bytes() as f64
            };
            let price = nodes.iter().map(work).sum::<f64>() / range.bytes as f64;
            Some(Candidate {
                nodes,
                before,
                price,
            })
        });
        candidates.collect()
    }

    /// The nodes that make a value out of what is there, in order; whether they are few enough.
    fn again(
        &self,
        value: usize,
        is_there: &dyn Fn(usize) -> bool,
        nodes: &mut Vec<usize>,
    ) -> bool {
        let Some(node) = self.maker(value) else {
            return true;
        };
        if nodes.contains(&node) {
            return true;
        }
        if nodes.len() >= LONGEST {
            return false;
        }
        let reads: Vec<usize> = self.graph.reads(&self.graph.nodes()[node]).collect();
        for read in reads {
            let read = self.stands_for[read];
            if !is_there(read) && !self.again(read, is_there, nodes) {
                return false;
            }
        }
        nodes.push(node);
        nodes.len() <= LONGEST
    }
}

/// The bytes above nine tenths of a peak, over all places: what shows progress where several places are as high.
fn high(plan: &Plan, memory: &Memory, peak: usize) -> usize {
    let mut changes = vec![0_isize; plan.order().len() + 2];
    for range in &memory.ranges {
        changes[range.from] += range.bytes as isize;
        changes[range.to + 1] -= range.bytes as isize;
    }
    let (floor, mut live) = (peak as isize * 9 / 10, 0);
    let above = changes.into_iter().map(|change| {
        live += change;
        (live - floor).max(0) as usize
    });
    above.sum()
}

impl Graph {
    /// A plan for these values whose [peak](Graph::memory) is at most so many bytes, inputs and constants included. Where
    /// the [best order](Graph::lowest_peak_order) needs more, nodes run a second time instead of having their results kept
    /// (rematerialisation). The numbers are the same, bit for bit.
    ///
    /// It is a greedy search: of the buffers that lie idle at the peak, it gives up the one that takes the least work for a
    /// byte to make again, with what it is made of where that is gone too, and goes on from there as long as that helps
    /// (after Kirisame et al. 2021, *Dynamic tensor rematerialization*, but before the run). At last it takes back what
    /// turned out to be needless.
    ///
    /// # Errors
    /// If it does not get so far; the error names the smallest peak that was found.
    pub fn within(&self, wanted: &[usize], bytes: usize) -> Result<Plan, BudgetError> {
        Task::new(self, wanted).within(bytes)
    }
}
