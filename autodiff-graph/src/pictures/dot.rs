//! A graph for Graphviz: `dot -Tsvg net.dot`.

use super::picture::{Drawing, Kind, Line, Picture};
use crate::Graph;
use core::fmt::Write;

/// As a quoted text of DOT.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n"))
}

impl Graph {
    /// What its outputs need, in the language DOT: boxes are operations, ellipses are inputs, constants and outputs, and
    /// frames are scopes. [`picture`](Graph::picture) has more to choose from.
    #[must_use]
    pub fn to_dot(&self) -> String {
        self.picture().to_dot()
    }
}

impl Picture<'_> {
    /// In the language DOT, for Graphviz: `dot -Tsvg net.dot`.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let drawing = self.drawing();
        let mut out = String::from(
            "digraph {\n  rankdir=TB;\n  node [fontname=\"sans-serif\", fontsize=11, style=filled];\n  \
             edge [fontname=\"sans-serif\", fontsize=10];\n",
        );
        // Writing to a string cannot fail.
        if let Some(title) = &drawing.title {
            let _ = writeln!(out, "  label={};\n  labelloc=t;", quoted(title));
        }
        frame(&drawing, None, 1, &mut out);
        for arrow in &drawing.arrows {
            let label = match arrow.label.as_str() {
                "" => String::new(),
                label => format!(" [label={}]", quoted(label)),
            };
            let _ = writeln!(out, "  b{} -> b{}{label};", arrow.from, arrow.to);
        }
        out += "}\n";
        out
    }
}

/// The boxes of a frame, and the frames in it.
fn frame(drawing: &Drawing, parent: Option<usize>, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    for (number, shown) in drawing.boxes.iter().enumerate() {
        if shown.scope != parent {
            continue;
        }
        let shape = match shown.kind {
            Kind::Input | Kind::Constant | Kind::Output => "ellipse",
            _ => "box",
        };
        let (fill, border, _) = shown.kind.look();
        let text: Vec<&str> = shown.lines.iter().map(Line::text).collect();
        let colour = if shown.kind == Kind::Output {
            ", fontcolor=white"
        } else {
            ""
        };
        let label = quoted(&text.join("\n"));
        let _ = writeln!(
            out,
            "{indent}b{number} [shape={shape}, fillcolor=\"{fill}\", color=\"{border}\"{colour}, label={label}];"
        );
    }
    for (number, inner) in drawing.frames.iter().enumerate() {
        if inner.parent == parent {
            let _ = writeln!(
                out,
                "{indent}subgraph cluster_{number} {{\n{indent}  label={};",
                quoted(&inner.name)
            );
            let _ = writeln!(
                out,
                "{indent}  style=rounded;\n{indent}  color=\"#94a3b8\";"
            );
            frame(drawing, Some(number), depth + 1, out);
            let _ = writeln!(out, "{indent}}}");
        }
    }
}
