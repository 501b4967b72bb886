//! Entries that integers name.

use super::Rules;
use crate::export::OnnxError;
use crate::export::build::Tensor;
use crate::export::ir::{Attr, Id};
use crate::export::lower::Lower;
use crate::proto::ElementType;
use autodiff_core::device::record::Node;

pub const RULES: Rules = &[
    ("gather", gather),
    ("scatter_add", scatter_add),
    ("select_axis", select_axis),
    ("add_axis", add_axis),
    ("take_along", take_along),
    ("add_along", add_along),
    ("put_along", put_along),
];

/// What is indexed, and the integers.
fn indexed(cx: &mut Lower<'_>, node: &Node) -> Result<(Tensor, Tensor), OnnxError> {
    let all = cx.operands(node)?;
    let index = cx.ir.cast(&all[1], ElementType::I64);
    Ok((all[0].clone(), index))
}

/// `x[.., index, ..]` along an axis.
fn picked(cx: &mut Lower<'_>, x: &Tensor, index: &Tensor, axis: usize) -> Tensor {
    let id = cx.ir.full(x);
    let mut index = cx.ir.full(index);
    // Of indices with several axes the operator takes all.
    if let Some(node) = cx.ir.maker(index).filter(|n| n.operator == "Reshape") {
        index = node.inputs[0].expect("the operand of a Reshape");
    }
    let mut dims = x.dims[..axis].to_vec();
    dims.extend_from_slice(cx.ir.dims(index));
    dims.extend_from_slice(&x.dims[axis + 1..]);
    let element = cx.ir.element(x);
    let axis = [("axis", Attr::Int(axis as i64))];
    let id = cx.ir.make("Gather", &[id, index], &axis, element, &dims);
    cx.ir.whole(id)
}

fn gather(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let (x, index) = indexed(cx, node)?;
    let y = picked(cx, &x, &index, 0);
    cx.write(node, 0, &y);
    Ok(())
}

fn select_axis(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let axis = cx.attribute::<usize>(node, "axis")?;
    let (x, index) = indexed(cx, node)?;
    let y = picked(cx, &x, &index, axis);
    cx.write(node, 0, &y);
    Ok(())
}

fn scatter_add(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let (x, index) = indexed(cx, node)?;
    let before = cx.before(node, 0)?;
    let count = x.dims[0];
    let index = cx.ir.reshape(&index, &[count, 1]);
    let [x, before, index] = [&x, &before, &index].map(|x| cx.ir.full(x));
    let (element, dims) = (cx.ir.values[before].element, cx.ir.dims(before).to_vec());
    let add = [("reduction", Attr::Text("add"))];
    let id = cx
        .ir
        .make("ScatterND", &[before, index, x], &add, element, &dims);
    let y = cx.ir.whole(id);
    cx.write(node, 0, &y);
    Ok(())
}

fn take_along(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let axis = cx.attribute::<usize>(node, "axis")?;
    let (x, index) = indexed(cx, node)?;
    let [x, index] = [&x, &index].map(|x| cx.ir.full(x));
    let (element, dims) = (cx.ir.values[x].element, cx.ir.dims(index).to_vec());
    let axis = [("axis", Attr::Int(axis as i64))];
    let id = cx
        .ir
        .make("GatherElements", &[x, index], &axis, element, &dims);
    let y = cx.ir.whole(id);
    cx.write(node, 0, &y);
    Ok(())
}

/// The contents of the result with entries along `axis` changed.
fn scattered(
    cx: &mut Lower<'_>,
    node: &Node,
    axis: usize,
    [x, index]: [Id; 2],
    reduction: Option<&'static str>,
) -> Result<(), OnnxError> {
    let before = cx.before(node, 0)?;
    let before = cx.ir.full(&before);
    let (element, dims) = (cx.ir.values[before].element, cx.ir.dims(before).to_vec());
    let mut attributes = vec![("axis", Attr::Int(axis as i64))];
    attributes.extend(reduction.map(|r| ("reduction", Attr::Text(r))));
    let inputs = [before, index, x];
    let id = cx
        .ir
        .make("ScatterElements", &inputs, &attributes, element, &dims);
    let y = cx.ir.whole(id);
    cx.write(node, 0, &y);
    Ok(())
}

fn add_along(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let axis = cx.attribute::<usize>(node, "axis")?;
    let (x, index) = indexed(cx, node)?;
    let both = [&x, &index].map(|x| cx.ir.full(x));
    scattered(cx, node, axis, both, Some("add"))
}

fn put_along(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let axis = cx.attribute::<usize>(node, "axis")?;
    let (x, index) = indexed(cx, node)?;
    let both = [&x, &index].map(|x| cx.ir.full(x));
    scattered(cx, node, axis, both, None)
}

fn add_axis(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let axis = cx.attribute::<usize>(node, "axis")?;
    let (x, index) = indexed(cx, node)?;
    let mut dims = vec![1; x.dims.len()];
    dims[axis] = x.dims[axis];
    let index = cx.ir.reshape(&index, &dims);
    let index = cx.ir.repeated(&index, &x.dims);
    let both = [&x, &index].map(|x| cx.ir.full(x));
    scattered(cx, node, axis, both, Some("add"))
}
