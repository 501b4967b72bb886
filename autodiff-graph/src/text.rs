//! A graph as lines of text: one for each node that its outputs need.

use crate::Graph;
use autodiff_core::device::record::{Node, Origin, Value};
use autodiff_core::device::{Dims, Layout};
use core::fmt;

/// The names of the values that the outputs of a graph need.
pub(super) struct Names {
    names: Vec<Option<String>>,
    /// The nodes, in order.
    pub nodes: Vec<usize>,
}

impl Names {
    pub fn of(graph: &Graph) -> Self {
        let wanted: Vec<usize> = graph.outputs().iter().map(|o| o.value).collect();
        let nodes = graph.plan(&wanted).order().to_vec();
        let mut names: Vec<Option<String>> = vec![None; graph.values().len()];
        let mut numbered = 0;
        let mut name = |value: usize| {
            names[value].get_or_insert_with(|| {
                if let Origin::Input(name) = graph.values()[value].origin() {
                    return name.to_string();
                }
                if let Some(text) = short(&graph.values()[value]) {
                    return text;
                }
                numbered += 1;
                format!("%{}", numbered - 1)
            });
        };
        for &node in &nodes {
            let node = &graph.nodes()[node];
            graph.reads(node).for_each(&mut name);
            node.results().iter().for_each(|r| name(r.value));
        }
        wanted.into_iter().for_each(name);
        Names { names, nodes }
    }

    /// The name of a value.
    pub fn value(&self, value: usize) -> &str {
        self.names[value].as_deref().unwrap_or("?")
    }

    /// A part of a value: its name, and how it lies where that is not plain.
    pub fn part(&self, graph: &Graph, value: usize, layout: &Layout) -> String {
        let (name, dims) = (self.value(value), graph.values()[value].dims());
        if *layout == Layout::dense(*dims) {
            return name.to_owned();
        }
        let rank = layout.dims().rank();
        if rank == dims.rank()
            && rank > 1
            && *layout == Layout::dense(*dims).transpose(rank - 2, rank - 1)
        {
            return format!("{name}ᵀ");
        }
        let sizes = sizes(layout.dims());
        if layout.is_contiguous() && layout.offset() == 0 {
            return format!("{name}{sizes}");
        }
        let offset = match layout.offset() {
            0 => String::new(),
            offset => format!(" from {offset}"),
        };
        format!("{name}{sizes}/{:?}{offset}", layout.strides())
    }

    /// The values that are not made by nodes, in the order of their numbers.
    pub fn given<'g>(&'g self, graph: &'g Graph) -> impl Iterator<Item = (usize, &'g Value)> + 'g {
        let all = graph.values().iter().enumerate();
        all.filter(|&(number, value)| self.is_given(number, value))
    }

    /// Whether a value has a name of its own and is not made by a node.
    pub fn is_given(&self, number: usize, value: &Value) -> bool {
        let is_given = match value.origin() {
            Origin::Input(_) => true,
            Origin::Constant(_) => short(value).is_none(),
            Origin::Unwritten | Origin::Node(_) => false,
        };
        is_given && self.names[number].is_some()
    }
}

/// A constant of one element is its text.
fn short(value: &Value) -> Option<String> {
    let Origin::Constant(constant) = value.origin() else {
        return None;
    };
    if let Some([x]) = constant.get::<f32>() {
        return Some(format!("{x:?}"));
    }
    if let Some([x]) = constant.get::<f64>() {
        return Some(format!("{x:?}"));
    }
    constant
        .get::<i64>()
        .filter(|x| x.len() == 1)
        .map(|x| x[0].to_string())
}

/// `[2, 3]`.
pub(super) fn sizes(dims: &Dims) -> String {
    format!("{:?}", dims.as_slice())
}

/// What a node is told: `{beta: 0.0}`.
pub(super) fn attributes(node: &Node) -> String {
    let all: Vec<String> = node.attributes().iter().map(|a| format!("{a:?}")).collect();
    if all.is_empty() {
        String::new()
    } else {
        format!("{{{}}}", all.join(", "))
    }
}

/// One line for each input, node and output.
impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Names::of(self);
        for (number, value) in names.given(self) {
            let kind = if matches!(value.origin(), Origin::Input(_)) {
                "input"
            } else {
                "constant"
            };
            let (name, dtype, sizes) = (names.value(number), value.dtype(), sizes(value.dims()));
            writeln!(f, "{name}: {dtype}{sizes} = {kind}")?;
        }
        for &node in &names.nodes {
            let node = &self.nodes()[node];
            for (k, result) in node.results().iter().enumerate() {
                let value = &self.values()[result.value];
                let (name, dtype, sizes) = (
                    names.value(result.value),
                    value.dtype(),
                    sizes(value.dims()),
                );
                write!(f, "{}{name}: {dtype}{sizes}", if k > 0 { ", " } else { "" })?;
            }
            write!(f, " = {}{}", node.operation(), attributes(node))?;
            for operand in node.operands() {
                write!(f, " {}", names.part(self, operand.value, &operand.layout))?;
            }
            for result in node.results() {
                if !matches!(self.values()[result.base].origin(), Origin::Unwritten) {
                    write!(f, " into {}", names.part(self, result.base, &result.layout))?;
                }
            }
            writeln!(f)?;
        }
        for output in self.outputs() {
            writeln!(
                f,
                "{} = {}",
                output.name,
                names.part(self, output.value, &output.layout)
            )?;
        }
        Ok(())
    }
}
