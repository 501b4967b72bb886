//! The part of a rank, to look at.

use crate::execute::todo::{self, Do, name};
use autodiff_core::device::record::{Graph, Origin};
use core::fmt::{self, Write};
use std::collections::{BTreeMap, BTreeSet};

/// The nodes of a graph that run on one rank, with those that send values to other ranks and receive values from them.
///
/// It prints with a line for each node; [`to_dot`](RankPart::to_dot) draws it.
#[derive(Clone, Debug)]
pub struct RankPart {
    pub(super) rank: usize,
    pub(super) todo: Vec<Do>,
    /// What is there when it has run: what is fetched, and what its variables become.
    pub(super) kept: BTreeSet<usize>,
    /// Of `todo`, in words.
    pub(super) lines: Vec<String>,
    /// The inputs, variables and constants that it reads, and the values that each node reads and makes, by name.
    pub(super) given: Vec<String>,
    pub(super) edges: Vec<(Vec<String>, Vec<String>)>,
}

impl RankPart {
    pub(super) fn new(rank: usize) -> Self {
        RankPart {
            rank,
            todo: Vec::new(),
            kept: BTreeSet::new(),
            lines: Vec::new(),
            given: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// Puts what it does into words. `reads` gives what a node reads.
    pub(super) fn describe(&mut self, graph: &Graph, reads: impl Fn(usize) -> Vec<usize>) {
        let mut given = BTreeSet::new();
        let received: BTreeSet<usize> = self.receives().map(|(value, _)| value).collect();
        let is_node = |v: usize| matches!(graph.values()[v].origin(), Origin::Node(_));
        let names = |values: &[usize]| values.iter().map(|&v| name(graph, v)).collect();
        for todo in &self.todo {
            let (read, made) = match *todo {
                Do::Run(node) => {
                    let results = graph.nodes()[node].results().iter();
                    (reads(node), results.map(|r| r.value).collect())
                }
                Do::Send { value, .. } => (vec![value], Vec::new()),
                Do::Receive { value, .. } => (Vec::new(), vec![value]),
            };
            given.extend(
                read.iter()
                    .filter(|v| !is_node(**v) && !received.contains(v)),
            );
            self.lines.push(todo.line(graph, "rank"));
            self.edges.push((names(&read), names(&made)));
        }
        self.given = given.iter().map(|&v| name(graph, v)).collect();
    }

    /// The rank that runs it.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The numbers of its nodes in the graph, in order.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        todo::nodes(&self.todo)
    }

    /// The values that it sends, each with the rank that receives it.
    pub fn sends(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        todo::sends(&self.todo)
    }

    /// The values that it receives, each with the rank that sends it.
    pub fn receives(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        todo::receives(&self.todo)
    }

    /// In the language DOT, for Graphviz: `dot -Tsvg part.dot`. Ellipses are what the rank is given, houses what it receives and
    /// sends, boxes operations.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let quoted =
            |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let mut out = format!(
            "digraph {{\n  label=\"rank {}\";\n  labelloc=t;\n  node [fontname=\"sans-serif\", fontsize=11];\n",
            self.rank
        );
        // Writing to a string cannot fail.
        let mut maker = BTreeMap::new();
        for (number, name) in self.given.iter().enumerate() {
            let _ = writeln!(out, "  g{number} [shape=ellipse, label={}];", quoted(name));
            maker.insert(name, format!("g{number}"));
        }
        let todo = self.todo.iter().zip(&self.lines).zip(&self.edges);
        for (number, ((todo, line), (read, made))) in todo.enumerate() {
            let shape = match todo {
                Do::Run(_) => "box",
                Do::Receive { .. } => "house",
                Do::Send { .. } => "invhouse",
            };
            let _ = writeln!(out, "  n{number} [shape={shape}, label={}];", quoted(line));
            for from in read.iter().filter_map(|name| maker.get(name)) {
                let _ = writeln!(out, "  {from} -> n{number};");
            }
            maker.extend(made.iter().map(|name| (name, format!("n{number}"))));
        }
        out += "}\n";
        out
    }
}

impl fmt::Display for RankPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "rank {}:", self.rank)?;
        let mut lines = self.lines.iter();
        lines.try_for_each(|line| writeln!(f, "  {line}"))
    }
}
