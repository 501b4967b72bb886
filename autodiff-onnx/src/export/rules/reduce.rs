//! Sums, extremes, folds, running sums, sorting.

use super::Rules;
use crate::export::OnnxError;
use crate::export::build::Tensor;
use crate::export::ir::Attr;
use crate::export::lower::Lower;
use crate::proto::{ElementType, TensorProto};
use autodiff_core::device::record::Node;
use autodiff_core::device::{ArgOp, FoldOp, ReduceOp, ScanOp, SortOrder};

pub const RULES: Rules = &[
    ("reduce", reduce),
    ("extreme_pullback", extreme_pullback),
    ("fold", fold),
    ("fold_pullback", fold_pullback),
    ("scan", scan),
    ("argsort", argsort),
    ("arg_reduce", arg_reduce),
    ("count", count),
    ("integer_sum", count),
    ("triangle", triangle),
];

/// The axes along which a result of a node has size 1 and `x` has not.
fn reduced(x: &Tensor, dims: &[usize]) -> Vec<usize> {
    (0..dims.len())
        .filter(|&i| dims[i] == 1 && x.dims[i] != 1)
        .collect()
}

fn reduce(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<ReduceOp>(node, "op")?;
    let args = cx.args(node);
    let x = cx.operand(node, &args[0])?;
    let axes = reduced(&x, &cx.result_dims(node, 0));
    let operator = match op {
        ReduceOp::Sum => "ReduceSum",
        ReduceOp::Mean => "ReduceMean",
        ReduceOp::Max => "ReduceMax",
        ReduceOp::Min => "ReduceMin",
    };
    let y = match axes.is_empty() {
        true => x,
        false => cx.ir.reduce(operator, &x, &axes),
    };
    cx.write_as(node, 0, &args[1], &y)
}

fn extreme_pullback(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let args = cx.args(node);
    let x = cx.operands(node)?;
    let (x, y, ct) = (&x[0], &x[1], &x[2]);
    let equal = cx.ir.compare("Equal", x, y);
    let equals = cx.ir.cast(&equal, cx.ir.element(x));
    let hits = cx.ir.sum_to(&equals, &y.dims);
    let share = cx.ir.div(ct, &hits);
    let d = cx.ir.mul(&equals, &share);
    cx.write_as(node, 0, &args[3], &d)
}

/// A fold of all elements, which repeat as they do, along axes.
fn folded(cx: &mut Lower<'_>, operator: &'static str, x: &Tensor, axes: &[usize]) -> Tensor {
    let id = cx.ir.full(x);
    let x = cx.ir.whole(id);
    cx.ir.reduce(operator, &x, axes)
}

/// How many elements become one.
fn count_of(x: &Tensor, axes: &[usize]) -> f64 {
    axes.iter().map(|&a| x.dims[a]).product::<usize>() as f64
}

/// The distances from the mean.
fn off_mean(cx: &mut Lower<'_>, x: &Tensor, axes: &[usize]) -> Tensor {
    let mean = cx.ir.reduce("ReduceMean", x, axes);
    cx.ir.sub(x, &mean)
}

/// A norm that is an extreme.
fn infinite(node: &Node) -> OnnxError {
    OnnxError::of(
        node,
        "a norm of an infinite power; use `x.abs().max_axis()`",
    )
}

