//! Functions of elements.

use super::{Rules, lacks};
use crate::export::OnnxError;
use crate::export::build::Tensor;
use crate::export::ir::Attr;
use crate::export::lower::Lower;
use crate::proto::ElementType;
use autodiff_core::device::record::Node;
use autodiff_core::device::symbolic::{Formula, Sym};
use autodiff_core::device::{BinaryOp, CompareOp, IntegerOp, Real, Side, UnaryOp};
use autodiff_core::rt::elementwise as table;

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

/// The function as a formula.
fn value_of(op: UnaryOp) -> Formula {
    use UnaryOp::*;
    let one = |f: &dyn Fn(Sym) -> Sym| Formula::record("unary", |[x]: [Sym; 1]| vec![f(x)]);
    macro_rules! chosen {
        ({} [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident $costs:tt $domain:tt;)*]) => {
            match op {
                $($Op => one(&|x| table::$name::value(x)),)*
                Sin => one(&|x| x.sin()),
                Cos => one(&|x| x.cos()),
                Tan => one(&|x| x.tan()),
                Neg => one(&|x| -x),
                Elu(a) => one(&|x| table::elu::value(x, a)),
                Celu(a) => one(&|x| {
                    let a = <Sym as Real>::lit(a);
                    if x > Sym::ZERO { x } else { a * (x / a).exp_m1() }
                }),
                CeluByAlpha(a) => one(&|x| {
                    let z = x / <Sym as Real>::lit(a);
                    if x > Sym::ZERO { Sym::ZERO } else { z.exp_m1() - z * z.exp() }
                }),
                LeakyRelu(s) => one(&|x| table::leaky_relu::value(x, s)),
                Powi(n) => one(&|x| table::powi::value(x, n)),
                Powf(p) => one(&|x| table::powf::value(x, p)),
                Affine(a, b) => one(&|x| <Sym as Real>::lit(a) * x + <Sym as Real>::lit(b)),
                Clamp(low, high) => one(&|x| table::clamp::value(x, low, high)),
            }
        };
    }
    autodiff_vocabulary::functions!(short chosen, {} [numbers shifts activations elements apart flat flat_elements])
}

/// The cotangent of the operand, from what is saved and the cotangent of the value.
fn pullback_of(op: UnaryOp) -> Formula {
    use UnaryOp::*;
    let two = |f: &dyn Fn(Sym, Sym) -> Sym| {
        Formula::record("unary_pullback", |[s, c]: [Sym; 2]| vec![f(s, c)])
    };
    let lit = <Sym as Real>::lit;
    macro_rules! chosen {
        ({}
            [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident $costs:tt $domain:tt;)*]
            [$($(#[$doc0:meta])* $name0:ident $Op0:tt $Rule0:tt $reads0:ident $costs0:tt $domain0:tt;)*]
        ) => {
            match op {
                $($Op => two(&|s, c| table::$name::pull(s, s, c)),)*
                Sin => two(&|x, c| c * x.cos()),
                Cos => two(&|x, c| -c * x.sin()),
                Tan => two(&|y, c| table::tan::pull::<Sym, false>(y, y, c)),
                Neg => two(&|_, c| -c),
                Fract => two(&|_, c| c),
                Affine(a, _) => two(&|_, c| lit(a) * c),
                Elu(a) => two(&|x, c| table::elu::pull(x, x, c, a)),
                Celu(a) => two(&|x, c| if x > Sym::ZERO { c } else { c * (x / lit(a)).exp() }),
                LeakyRelu(s) => two(&|x, c| table::leaky_relu::pull(x, x, c, s)),
                Powi(n) => two(&|x, c| table::powi::pull(x, x, c, n)),
                Powf(p) => two(&|x, c| table::powf::pull(x, x, c, p)),
                Clamp(low, high) => two(&|x, c| table::clamp::pull(x, x, c, low, high)),
                // They are flat; of a derivative there is no pullback to record.
                CeluByAlpha(_) $(| $Op0)* => two(&|_, _| Sym::ZERO),
            }
        };
    }
    autodiff_vocabulary::functions!(short chosen, {} [numbers activations elements apart] [flat flat_elements])
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
            let y = cx.ir.formula(&value_of(op), &[x]);
            y.map_err(|what| lacks(node, what))?
        }
    };
    cx.write(node, 0, &y[0]);
    Ok(())
}

