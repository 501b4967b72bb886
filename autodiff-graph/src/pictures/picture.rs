//! What a picture of a graph shows: boxes, arrows, scopes.

use super::labels::{cut, details, sizes, title};
use super::names::Names;
use super::values::Values;
use crate::recording::Place;
use crate::{Graph, Node};
use autodiff_core::device::Elem;
use autodiff_core::device::record::{Origin, RegionAttr};
use autodiff_core::shape::Shape;
use autodiff_core::tensor::Tensor;
use std::collections::HashMap;

/// A picture of what the outputs of a graph need.
///
/// ```
/// use differentiable::graph::{Everything, Feeds, Recording, Session};
/// use differentiable::prelude::*;
///
/// let recording = Recording::new();
/// let x: Tensor![] = recording.input("x", Default::default());
/// recording.output("y", &(x.exp() + &x));
///
/// let mut session = Session::new(&recording, &Device::cpu());
/// let values = session.run(&Everything, &Feeds::new().with(&x, &tensor(1.0)))?;
/// let graph = recording.graph();
/// let picture = graph.picture().title("y = exp x + x").values(&values);
/// let dot = picture.to_dot(); // for Graphviz: dot -Tsvg
/// # #[cfg(feature = "svg")]
/// std::fs::write(std::env::temp_dir().join("y.svg"), picture.to_svg())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Picture<'g> {
    graph: &'g Graph,
    title: Option<String>,
    values: Option<&'g Values>,
    cotangents: HashMap<usize, usize>,
    names: HashMap<usize, String>,
    scopes: bool,
}

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

    fn of(node: &Node) -> Kind {
        let operation = node.operation();
        if operation.contains("pullback") || matches!(operation, "conv_input" | "conv_weight") {
            return Kind::Derivative;
        }
        match operation {
            "unary" | "binary" | "select" | "compare" | "integer" | "dropout" => Kind::Elementwise,
            "region" | "region_sum" | "region_along" | "region_pushforward" => Kind::Fused,
            "gemm" | "conv" | "attention" | "attention_pushforward" | "recurrence" => Kind::Product,
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

/// Characters of a line in a box.
const WIDTH: usize = 44;

impl Graph {
    /// A picture of what the outputs need, to be drawn as [SVG](Picture::to_svg) or by [Graphviz](Picture::to_dot).
    #[must_use]
    pub fn picture(&self) -> Picture<'_> {
        Picture {
            graph: self,
            title: None,
            values: None,
            cotangents: HashMap::new(),
            names: HashMap::new(),
            scopes: true,
        }
    }
}

impl<'g> Picture<'g> {
    /// With a line above it.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.title = Some(title.to_owned());
        self
    }

    /// With numbers in the boxes: those of a run that fetched [`Everything`](crate::Everything). Of more than four elements
    /// there is the smallest and the largest.
    #[must_use]
    pub fn values(mut self, values: &'g Values) -> Self {
        self.values = Some(values);
        self
    }

    /// With a line in the box of `of` for its cotangent, the derivative of the result by it; with numbers, if
    /// [`values`](Picture::values) has them.
    ///
    /// # Panics
    /// If one of them is not recorded.
    #[must_use]
    #[track_caller]
    pub fn cotangent<S: Shape, T: Elem>(
        mut self,
        of: &Tensor<S, T>,
        cotangent: &Tensor<S, T>,
    ) -> Self {
        let value = |x: &Tensor<S, T>, what: &str| Place::of(x.raw(), what).value;
        self.cotangents.insert(
            value(of, "what is differentiated by"),
            value(cotangent, "the cotangent"),
        );
        self
    }

    /// With a name for a tensor, in the box that makes it.
    ///
    /// # Panics
    /// If it is not recorded.
    #[must_use]
    #[track_caller]
    pub fn name<S: Shape, T: Elem>(mut self, of: &Tensor<S, T>, name: &str) -> Self {
        let value = Place::of(of.raw(), "what is named").value;
        self.names.insert(value, name.to_owned());
        self
    }

    /// Without frames around scopes.
    #[must_use]
    pub fn without_scopes(mut self) -> Self {
        self.scopes = false;
        self
    }

    /// What is drawn.
    pub(super) fn drawing(&self) -> Drawing {
        let (graph, names) = (self.graph, Names::of(self.graph));
        let mut drawing = Drawing {
            title: self.title.clone(),
            ..Drawing::default()
        };
        // The boxes of values that are given, and of nodes.
        let mut given = HashMap::new();
        for (number, value) in names.given(graph) {
            given.insert(number, drawing.boxes.len());
            let kind = match value.origin() {
                Origin::Input(_) => Kind::Input,
                _ => Kind::Constant,
            };
            let mut lines = vec![Line::Title(cut(names.value(number).to_owned(), WIDTH))];
            lines.push(Line::Sizes(format!(
                "{}{}",
                value.dtype(),
                sizes(value.dims())
            )));
            self.numbers(number, &mut lines);
            drawing.boxes.push(Shown {
                kind,
                lines,
                scope: None,
            });
        }
        let mut made = HashMap::new();
        let mut open: Vec<(String, usize)> = Vec::new();
        for &number in &names.nodes {
            let node = &graph.nodes()[number];
            made.insert(number, drawing.boxes.len());
            let scope = if self.scopes {
                self.enter(node.scope(), &mut open, &mut drawing)
            } else {
                None
            };
            drawing.boxes.push(Shown {
                kind: Kind::of(node),
                lines: self.lines(node, &names),
                scope,
            });
        }
        let place = |value: usize| match graph.values()[value].origin() {
            Origin::Node(node) => made.get(node).copied(),
            _ => given.get(&value).copied(),
        };
        for edge in graph.edges() {
            let (Some(&to), Some(from)) = (made.get(&edge.to), place(edge.value)) else {
                continue;
            };
            let operands = graph.nodes()[edge.to].operands().iter();
            let operand = operands
                .clone()
                .find(|o| o.value == edge.value && o.name == edge.parameter);
            let part = operand.map(|o| names.part(graph, o.value, &o.layout));
            let whole = names.value(edge.value);
            let label = part.and_then(|part| Some(part.strip_prefix(whole)?.to_owned()));
            let label = label.map(|l| {
                if l == "ᵀ" {
                    "transposed".to_owned()
                } else {
                    l
                }
            });
            let arrow = Arrow {
                from,
                to,
                label: cut(label.unwrap_or_default(), 24),
            };
            if !drawing.arrows.contains(&arrow) {
                drawing.arrows.push(arrow);
            }
        }
        for output in graph.outputs() {
            let to = drawing.boxes.len();
            drawing.boxes.push(Shown {
                kind: Kind::Output,
                lines: vec![Line::Title(output.name.to_string())],
                scope: None,
            });
            if let Some(from) = place(output.value) {
                drawing.arrows.push(Arrow {
                    from,
                    to,
                    label: String::new(),
                });
            }
        }
        drawing
    }

    /// The frame of a scope. Nodes that were recorded one after the other share it; a scope that is entered again has
    /// another.
    fn enter(
        &self,
        scope: &str,
        open: &mut Vec<(String, usize)>,
        drawing: &mut Drawing,
    ) -> Option<usize> {
        let path: Vec<&str> = scope.split('/').filter(|s| !s.is_empty()).collect();
        let common = open
            .iter()
            .zip(&path)
            .take_while(|((name, _), part)| name == *part)
            .count();
        open.truncate(common);
        for part in &path[common..] {
            drawing.frames.push(Frame {
                name: cut((*part).to_owned(), WIDTH),
                parent: open.last().map(|(_, frame)| *frame),
            });
            open.push(((*part).to_owned(), drawing.frames.len() - 1));
        }
        open.last().map(|(_, frame)| *frame)
    }

    fn lines(&self, node: &Node, names: &Names) -> Vec<Line> {
        let mut lines = vec![Line::Title(cut(title(node), WIDTH))];
        lines.extend(
            details(self.graph, node, WIDTH)
                .into_iter()
                .map(Line::Detail),
        );
        // Numbers that are operands have no box of their own.
        let is_region = node
            .attributes()
            .iter()
            .any(|a| a.get::<RegionAttr>().is_some());
        if !is_region {
            let numbers = node.operands().iter().filter(|o| {
                let value = &self.graph.values()[o.value];
                matches!(value.origin(), Origin::Constant(_)) && !names.is_given(o.value, value)
            });
            let numbers: Vec<String> = numbers
                .map(|o| format!("{} = {}", o.name, names.value(o.value)))
                .collect();
            lines.extend(numbers.into_iter().map(Line::Detail));
        }
        for result in node.results() {
            let value = &self.graph.values()[result.value];
            let sizes = sizes(value.dims());
            let name = self.names.get(&result.value).map(String::as_str);
            let name = name.unwrap_or_else(|| names.value(result.value));
            let name = if name.starts_with('%') {
                String::new()
            } else {
                format!("{}: ", cut(name.to_owned(), WIDTH))
            };
            lines.push(Line::Sizes(format!("{name}{}{sizes}", value.dtype())));
            self.numbers(result.value, &mut lines);
        }
        lines
    }

    /// The elements of a value and of its cotangent, if they are known.
    fn numbers(&self, value: usize, lines: &mut Vec<Line>) {
        let text = |value: usize| self.values.and_then(|v| v.get(value)).map(few);
        if let Some(numbers) = text(value) {
            lines.push(Line::Value(format!("= {numbers}")));
        }
        if let Some(cotangent) = self.cotangents.get(&value) {
            let numbers = text(*cotangent).map_or(String::new(), |n| format!(" = {n}"));
            lines.push(Line::Cotangent(format!("cotangent{numbers}")));
        }
    }
}

/// Up to four numbers, or the smallest and the largest.
fn few(numbers: &[f64]) -> String {
    match numbers {
        [] => "nothing".into(),
        [x] => digits(*x),
        _ if numbers.len() <= 4 => {
            let all: Vec<String> = numbers.iter().map(|x| digits(*x)).collect();
            format!("[{}]", all.join(", "))
        }
        _ => {
            let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let broken = numbers.iter().filter(|x| x.is_nan()).count();
            let nan = if broken > 0 {
                format!(", {broken} NaN")
            } else {
                String::new()
            };
            format!("{} .. {}{nan}", digits(low), digits(high))
        }
    }
}

/// Six digits that count, without zeros at the end.
fn digits(x: f64) -> String {
    if !x.is_finite() {
        return format!("{x}").replace('-', "−");
    }
    let size = x.abs();
    let text = if size != 0.0 && !(1e-4..1e7).contains(&size) {
        format!("{x:.4e}")
    } else {
        let whole = if size < 1.0 {
            1
        } else {
            size.log10() as usize + 1
        };
        let text = format!("{x:.*}", 7_usize.saturating_sub(whole).min(6));
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        }
    };
    text.replace('-', "−")
}
