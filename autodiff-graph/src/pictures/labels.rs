//! What a node is told, and sizes, in few words.

use crate::Node;
use autodiff_core::device::record::{Attr, RegionAttr};
use autodiff_core::device::{DType, Dims};

/// `[2, 3]`.
pub(super) fn sizes(dims: &Dims) -> String {
    format!("{:?}", dims.as_slice())
}

/// An attribute of more characters is cut in texts of lines.
const LONG: usize = 100;

/// A text of at most `most` characters: what is longer ends in `..`.
pub(super) fn cut(text: String, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text,
        Some(_) => {
            let kept: String = text.chars().take(most.saturating_sub(2)).collect();
            format!("{}..", kept.trim_end())
        }
    }
}

/// A number as its type has it: an `f32` is not longer than it has to be.
pub(super) fn number(x: f64, dtype: DType) -> String {
    match dtype {
        DType::F32 | DType::Bf16 | DType::F16 | DType::MixedBf16 | DType::MixedF16 => {
            format!("{:?}", x as f32)
        }
        _ => format!("{x:?}"),
    }
}

/// The type of the numbers that a node is told: that of its first result.
fn dtype(graph: &crate::Graph, node: &Node) -> DType {
    let first = node.results().first();
    first.map_or(DType::F64, |r| graph.values()[r.value].dtype())
}

fn attribute(attribute: &Attr, dtype: DType) -> String {
    let name = attribute.name();
    match attribute.get::<f64>() {
        Some(&x) => format!("{name}: {}", number(x, dtype)),
        None => format!("{attribute:?}"),
    }
}

/// What a node is told: `{beta: 0.0}`.
pub(super) fn attributes(graph: &crate::Graph, node: &Node) -> String {
    let dtype = dtype(graph, node);
    // The lines of a subgraph are as long as they are.
    let text = |a: &Attr| match attribute(a, dtype) {
        text if text.contains('\n') => text,
        text => cut(text, LONG),
    };
    let texts = node.attributes().iter().map(text);
    let all: Vec<String> = texts.collect();
    if all.is_empty() {
        String::new()
    } else {
        format!("{{{}}}", all.join(", "))
    }
}

/// What a node does, for a box: `tanh`, `a + b`, the formula of a region, or the method.
pub(super) fn title(node: &Node) -> String {
    let op = node.attributes().iter().find(|a| a.name() == "op");
    // The operation without what it is told: `Elu(1.0)` is `Elu`.
    let op = op.map(|a| format!("{a:?}"));
    let op = op.as_deref().and_then(|text| text.strip_prefix("op: "));
    let word = op.map(|text| {
        text.split(['(', ' ', '{'])
            .next()
            .unwrap_or(text)
            .to_lowercase()
    });
    match (node.operation(), word) {
        ("unary" | "binary" | "reduce" | "fold" | "integer" | "compare", Some(op)) => op,
        ("unary_pullback" | "binary_pullback" | "fold_pullback", Some(op)) => {
            let side = node.attribute::<autodiff_core::device::Side>("side");
            let by = side.map_or(String::new(), |side| match side {
                autodiff_core::device::Side::Left => " by the left".into(),
                autodiff_core::device::Side::Right => " by the right".into(),
            });
            format!("pullback of {op}{by}")
        }
        ("gemm", _) => "matmul".into(),
        ("affine", _) => "matmul, bias".into(),
        ("region", _) => "fused".into(),
        ("region_pullback", _) => "pullback of fused".into(),
        ("region_sum", _) => "fused, summed".into(),
        ("region_along", _) => "fused, summed along an axis".into(),
        ("region_pushforward", _) => "pushforward of fused".into(),
        (operation, _) => match operation.strip_suffix("_pullback") {
            Some(of) => format!("pullback of {}", of.replace('_', " ")),
            None => operation.replace('_', " "),
        },
    }
}

/// What a box says below its title: the formula of a region, and the numbers that are told.
pub(super) fn details(graph: &crate::Graph, node: &Node, most: usize) -> Vec<String> {
    let dtype = dtype(graph, node);
    let mut lines = Vec::new();
    for a in node.attributes() {
        if let Some(region) = a.get::<RegionAttr>() {
            lines.push(cut(region.formulas().value.straight().to_string(), most));
        } else if let Some(&x) = a.get::<f64>() {
            let is_plain = a.name() == "beta" && x == 0.0;
            if !is_plain {
                lines.push(format!("{} = {}", a.name(), number(x, dtype)));
            }
        } else if a.name() == "op" {
            // `Affine(2.0, 0.0)`: the title has the word.
            let text = format!("{a:?}");
            if text.contains('(') {
                lines.push(cut(text.trim_start_matches("op: ").to_lowercase(), most));
            }
        }
    }
    lines
}
