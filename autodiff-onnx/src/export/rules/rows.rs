//! Softmax and cross-entropy of rows.

use super::Rules;
use crate::export::OnnxError;
use crate::export::ir::Attr;
use crate::export::lower::Lower;
use crate::proto::{ElementType, TensorProto};
use autodiff_core::device::SoftmaxOp;
use autodiff_core::device::record::Node;

pub const RULES: Rules = &[
    ("softmax", softmax),
    ("softmax_pullback", softmax_pullback),
    ("cross_entropy", cross_entropy),
    ("cross_entropy_pullback", cross_entropy_pullback),
];

fn softmax(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<SoftmaxOp>(node, "op")?;
    let x = cx.operands(node)?.remove(0);
    let operator = match op {
        SoftmaxOp::Softmax => "Softmax",
        SoftmaxOp::LogSoftmax => "LogSoftmax",
    };
    let y = cx.ir.along_last(operator, &x);
    cx.write(node, 0, &y);
    Ok(())
}

fn softmax_pullback(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<SoftmaxOp>(node, "op")?;
    let args = cx.args(node);
    let x = cx.operands(node)?;
    let (y, ct) = (&x[0], &x[1]);
    let last = [y.dims.len() - 1];
    let d = match op {
        // y·(ct − Σ ct·y)
        SoftmaxOp::Softmax => {
            let products = cx.ir.mul(ct, y);
            let sum = cx.ir.reduce("ReduceSum", &products, &last);
            let off = cx.ir.sub(ct, &sum);
            cx.ir.mul(y, &off)
        }
        // ct − eʸ·Σ ct
        SoftmaxOp::LogSoftmax => {
            let ct = cx.ir.repeated(ct, &y.dims);
            let sum = cx.ir.reduce("ReduceSum", &ct, &last);
            let powers = cx.ir.unary("Exp", y);
            let share = cx.ir.mul(&powers, &sum);
            cx.ir.sub(&ct, &share)
        }
    };
    cx.write_as(node, 0, &args[2], &d)
}

fn cross_entropy(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let x = cx.operands(node)?;
    let targets = cx.ir.cast(&x[1], ElementType::I64);
    let (x, targets) = (cx.ir.full(&x[0]), cx.ir.full(&targets));
    let x = cx.ir.whole(x);
    let lse = cx.ir.reduce("ReduceLogSumExp", &x, &[1]);
    cx.write(node, 0, &lse);
    let element = cx.ir.element(&x);
    let mean = [("reduction", Attr::Text("mean"))];
    let loss = cx.ir.make(
        "SoftmaxCrossEntropyLoss",
        &[x.id, targets],
        &mean,
        element,
        &[],
    );
    let loss = cx.ir.whole(loss);
    cx.write(node, 1, &loss);
    Ok(())
}

/// `ct/rows · (softmax(x) − onehot(target))`
fn cross_entropy_pullback(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let args = cx.args(node);
    let all = cx.operands(node)?;
    let (x, ct) = (&all[0], &all[3]);
    let targets = cx.ir.cast(&all[1], ElementType::I64);
    let (rows, classes) = (x.dims[0], x.dims[1]);
    let element = cx.ir.element(x);
    let share = cx.ir.along_last("Softmax", x);
    let targets = cx.ir.full(&targets);
    let depth = cx.ir.constant(TensorProto::new("", &[], &[classes as i64]));
    let values = cx.ir.numbers(element, &[2], &[0.0, 1.0]).id;
    let hot = cx.ir.make(
        "OneHot",
        &[targets, depth, values],
        &[],
        element,
        &x.dims.clone(),
    );
    let hot = cx.ir.whole(hot);
    let off = cx.ir.sub(&share, &hot);
    let part = cx.ir.scaled(ct, 1.0 / rows as f64);
    let d = cx.ir.mul(&off, &part);
    cx.write_as(node, 0, &args[4], &d)
}
