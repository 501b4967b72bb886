//! What each node costs.

mod call;
mod functions;
mod table;

use crate::Graph;
use autodiff_core::device::record::Origin;
use call::Call;
use core::fmt;
use std::collections::BTreeMap;

/// Whether the work of a method of `Backend` or its relatives is known: a test goes through the methods.
#[doc(hidden)]
#[must_use]
pub fn has_cost(operation: &str) -> bool {
    table::operations(operation).is_some()
}

/// What a node, or several, do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Operations, in additions: a multiplication counts as one, and a function as the table of functions says, such as 8
    /// for an exponential.
    pub operations: u64,
    /// The bytes that are read.
    pub read: u64,
    /// The bytes that are written.
    pub written: u64,
}

impl Work {
    /// The bytes that are read and written.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.read.saturating_add(self.written)
    }

    /// Operations for each byte that is read or written: where a machine can do more of them in the time in which it moves a
    /// byte, it waits for the memory (Williams, Waterman, Patterson 2009, *Roofline*).
    #[must_use]
    pub fn intensity(&self) -> f64 {
        self.operations as f64 / self.bytes() as f64
    }

    fn add(&mut self, other: Work) {
        self.operations = self.operations.saturating_add(other.operations);
        self.read = self.read.saturating_add(other.read);
        self.written = self.written.saturating_add(other.written);
    }
}

/// What the nodes of a graph cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Costs {
    nodes: Vec<Work>,
    operations: BTreeMap<&'static str, Cost>,
    scopes: BTreeMap<String, Cost>,
    total: Cost,
}

/// What several nodes cost together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// How many they are.
    pub nodes: usize,
    /// What they do.
    pub work: Work,
    /// Those of them whose work is not known: the methods of a newer version of the library.
    pub unknown: usize,
}

impl Cost {
    fn add(&mut self, work: Option<Work>) {
        self.nodes += 1;
        match work {
            Some(work) => self.work.add(work),
            None => self.unknown += 1,
        }
    }
}

impl Costs {
    /// Each node, by number; nothing for one whose work is not known.
    #[must_use]
    pub fn nodes(&self) -> &[Work] {
        &self.nodes
    }

    /// The nodes of each operation.
    #[must_use]
    pub fn by_operation(&self) -> &BTreeMap<&'static str, Cost> {
        &self.operations
    }

    /// The nodes of each scope.
    #[must_use]
    pub fn by_scope(&self) -> &BTreeMap<String, Cost> {
        &self.scopes
    }

    /// All nodes.
    #[must_use]
    pub fn total(&self) -> Cost {
        self.total
    }
}

impl Graph {
    /// What each node costs, from the sizes of its operands and its attributes: operations and bytes. All nodes are counted,
    /// those included that no output needs; [`pruned`](Graph::pruned) drops them.
    ///
    /// The counts are of the algorithms as textbooks have them: `2mnk` for a product of matrices, `2/3 n³` for a
    /// factorisation by Gauss. Of iterations they are the usual estimate. A causal attention counts the pairs that it
    /// looks at, an elementwise region its formula, without what two steps have in common. What is read several
    /// times by a kernel is counted once.
    ///
    /// ```
    /// use differentiable::graph::Recording;
    /// use differentiable::prelude::*;
    ///
    /// let recording = Recording::new();
    /// let x: Tensor![16, 32] = recording.input("x", Default::default());
    /// let w: Tensor![32, 8] = recording.input("w", Default::default());
    /// let _y = x.matmul(&w);
    /// let cost = recording.graph().cost();
    /// let work = cost.total().work;
    /// assert_eq!(work.operations, 2 * 16 * 32 * 8);
    /// assert_eq!((work.read, work.written), (4 * (16 * 32 + 32 * 8), 4 * 16 * 8));
    /// println!("{cost}"); // a table by operation, and one by scope
    /// ```
    #[must_use]
    pub fn cost(&self) -> Costs {
        let mut costs = Costs {
            nodes: Vec::with_capacity(self.nodes().len()),
            operations: BTreeMap::new(),
            scopes: BTreeMap::new(),
            total: Cost::default(),
        };
        for node in self.nodes() {
            let operations = table::operations(node.operation());
            let (read, written) = self.moved(node);
            let work = operations.map(|operations| Work {
                operations: operations(&Call { node }).max(0.0).round() as u64,
                read,
                written,
            });
            costs.nodes.push(work.unwrap_or_default());
            costs
                .operations
                .entry(node.operation())
                .or_default()
                .add(work);
            costs
                .scopes
                .entry(node.scope().to_owned())
                .or_default()
                .add(work);
            costs.total.add(work);
        }
        costs
    }

