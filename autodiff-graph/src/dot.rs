//! A graph for Graphviz: `dot -Tsvg net.dot`.

use super::text::{Names, attributes, sizes};
use crate::Graph;
use autodiff_core::device::record::Origin;
use core::fmt::Write;

/// As a quoted text of DOT.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl Graph {
    /// What its outputs need, in the language DOT: boxes are operations, ellipses are inputs and constants, and arrows bear
    /// the types and sizes of what flows.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let names = Names::of(self);
        let mut out = String::from("digraph {\n  rankdir=TB;\n  node [fontname=\"sans-serif\"];\n");
        // Writing to a string cannot fail.
        for (number, value) in names.given(self) {
            let label = format!(
                "{}\n{}{}",
                names.value(number),
                value.dtype(),
                sizes(value.dims())
            );
            let _ = writeln!(
                out,
                "  v{number} [shape=ellipse, label={}];",
                quoted(&label)
            );
        }
        for &number in &names.nodes {
            let node = &self.nodes()[number];
            let attributes = attributes(node);
            let mut label = node.operation().to_owned();
            if attributes.chars().count() <= 60 {
                label += &attributes;
            }
            let _ = writeln!(out, "  n{number} [shape=box, label={}];", quoted(&label));
            for value in self.reads(node) {
                if let Some(from) = self.place(&names, value) {
                    let value = &self.values()[value];
                    let label = format!("{}{}", value.dtype(), sizes(value.dims()));
                    let _ = writeln!(out, "  {from} -> n{number} [label={}];", quoted(&label));
                }
            }
        }
        for (k, output) in self.outputs().iter().enumerate() {
            let _ = writeln!(
                out,
                "  o{k} [shape=ellipse, style=bold, label={}];",
                quoted(&output.name)
            );
            if let Some(from) = self.place(&names, output.value) {
                let _ = writeln!(out, "  {from} -> o{k};");
            }
        }
        out += "}\n";
        out
    }

    /// Where a value comes from; nowhere if its text stands for it.
    fn place(&self, names: &Names, value: usize) -> Option<String> {
        let of = &self.values()[value];
        match of.origin() {
            Origin::Node(node) => Some(format!("n{node}")),
            _ => names.is_given(value, of).then(|| format!("v{value}")),
        }
    }
}