fn fold(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<FoldOp>(node, "op")?;
    let x = cx.operands(node)?.remove(0);
    let axes = reduced(&x, &cx.result_dims(node, 0));
    let y = match op {
        FoldOp::Prod => folded(cx, "ReduceProd", &x, &axes),
        FoldOp::Norm(2.0) => folded(cx, "ReduceL2", &x, &axes),
        FoldOp::Norm(1.0) => folded(cx, "ReduceL1", &x, &axes),
        FoldOp::LogSumExp => folded(cx, "ReduceLogSumExp", &x, &axes),
        FoldOp::Norm(p) if p.is_infinite() => return Err(infinite(node)),
        FoldOp::Norm(p) => {
            let size = cx.ir.unary("Abs", &x);
            let power = cx.ir.power(&size, p);
            let sum = cx.ir.reduce("ReduceSum", &power, &axes);
            cx.ir.power(&sum, 1.0 / p)
        }
        FoldOp::Var(correction) | FoldOp::Std(correction) => {
            let off = off_mean(cx, &x, &axes);
            let squares = cx.ir.mul(&off, &off);
            let squares = cx.ir.repeated(&squares, &x.dims);
            let sum = cx.ir.reduce("ReduceSum", &squares, &axes);
            let free = cx
                .ir
                .scalar(cx.ir.element(&x), count_of(&x, &axes) - correction);
            let variance = cx.ir.div(&sum, &free);
            match op {
                FoldOp::Std(_) => cx.ir.unary("Sqrt", &variance),
                _ => variance,
            }
        }
    };
    cx.write(node, 0, &y);
    Ok(())
}

fn fold_pullback(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<FoldOp>(node, "op")?;
    let x = cx.operands(node)?;
    let (x, y, ct) = (&x[0], &x[1], &x[2]);
    let axes = reduced(x, &y.dims);
    let element = cx.ir.element(x);
    let zero = cx.ir.scalar(element, 0.0);
    // 0 where the value is 0.
    let quotient = |cx: &mut Lower<'_>, a: &Tensor, b: &Tensor| {
        let none = cx.ir.compare("Equal", b, &zero);
        let q = cx.ir.div(a, b);
        cx.ir.choose(&none, &zero, &q)
    };
    let slope = match op {
        FoldOp::Prod => {
            return Err(OnnxError::of(
                node,
                "the derivative of a product with zeros in it has no operator; write it as `x.ln().sum().exp()`, or without its gradient",
            ));
        }
        FoldOp::Var(correction) => {
            let off = off_mean(cx, x, &axes);
            let free = cx
                .ir
                .scalar(element, (count_of(x, &axes) - correction) / 2.0);
            cx.ir.div(&off, &free)
        }
        FoldOp::Std(correction) => {
            let off = off_mean(cx, x, &axes);
            let free = cx.ir.scalar(element, count_of(x, &axes) - correction);
            let spread = cx.ir.mul(y, &free);
            quotient(cx, &off, &spread)
        }
        FoldOp::Norm(2.0) => quotient(cx, x, y),
        FoldOp::Norm(1.0) => cx.ir.unary("Sign", x),
        FoldOp::Norm(p) if p.is_infinite() => return Err(infinite(node)),
        FoldOp::Norm(p) => {
            let size = cx.ir.unary("Abs", x);
            let ratio = quotient(cx, &size, y);
            let power = cx.ir.power(&ratio, p - 1.0);
            let sign = cx.ir.unary("Sign", x);
            let none = cx.ir.compare("Equal", x, &zero);
            let slope = cx.ir.mul(&sign, &power);
            cx.ir.choose(&none, &zero, &slope)
        }
        FoldOp::LogSumExp => {
            let off = cx.ir.sub(x, y);
            cx.ir.unary("Exp", &off)
        }
    };
    let d = cx.ir.mul(ct, &slope);
    cx.write(node, 0, &d);
    Ok(())
}

fn scan(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<ScanOp>(node, "op")?;
    let x = cx.operands(node)?.remove(0);
    let id = cx.ir.full(&x);
    let (element, dims) = (cx.ir.element(&x), x.dims.clone());
    let last = dims.len() - 1;
    let y = if op == ScanOp::Prod {
        // Products of 1, 2, 4, .. elements.
        let mut y = cx.ir.whole(id);
        let mut reach = 1;
        while reach < dims[last] {
            let before = cx.ir.narrow(&y, last, 0, dims[last] - reach);
            let mut pads = vec![0; 2 * dims.len()];
            pads[last] = reach as i64;
            let (pads, one) = (cx.ir.sizes(&pads), cx.ir.scalar(element, 1.0));
            let moved = cx
                .ir
                .make("Pad", &[before.id, pads, one.id], &[], element, &dims);
            let moved = cx.ir.whole(moved);
            y = cx.ir.mul(&y, &moved);
            reach *= 2;
        }
        y
    } else {
        let axis = cx.ir.constant(TensorProto::new("", &[], &[last as i64]));
        let reverse = [("reverse", Attr::Int(1))];
        let attributes: &[_] = if op == ScanOp::SumFromEnd {
            &reverse
        } else {
            &[]
        };
        let id = cx
            .ir
            .make("CumSum", &[id, axis], attributes, element, &dims);
        cx.ir.whole(id)
    };
    cx.write(node, 0, &y);
    Ok(())
}

