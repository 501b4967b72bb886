//! A graph as lines of text: one for each node that its outputs need.

use super::labels::{attributes, sizes};
use super::names::Names;
use crate::{Graph, Node};
use autodiff_core::device::Layout;
use autodiff_core::device::record::Origin;
use core::fmt;

/// Comments begin in this column, or behind the line.
const COMMENT: usize = 60;

impl Graph {
    /// `%1: f32[2] = unary{op: Tanh} x`.
    fn line(&self, names: &Names, node: &Node) -> String {
        let results = node.results().iter().map(|result| {
            let value = &self.values()[result.value];
            let (name, dtype) = (names.value(result.value), value.dtype());
            format!("{name}: {dtype}{}", sizes(value.dims()))
        });
        let results: Vec<String> = results.collect();
        let (results, told) = (results.join(", "), attributes(self, node));
        let mut line = format!("{results} = {}{told}", node.operation());
        for operand in node.operands() {
            line += &format!(" {}", names.part(self, operand.value, &operand.layout));
        }
        for result in node.results() {
            if !matches!(self.values()[result.base].origin(), Origin::Unwritten) {
                let into = names.part(self, result.base, &result.layout);
                line += &format!(" into {into}");
            }
        }
        line
    }
}

/// One line for each input, for each node that the outputs need, and for the outputs. A comment says in which scope and by
/// which line of the program a node was recorded.
///
/// Values that are an output as a whole bear its name, others are `%0`, `%1`. `xᵀ` is a transpose; other parts of a value have
/// their sizes, and strides and the first element where they are not the usual ones. `into` names a value whose buffer is
/// changed. Long attributes end in `..`.
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
            let (line, at) = (self.line(&names, node), node.location());
            let scope = match node.scope() {
                "" => String::new(),
                scope => format!("{scope}, "),
            };
            writeln!(f, "{line:COMMENT$} # {scope}{}:{}", at.file(), at.line())?;
        }
        if self.outputs().is_empty() {
            return Ok(());
        }
        let outputs = self.outputs().iter().map(|output| {
            let part = names.part(self, output.value, &output.layout);
            let plain = Layout::dense(*self.values()[output.value].dims());
            match part == *output.name && output.layout == plain {
                true => part,
                false => format!("{} = {part}", output.name),
            }
        });
        writeln!(f, "return {}", Vec::from_iter(outputs).join(", "))
    }
}