fn unary_pullback(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<UnaryOp>(node, "op")?;
    formula(cx, node, &pullback_of(op))
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
    use BinaryOp::*;
    let op = cx.attribute::<BinaryOp>(node, "op")?;
    let of =
        |f: &dyn Fn(Sym, Sym) -> Sym| Formula::record("binary", |[a, b]: [Sym; 2]| vec![f(a, b)]);
    let value = match op {
        Add => of(&|a, b| a + b),
        Sub => of(&|a, b| a - b),
        Mul => of(&|a, b| a * b),
        Div => of(&|a, b| a / b),
        Powf => of(&|a, b| a.powf(b)),
        Atan2 => of(&|a, b| a.atan2(b)),
        Hypot => of(&|a, b| a.hypot(b)),
        Rem => of(&|a, b| a.remainder(b)),
        Max => of(&|a, b| a.maximum(b)),
        Min => of(&|a, b| a.minimum(b)),
    };
    formula(cx, node, &value)
}

/// What belongs to the first of two numbers, by an order: half on a tie.
fn share(first: bool, tie: bool, ct: Sym) -> Sym {
    if first {
        ct
    } else if tie {
        ct * <Sym as Real>::lit(0.5)
    } else {
        Sym::ZERO
    }
}

fn binary_pullback(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    use {BinaryOp::*, Side::*};
    let op = cx.attribute::<BinaryOp>(node, "op")?;
    let side = cx.attribute::<Side>(node, "side")?;
    let of = |f: &dyn Fn(Sym, Sym, Sym) -> Sym| {
        Formula::record("binary_pullback", |[a, b, c]: [Sym; 3]| vec![f(a, b, c)])
    };
    let zero = Sym::ZERO;
    let pull = match (op, side) {
        (Add, _) | (Sub | Rem, Left) => of(&|_, _, c| c),
        (Sub, Right) => of(&|_, _, c| -c),
        (Mul, Left) => of(&|_, b, c| c * b),
        (Mul, Right) => of(&|a, _, c| c * a),
        (Div, Left) => of(&|_, b, c| c / b),
        (Div, Right) => of(&|a, b, c| -(c / b) * (a / b)),
        (Powf, Left) => of(&|a, b, c| {
            if b == zero {
                zero
            } else {
                c * b * a.powf(b - Sym::ONE)
            }
        }),
        (Powf, Right) => of(&|a, b, c| {
            if a == zero && b >= zero {
                zero
            } else {
                c * a.powf(b) * a.ln()
            }
        }),
        (Atan2, Left) => of(&|a, b, c| c * b / (a * a + b * b)),
        (Atan2, Right) => of(&|a, b, c| -(c * a) / (a * a + b * b)),
        (Hypot, Left) => of(&|a, b, c| {
            let h = a.hypot(b);
            if h == zero { zero } else { c * (a / h) }
        }),
        (Hypot, Right) => of(&|a, b, c| {
            let h = a.hypot(b);
            if h == zero { zero } else { c * (b / h) }
        }),
        (Rem, Right) => of(&|a, b, c| -c * (a / b).trunc()),
        (Max, Left) => of(&|a, b, c| share(a > b, a == b, c)),
        (Max, Right) => of(&|a, b, c| share(b > a, a == b, c)),
        (Min, Left) => of(&|a, b, c| share(a < b, a == b, c)),
        (Min, Right) => of(&|a, b, c| share(b < a, a == b, c)),
    };
    formula(cx, node, &pull)
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
