//! The memory that a run needs.

use crate::Graph;
use autodiff_core::device::record::{Arrangement, Plan};
use core::fmt;

/// How long a buffer lives in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveRange {
    /// The value that it holds.
    pub value: usize,
    /// Its bytes.
    pub bytes: usize,
    /// The place in the order of the node that makes it.
    pub from: usize,
    /// The place of the node that reads it last; behind the last node for what is wanted.
    pub to: usize,
    /// Whether it is in the buffer that another value left.
    pub in_place: bool,
}

/// The memory that a run of a [`Plan`] needs: the buffers of values. What a kernel takes for itself while it runs is not
/// counted, as packed operands of a product, nor what an allocator keeps: each thread of the CPU recycles buffers of one size,
/// and gives nothing back before it has 256 MB of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The bytes of the inputs, variables and constants, which stay.
    pub given: usize,
    /// The most bytes of what nodes make that are there at once.
    pub made: usize,
    /// The place in the order of the node that runs then.
    pub at: usize,
    /// How long each buffer lives, in the order in which they are made.
    pub ranges: Vec<LiveRange>,
}

impl Memory {
    /// The most bytes that are there at once.
    #[must_use]
    pub fn peak(&self) -> usize {
        self.given + self.made
    }

    /// The buffers that are there at the peak.
    pub fn at_peak(&self) -> impl Iterator<Item = &LiveRange> {
        let at = self.at;
        self.ranges
            .iter()
            .filter(move |r| r.from <= at && at <= r.to)
    }
}

/// `3 MB at the peak: 1 MB given, 2 MB made`, as numbers of bytes.
impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Memory { given, made, .. } = self;
        write!(
            f,
            "{} bytes at the peak: {given} given, {made} made",
            self.peak()
        )
    }
}

impl Graph {
    /// The bytes of a value.
    ///
    /// # Panics
    /// If there is no such value.
    #[must_use]
    pub fn bytes(&self, value: usize) -> usize {
        self.values()[value].bytes()
    }

    /// The memory that a run of a plan needs: a buffer lives from the node that makes it to the one that reads it last, and
    /// a node writes into the buffer that it is given where nobody reads that later, as a [`Session`](crate::Session) does.
    #[must_use]
    pub fn memory(&self, plan: &Plan) -> Memory {
        let given = plan.given().iter().map(|&v| self.bytes(v)).sum();
        let end = plan.order().len();
        let (mut live, mut peak, mut peak_at) = (0, 0, 0);
        let mut open: Vec<Option<usize>> = vec![None; self.values().len()];
        let mut ranges: Vec<LiveRange> = Vec::new();
        for (at, &number) in plan.order().iter().enumerate() {
            for result in self.nodes()[number].results() {
                let (bytes, in_place) = (self.bytes(result.value), plan.takes(at, result.base));
                if in_place {
                    // The buffer is another value's from here.
                    if let Some(range) = open[plan.stands_for(result.base)].take() {
                        ranges[range].to = at.saturating_sub(1).max(ranges[range].from);
                    }
                } else {
                    live += bytes;
                }
                if let Some(range) = open[result.value].replace(ranges.len()) {
                    // Made once more while it was there: the run drops the old buffer.
                    ranges[range].to = at;
                    live -= bytes;
                }
                ranges.push(LiveRange {
                    value: result.value,
                    bytes,
                    from: at,
                    to: end,
                    in_place,
                });
            }
            if live > peak {
                (peak, peak_at) = (live, at);
            }
            for &value in plan.free(at) {
                if let Some(range) = open[value].take() {
                    ranges[range].to = at;
                    live -= ranges[range].bytes;
                }
            }
        }
        Memory {
            given,
            made: peak,
            at: peak_at,
            ranges,
        }
    }

    /// The most bytes that are there at once, inputs and constants included, when the nodes run in this order for these
    /// values. [`memory`](Graph::memory) says more.
    ///
    /// # Panics
    /// If a node comes before what it reads, or something that is wanted is not made.
    ///
    /// ```
    /// use differentiable::graph::Recording;
    /// use differentiable::prelude::*;
    ///
    /// let recording = Recording::new();
    /// let x: Tensor![256] = recording.input("x", Default::default()); // a kilobyte
    /// recording.output("y", &(x.exp() * x.tanh()));
    /// let graph = recording.graph();
    /// let order = graph.topological(&graph.wanted());
    /// assert_eq!(graph.peak_bytes(&order, &graph.wanted()), 3 * 1024); // the product is in place
    /// ```
    #[must_use]
    pub fn peak_bytes(&self, order: &[usize], wanted: &[usize]) -> usize {
        self.memory(&self.plan_in(order, wanted)).peak()
    }

    /// A plan that runs these nodes in this order.
    ///
    /// # Panics
    /// If a node comes before what it reads, or something that is wanted is not made.
    #[must_use]
    pub fn plan_in(&self, order: &[usize], wanted: &[usize]) -> Plan {
        self.arrange(
            wanted,
            Arrangement {
                order: order.to_vec(),
                stands_for: (0..self.values().len()).collect(),
                known: Vec::new(),
            },
        )
    }
}