/// Of a type that operators order.
fn ordered(cx: &mut Lower<'_>, x: &Tensor) -> Tensor {
    let element = cx.ir.element(x);
    let to = match element {
        ElementType::F32 | ElementType::F64 => element,
        other if other.is_float() => ElementType::F32,
        _ => ElementType::I64,
    };
    let x = cx.ir.cast(x, to);
    let id = cx.ir.full(&x);
    cx.ir.whole(id)
}

fn argsort(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let order = cx.attribute::<SortOrder>(node, "order")?;
    let x = cx.operands(node)?.remove(0);
    let x = ordered(cx, &x);
    let dims = cx.result_dims(node, 0);
    let k = cx.ir.sizes(&[dims[dims.len() - 1] as i64]);
    let largest = Attr::Int(i64::from(order == SortOrder::Descending));
    let attributes = [
        ("axis", Attr::Int(-1)),
        ("largest", largest),
        ("sorted", Attr::Int(1)),
    ];
    let outputs = [(cx.ir.element(&x), &dims[..]), (ElementType::I64, &dims)];
    let made = cx
        .ir
        .node("TopK", &[Some(x.id), Some(k)], &attributes, &outputs);
    let y = cx.ir.whole(made[1]);
    cx.write(node, 0, &y);
    Ok(())
}

fn arg_reduce(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<ArgOp>(node, "op")?;
    let x = cx.operands(node)?.remove(0);
    let x = ordered(cx, &x);
    let operator = match op {
        ArgOp::Max => "ArgMax",
        ArgOp::Min => "ArgMin",
    };
    let attributes = [("axis", Attr::Int(-1)), ("keepdims", Attr::Int(1))];
    let dims = cx.result_dims(node, 0);
    let id = cx
        .ir
        .make(operator, &[x.id], &attributes, ElementType::I64, &dims);
    let y = cx.ir.whole(id);
    cx.write(node, 0, &y);
    Ok(())
}

/// The sum of integers, or of truth values as integers.
fn count(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let x = cx.operands(node)?.remove(0);
    let x = cx.ir.cast(&x, ElementType::I64);
    let axes = reduced(&x, &cx.result_dims(node, 0));
    let y = match axes.is_empty() {
        true => x,
        false => cx.ir.reduce("ReduceSum", &x, &axes),
    };
    cx.write(node, 0, &y);
    Ok(())
}

fn triangle(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let upper = cx.attribute::<bool>(node, "upper")?;
    let k = cx.attribute::<isize>(node, "k")?;
    let x = cx.before(node, 0)?;
    let element = cx.ir.element(&x);
    // Of the types that onnxruntime has.
    let wide = if matches!(element, ElementType::F32 | ElementType::F64) {
        element
    } else {
        ElementType::I64
    };
    let x = cx.ir.cast(&x, wide);
    let id = cx.ir.full(&x);
    let k = cx.ir.constant(TensorProto::new("", &[], &[k as i64]));
    let attributes = [("upper", Attr::Int(i64::from(upper)))];
    let id = cx.ir.make("Trilu", &[id, k], &attributes, wide, &x.dims);
    let y = cx.ir.whole(id);
    let y = cx.ir.cast(&y, element);
    cx.write(node, 0, &y);
    Ok(())
}
