//! What is drawn: boxes, arrows, frames.

use crate::Node;

/// What a box is, which its colour says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Input,
    Constant,
    Elementwise,
    Fused,
    Product,
    Reduction,
    Movement,
    Other,
    Derivative,
    Update,
    Output,
}

impl Kind {
    /// The fill, the border, and what the legend says.
    pub fn look(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Kind::Input => ("#dbeafe", "#2563eb", "input"),
            Kind::Constant => ("#f1f5f9", "#64748b", "constant"),
            Kind::Elementwise => ("#ffffff", "#475569", "elementwise"),
            Kind::Fused => ("#ffedd5", "#ea580c", "fused"),
            Kind::Product => ("#dcfce7", "#16a34a", "product"),
            Kind::Reduction => ("#fef9c3", "#ca8a04", "reduction"),
            Kind::Movement => ("#f5f5f4", "#78716c", "movement"),
            Kind::Other => ("#ecfeff", "#0891b2", "other"),
            Kind::Derivative => ("#fce7f3", "#db2777", "pullback"),
            Kind::Update => ("#ede9fe", "#7c3aed", "update"),
            Kind::Output => ("#1e293b", "#1e293b", "output"),
        }
    }

    /// What a node is.
    pub fn of(node: &Node) -> Kind {
        let operation = node.operation();
        if operation.contains("pullback") || matches!(operation, "conv_input" | "conv_weight") {
            return Kind::Derivative;
        }
        match operation {
            "unary" | "binary" | "select" | "compare" | "integer" | "dropout" => Kind::Elementwise,
            "region" | "region_sum" | "region_along" | "region_pushforward" => Kind::Fused,
            "gemm" | "affine" | "conv" | "attention" | "attention_pushforward" | "recurrence" => {
                Kind::Product
            }
            "reduce" | "fold" | "scan" | "count" | "integer_sum" | "arg_reduce" | "pool" => {
                Kind::Reduction
            }
            "fill" | "copy" | "cast" | "gather" | "scatter_add" | "take_along" | "add_along"
            | "put_along" | "select_axis" | "add_axis" | "random" | "triangle"
            | "unfold_windows" | "fold_windows" => Kind::Movement,
            "sgd" | "adam" | "add_scaled" => Kind::Update,
            _ => Kind::Other,
        }
    }
}

/// A line in a box.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Line {
    Title(String),
    /// A formula, or what a node is told.
    Detail(String),
    /// A type and sizes.
    Sizes(String),
    Value(String),
    Cotangent(String),
}

impl Line {
    pub fn text(&self) -> &str {
        match self {
            Line::Title(t)
            | Line::Detail(t)
            | Line::Sizes(t)
            | Line::Value(t)
            | Line::Cotangent(t) => t,
        }
    }
}

/// A node, an input, a constant or an output.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub kind: Kind,
    pub lines: Vec<Line>,
    /// The scope that it is in.
    pub scope: Option<usize>,
}

/// From one box to another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arrow {
    pub from: usize,
    pub to: usize,
    /// Which part of the value flows, if it is not the whole.
    pub label: String,
}

/// A frame around the nodes of a scope.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frame {
    pub name: String,
    pub parent: Option<usize>,
}

/// All that is drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawing {
    pub title: Option<String>,
    pub boxes: Vec<Shown>,
    pub arrows: Vec<Arrow>,
    pub frames: Vec<Frame>,
}

impl Drawing {
    /// Drops frames around a single box, which says as much without.
    pub fn drop_small_frames(&mut self) {
        let mut counts = vec![0; self.frames.len()];
        for shown in &self.boxes {
            let mut scope = shown.scope;
            while let Some(frame) = scope {
                counts[frame] += 1;
                scope = self.frames[frame].parent;
            }
        }
        // For each frame the number of the one that stays: its own, or that of the nearest around it. Those around are first.
        let (mut kept, mut places) = (Vec::new(), Vec::new());
        for (mut frame, count) in std::mem::take(&mut self.frames).into_iter().zip(counts) {
            frame.parent = frame.parent.and_then(|parent: usize| places[parent]);
            if count > 1 {
                places.push(Some(kept.len()));
                kept.push(frame);
            } else {
                places.push(frame.parent);
            }
        }
        self.frames = kept;
        for shown in &mut self.boxes {
            shown.scope = shown.scope.and_then(|scope| places[scope]);
        }
    }
}