    /// The bytes that a node reads and writes.
    fn moved(&self, node: &crate::Node) -> (u64, u64) {
        // What is repeated along an axis is read once.
        let part = |value: usize, elements: usize| {
            let value = &self.values()[value];
            (elements.min(value.len()) * value.element_bytes()) as u64
        };
        let operands = node.operands().iter();
        let mut read: u64 = operands.map(|o| part(o.value, o.layout.numel())).sum();
        let mut written = 0;
        for result in node.results() {
            let bytes = part(result.value, result.layout.numel());
            written += bytes;
            let is_kept = !matches!(self.values()[result.base].origin(), Origin::Unwritten);
            if is_kept && (node.accumulates() || table::changes(node.operation())) {
                read += bytes;
            }
        }
        (read, written)
    }
}

/// `1.5 M` for 1 500 000.
fn short(n: u64) -> String {
    let (mut x, mut unit) = (n as f64, 0);
    while x >= 999.5 && unit < 5 {
        x /= 1000.0;
        unit += 1;
    }
    let unit = ["", " k", " M", " G", " T", " P"][unit];
    match x {
        x if unit.is_empty() => format!("{x:.0}"),
        x if x < 9.995 => format!("{x:.2}{unit}"),
        x if x < 99.95 => format!("{x:.1}{unit}"),
        x => format!("{x:.0}{unit}"),
    }
}

/// A table by operation, and one by scope, the most operations first.
impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.operations.keys().map(|n| n.len());
        let names = names.chain(self.scopes.keys().map(|n| n.chars().count()));
        let width = names.chain(["outside of scopes".len()]).max().unwrap_or(0);
        let mut table = |title: &str, rows: Vec<(&str, &Cost)>| -> fmt::Result {
            let (nodes, ops, read, written) = ("nodes", "operations", "bytes read", "written");
            writeln!(
                f,
                "{title:width$} {nodes:>6} {ops:>11} {read:>11} {written:>9}"
            )?;
            for (name, cost) in rows {
                let Work {
                    operations,
                    read,
                    written,
                } = cost.work;
                let (operations, read, written) = (short(operations), short(read), short(written));
                let nodes = cost.nodes;
                write!(
                    f,
                    "{name:width$} {nodes:>6} {operations:>11} {read:>11} {written:>9}"
                )?;
                match cost.unknown {
                    0 => writeln!(f)?,
                    n => writeln!(f, "  and {n} nodes of unknown work")?,
                }
            }
            Ok(())
        };
        fn sorted<K: AsRef<str>>(costs: &BTreeMap<K, Cost>) -> Vec<(&str, &Cost)> {
            let mut rows: Vec<_> = costs.iter().map(|(name, c)| (name.as_ref(), c)).collect();
            rows.sort_by_key(|(_, c)| std::cmp::Reverse(c.work.operations));
            rows
        }
        let mut rows = sorted(&self.operations);
        rows.push(("total", &self.total));
        table("operation", rows)?;
        let mut scopes = sorted(&self.scopes);
        if self.scopes.len() > 1 {
            for (name, _) in &mut scopes {
                if name.is_empty() {
                    *name = "outside of scopes";
                }
            }
            table("scope", scopes)?;
        }
        Ok(())
    }
}
