//! Where boxes, frames and arrows lie.

use crate::pictures::picture::{Drawing, Line, Shown};
use dagre::graph::{Graph, GraphOptions};
use dagre::{EdgeLabel, LayoutOptions, NodeLabel};

/// A box around something: its centre and its sizes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// The way of an arrow, and where its label is.
#[derive(Clone, Debug, Default)]
pub(super) struct Way {
    pub points: Vec<(f64, f64)>,
    pub label: Option<(f64, f64)>,
}

/// Where everything lies.
#[derive(Debug, Default)]
pub(super) struct Placed {
    pub boxes: Vec<Area>,
    /// None for a frame around nothing.
    pub frames: Vec<Option<Area>>,
    pub arrows: Vec<Way>,
}

pub(super) const TITLE: f64 = 14.0;
pub(super) const SMALL: f64 = 11.0;
/// From line to line, in sizes of letters.
pub(super) const LINE: f64 = 1.3;
/// Between the text and the border.
pub(super) const PAD: f64 = 8.0;

pub(super) fn size(line: &Line) -> f64 {
    if matches!(line, Line::Title(_)) {
        TITLE
    } else {
        SMALL
    }
}

/// Whether its letters are fat.
pub(super) fn is_bold(line: &Line) -> bool {
    matches!(line, Line::Title(_) | Line::Value(_) | Line::Cotangent(_))
}

/// The width of a text in a font without serifs, a little more rather than less: classes of letters of DejaVu Sans, which is
/// wider than Arial and Helvetica.
pub(super) fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    let width = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.33,
        'f' | 't' | 'r' | ' ' | '(' | ')' | '[' | ']' | '-' | '/' | '{' | '}' => 0.40,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.97,
        'A'..='Z' | '+' | '=' | '<' | '>' | '−' => 0.82,
        c if c.is_ascii() => 0.64,
        _ => 0.80,
    };
    let width: f64 = text.chars().map(width).sum();
    size * width * if bold { 1.1 } else { 1.0 }
}

fn sizes(shown: &Shown) -> (f64, f64) {
    let widths = shown
        .lines
        .iter()
        .map(|l| text_width(l.text(), size(l), is_bold(l)));
    let height: f64 = shown.lines.iter().map(|l| LINE * size(l)).sum();
    (widths.fold(30.0, f64::max) + 2.0 * PAD, height + 1.5 * PAD)
}

/// Lays the drawing out, from top to bottom.
pub(super) fn place(drawing: &Drawing) -> Placed {
    let mut graph: Graph<NodeLabel, EdgeLabel> = Graph::with_options(GraphOptions {
        directed: true,
        multigraph: true,
        compound: true,
    });
    let of_box = |number: usize| format!("b{number}");
    let of_frame = |number: usize| format!("f{number}");
    for (number, shown) in drawing.boxes.iter().enumerate() {
        let (width, height) = sizes(shown);
        let label = NodeLabel {
            width,
            height,
            ..NodeLabel::default()
        };
        graph.set_node(of_box(number), Some(label));
    }
    // A frame around nothing would be a box.
    let filled = |frame: usize| {
        drawing.boxes.iter().any(|b| {
            let mut scope = b.scope;
            while let Some(at) = scope {
                if at == frame {
                    return true;
                }
                scope = drawing.frames[at].parent;
            }
            false
        })
    };
    let filled: Vec<bool> = (0..drawing.frames.len()).map(filled).collect();
    for (number, frame) in drawing
        .frames
        .iter()
        .enumerate()
        .filter(|(n, _)| filled[*n])
    {
        graph.set_node(of_frame(number), Some(NodeLabel::default()));
        if let Some(parent) = frame.parent {
            graph.set_parent(&of_frame(number), Some(&of_frame(parent)));
        }
    }
    for (number, shown) in drawing.boxes.iter().enumerate() {
        if let Some(scope) = shown.scope {
            graph.set_parent(&of_box(number), Some(&of_frame(scope)));
        }
    }
    for (number, arrow) in drawing.arrows.iter().enumerate() {
        let mut label = EdgeLabel::default();
        if !arrow.label.is_empty() {
            label.width = text_width(&arrow.label, SMALL, false);
            label.height = LINE * SMALL;
        }
        let name = number.to_string();
        graph.set_edge(
            of_box(arrow.from),
            of_box(arrow.to),
            Some(label),
            Some(&name),
        );
    }
    let options = LayoutOptions {
        nodesep: 22.0,
        ranksep: 34.0,
        edgesep: 12.0,
        ..LayoutOptions::default()
    };
    dagre::layout(&mut graph, Some(options));
    let area = |node: &NodeLabel| Area {
        x: node.x.unwrap_or_default(),
        y: node.y.unwrap_or_default(),
        width: node.width,
        height: node.height,
    };
    let way = |(number, arrow): (usize, &crate::pictures::picture::Arrow)| {
        let name = number.to_string();
        let edge = graph.edge(&of_box(arrow.from), &of_box(arrow.to), Some(&name));
        edge.map_or_else(Way::default, |edge| Way {
            points: edge.points.iter().map(|p| (p.x, p.y)).collect(),
            label: edge.x.zip(edge.y).filter(|_| !arrow.label.is_empty()),
        })
    };
    Placed {
        boxes: (0..drawing.boxes.len())
            .map(|n| graph.node(&of_box(n)).map_or_else(Area::default, area))
            .collect(),
        frames: (0..drawing.frames.len())
            .map(|n| graph.node(&of_frame(n)).map(area))
            .collect(),
        arrows: drawing.arrows.iter().enumerate().map(way).collect(),
    }
}
