//! Fused regions: the steps of their formulas.

use super::{Rules, lacks};
use crate::export::OnnxError;
use crate::export::build::Tensor;
use crate::export::lower::{Arg, Lower};
use autodiff_core::device::Dims;
use autodiff_core::device::record::{Node, RegionAttr};
use autodiff_core::device::symbolic::Formula;

pub const RULES: Rules = &[
    ("region", region),
    ("region_pullback", region_pullback),
    ("region_sum", region_sum),
    ("region_along", region_along),
    ("region_pushforward", region_pushforward),
];

fn formula(
    cx: &mut Lower<'_>,
    node: &Node,
    formula: &Formula,
    x: &[Tensor],
) -> Result<Vec<Tensor>, OnnxError> {
    let element = cx.result_type(node)?;
    let y = cx.ir.formula_of(formula, element, x);
    y.map_err(|what| lacks(node, what))
}

fn operands(cx: &mut Lower<'_>, node: &Node, args: &[Arg]) -> Result<Vec<Tensor>, OnnxError> {
    args.iter().map(|a| cx.operand(node, a)).collect()
}

fn region(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let region = cx.attribute::<RegionAttr>(node, "region")?.formulas();
    let args = cx.args(node);
    let x = operands(cx, node, &args[..region.value.inputs])?;
    let y = formula(cx, node, &region.value, &x)?;
    cx.write(node, 0, &y[0]);
    Ok(())
}

/// Writes cotangents of elements of sizes `dims`, summed over the axes that an operand lacks.
fn give(cx: &mut Lower<'_>, node: &Node, to: &[Arg], cts: &[Tensor], dims: &[usize]) {
    for (to, ct) in to.iter().zip(cts) {
        let Arg::Result(k) = *to else { continue };
        let own = cx.result_dims(node, k);
        let mut kept = vec![1; dims.len() - own.len()];
        kept.extend(own);
        let all = cx.ir.repeated(ct, dims);
        let sum = cx.ir.sum_to(&all, &kept);
        cx.write(node, k, &sum);
    }
}

fn region_pullback(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let pullback = cx
        .attribute::<RegionAttr>(node, "region")?
        .formulas()
        .pullback;
    let dims = cx.attribute::<Dims>(node, "dims")?.to_vec();
    let args = cx.args(node);
    let n = pullback.inputs - 2;
    let mut x = operands(cx, node, &args[..n])?;
    x.push(match &args[n] {
        Arg::Absent => {
            let element = cx.result_type(node)?;
            cx.ir.scalar(element, 0.0)
        }
        y => cx.operand(node, y)?,
    });
    x.push(match &args[n + 1] {
        // It lies where the first cotangent of its sizes will be.
        Arg::Output => {
            let all = 0..node.results().len();
            let at = all.into_iter().find(|&k| cx.result_dims(node, k) == dims);
            cx.before(node, at.unwrap_or(0))?
        }
        ct => cx.operand(node, ct)?,
    });
    let cts = formula(cx, node, &pullback, &x)?;
    give(cx, node, &args[n + 2..], &cts, &dims);
    Ok(())
}

fn region_sum(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let region = cx.attribute::<RegionAttr>(node, "region")?.formulas();
    let dims = cx.attribute::<Dims>(node, "dims")?.to_vec();
    let args = cx.args(node);
    let n = region.value.inputs;
    let mut x = operands(cx, node, &args[..n])?;
    let y = formula(cx, node, &region.value, &x)?.remove(0);
    let all = cx.ir.repeated(&y, &dims);
    let sum = cx.ir.sum_to(&all, &vec![1; dims.len()]);
    cx.write(node, 0, &sum);
    if args[n + 1..].iter().any(|a| matches!(a, Arg::Result(_))) {
        let element = cx.result_type(node)?;
        x.extend([y, cx.ir.scalar(element, 1.0)]);
        let slopes = formula(cx, node, &region.pullback, &x)?;
        give(cx, node, &args[n + 1..], &slopes, &dims);
    }
    Ok(())
}

fn region_along(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let value = cx.attribute::<RegionAttr>(node, "region")?.formulas().value;
    let dims = cx.attribute::<Dims>(node, "dims")?.to_vec();
    let axis = cx.attribute::<usize>(node, "axis")?;
    let args = cx.args(node);
    let x = operands(cx, node, &args[..value.inputs])?;
    let y = formula(cx, node, &value, &x)?;
    let all = cx.ir.repeated(&y[0], &dims);
    let sum = cx.ir.reduce("ReduceSum", &all, &[axis]);
    cx.write(node, 0, &sum);
    Ok(())
}

fn region_pushforward(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let pushforward = cx
        .attribute::<RegionAttr>(node, "region")?
        .formulas()
        .pushforward;
    let args = cx.args(node);
    let x = operands(cx, node, &args[..pushforward.inputs])?;
    let y = formula(cx, node, &pushforward, &x)?;
    cx.write(node, 0, &y[0]);
    Ok(())
}
