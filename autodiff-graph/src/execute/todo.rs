//! What a part of a graph does, one thing after the other.

use autodiff_core::device::record::{AnyBuffer, Graph, Origin};
use core::any::Any;
use std::collections::HashMap;

/// What a part does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Do {
    Run(usize),
    Send { value: usize, to: usize },
    Receive { value: usize, from: usize },
}

/// The nodes that run.
pub(super) fn nodes(todo: &[Do]) -> impl Iterator<Item = usize> + '_ {
    todo.iter().filter_map(|todo| match todo {
        Do::Run(node) => Some(*node),
        _ => None,
    })
}

/// The values that are sent, each with the number of who receives it.
pub(super) fn sends(todo: &[Do]) -> impl Iterator<Item = (usize, usize)> + '_ {
    todo.iter().filter_map(|todo| match todo {
        Do::Send { value, to } => Some((*value, *to)),
        _ => None,
    })
}

/// The values that are received, each with the number of who sends it.
pub(super) fn receives(todo: &[Do]) -> impl Iterator<Item = (usize, usize)> + '_ {
    todo.iter().filter_map(|todo| match todo {
        Do::Receive { value, from } => Some((*value, *from)),
        _ => None,
    })
}

/// A value by its name or number.
pub(super) fn name(graph: &Graph, value: usize) -> String {
    match graph.values()[value].origin() {
        Origin::Input(name) => name.to_string(),
        Origin::Constant(_) => format!("constant {value}"),
        _ => format!("%{value}"),
    }
}

impl Do {
    /// In words; the others are parts or ranks.
    pub fn line(self, graph: &Graph, others: &str) -> String {
        let typed = |value: usize| {
            let kind = graph.values()[value].kind();
            format!("{}: {kind}", name(graph, value))
        };
        match self {
            Do::Send { value, to } => format!("send {} to {others} {to}", name(graph, value)),
            Do::Receive { value, from } => {
                format!("{} = receive from {others} {from}", typed(value))
            }
            Do::Run(node) => {
                let node = &graph.nodes()[node];
                let made: Vec<String> = node.results().iter().map(|r| typed(r.value)).collect();
                let read: Vec<String> = graph.reads(node).map(|v| name(graph, v)).collect();
                format!(
                    "{} = {} {}",
                    made.join(", "),
                    node.operation(),
                    read.join(" ")
                )
            }
        }
    }
}

/// What a panic said.
pub(super) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a text").to_owned()
}

/// How often a part still uses each value.
#[derive(Default)]
pub(super) struct Uses(HashMap<usize, usize>);

impl Uses {
    /// Counts a use.
    pub fn count(&mut self, value: usize) {
        *self.0.entry(value).or_default() += 1;
    }

    /// Whether the part uses a value at all.
    pub fn has(&self, value: usize) -> bool {
        self.0.contains_key(&value)
    }

    /// The buffer of a value, if it has one. The last use takes it away, and may write over it.
    pub fn next(
        &mut self,
        buffers: &mut HashMap<usize, AnyBuffer>,
        value: usize,
    ) -> Option<AnyBuffer> {
        let left = self.0.get_mut(&value).expect("a use that was counted");
        *left -= 1;
        match *left {
            0 => buffers.remove(&value),
            _ => buffers.get(&value).cloned(),
        }
    }
}
