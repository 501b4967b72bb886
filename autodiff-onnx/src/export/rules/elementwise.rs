//! Functions of elements.

use super::{Rules, lacks};
use crate::export::OnnxError;
use crate::export::build::Tensor;
use crate::export::ir::Attr;
use crate::export::lower::Lower;
use crate::proto::ElementType;
use autodiff_core::device::record::Node;
use autodiff_core::device::symbolic::Formula;
use autodiff_core::device::{BinaryOp, CompareOp, IntegerOp, Side, UnaryOp};

pub const RULES: Rules = &[
    ("fill", fill),
    ("copy", copy),
    ("cast", cast),
    ("unary", unary),
    ("unary_pullback", unary_pullback),
    ("binary", binary),
    ("binary_pullback", binary_pullback),
    ("compare", compare),
    ("select", select),
    ("integer", integer),
];

fn fill(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let value = cx.attribute::<f64>(node, "value")?;
    let element = cx.result_type(node)?;
    let value = cx.ir.scalar(element, value);
    cx.write(node, 0, &value);
    Ok(())
}

fn copy(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let x = cx.operands(node)?;
    cx.write(node, 0, &x[0]);
    Ok(())
}

fn cast(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let x = cx.operands(node)?;
    let to = cx.result_type(node)?;
    let y = cx.ir.cast(&x[0], to);
    cx.write(node, 0, &y);
    Ok(())
}

fn unary(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<UnaryOp>(node, "op")?;
    let args = cx.args(node);
    let x = cx.operand(node, &args[0])?;
    let y = match op {
        UnaryOp::Celu(alpha) if cx.ir.element(&x) == ElementType::F32 => {
            let alpha = [("alpha", Attr::Float(alpha as f32))];
            vec![cx.ir.unary_with("Celu", &x, &alpha)]
        }
        _ => {
            let y = cx.ir.formula(&op.formula(), &[x]);
            y.map_err(|what| lacks(node, what))?
        }
    };
    cx.write(node, 0, &y[0]);
    Ok(())
}

fn unary_pullback(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<UnaryOp>(node, "op")?;
    formula(cx, node, &op.pullback_formula())
}

/// A formula of the operands before the last two, which are how it is written and where.
fn formula(cx: &mut Lower<'_>, node: &Node, formula: &Formula) -> Result<(), OnnxError> {
    let args = cx.args(node);
    let (read, rest) = args.split_at(formula.inputs);
    let x: Result<Vec<Tensor>, _> = read.iter().map(|a| cx.operand(node, a)).collect();
    let y = cx.ir.formula(formula, &x?);
    let y = y.map_err(|what| lacks(node, what))?;
    cx.write_as(node, 0, &rest[0], &y[0])
}

fn binary(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<BinaryOp>(node, "op")?;
    formula(cx, node, &op.formula())
}

fn binary_pullback(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<BinaryOp>(node, "op")?;
    let side = cx.attribute::<Side>(node, "side")?;
    formula(cx, node, &op.pullback_formula(side))
}

fn compare(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<CompareOp>(node, "op")?;
    let x = cx.operands(node)?;
    let (operator, negated) = match op {
        CompareOp::Eq => ("Equal", false),
        CompareOp::Ne => ("Equal", true),
        CompareOp::Lt => ("Less", false),
        CompareOp::Le => ("LessOrEqual", false),
        CompareOp::Gt => ("Greater", false),
        CompareOp::Ge => ("GreaterOrEqual", false),
    };
    let mut y = cx.ir.compare(operator, &x[0], &x[1]);
    if negated {
        y = cx.ir.not(&y);
    }
    cx.write(node, 0, &y);
    Ok(())
}

fn select(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let args = cx.args(node);
    let mask = cx.operand(node, &args[0])?;
    let (a, b) = (cx.operand(node, &args[1])?, cx.operand(node, &args[2])?);
    let y = cx.ir.choose(&mask, &a, &b);
    cx.write(node, 0, &y);
    Ok(())
}

fn integer(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<IntegerOp>(node, "op")?;
    let x = cx.operands(node)?;
    let (a, b) = (&x[0], &x[1]);
    let y = match op {
        IntegerOp::Add => cx.ir.add(a, b),
        IntegerOp::Sub => cx.ir.sub(a, b),
        IntegerOp::Mul => cx.ir.mul(a, b),
        IntegerOp::Div => cx.ir.div(a, b),
        IntegerOp::Rem => cx.ir.remainder(a, b),
        IntegerOp::Max => cx.ir.binary("Max", a, b),
        IntegerOp::Min => cx.ir.binary("Min", a, b),
    };
    cx.write(node, 0, &y);
    Ok(())
}
