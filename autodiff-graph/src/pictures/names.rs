//! The names of values.

use super::labels::sizes;
use crate::Graph;
use autodiff_core::device::Layout;
use autodiff_core::device::record::{Origin, Value};

/// The names of the values that the outputs of a graph need.
pub(super) struct Names {
    names: Vec<Option<String>>,
    /// The nodes, in order.
    pub nodes: Vec<usize>,
}

impl Names {
    pub fn of(graph: &Graph) -> Self {
        let wanted = graph.wanted();
        let nodes = graph.plan(&wanted).order().to_vec();
        let mut names: Vec<Option<String>> = vec![None; graph.values().len()];
        // What is an output as it was made has the name of the output, unless another has it.
        for output in graph.outputs() {
            let value = &graph.values()[output.value];
            let is_made = matches!(value.origin(), Origin::Node(_));
            let is_free = !names.iter().flatten().any(|n| **n == *output.name)
                && !graph.inputs().any(|(_, name, _)| *name == *output.name);
            if is_made && is_free && output.layout == Layout::dense(*value.dims()) {
                names[output.value].get_or_insert_with(|| output.name.to_string());
            }
        }
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
    if let Some([x]) = constant.get::<bool>() {
        return Some(x.to_string());
    }
    match constant.get::<i64>() {
        Some([x]) => Some(x.to_string()),
        _ => None,
    }
}
