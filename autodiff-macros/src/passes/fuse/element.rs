//! Which operations go element by element.

use crate::ir::region::{Function, Parameter};
use crate::ir::*;
use crate::knowledge::numbers::Op;
use crate::knowledge::tensors as operations;
use syn::{Expr, Lit, UnOp};

/// An elementwise operation: what it computes, of which operands.
#[derive(Clone, Debug)]
pub struct Element {
    pub function: Function,
    pub operands: Vec<Operand>,
}

fn rule(name: &str) -> Option<Function> {
    operations::rule(name).map(|name| Function::Rule(name, Vec::new()))
}

/// The elementwise operation of a definition, where its operands are tensors.
pub fn of(rhs: &Rhs) -> Option<Element> {
    let (function, operands) = match rhs {
        Rhs::Op(op, o) => {
            let number = |i: usize| o.get(i).and_then(literal).map(Parameter::Float);
            match op {
                Op::Add => (Function::Add, &o[..]),
                Op::Sub => (Function::Sub, &o[..]),
                Op::Mul => (Function::Mul, &o[..]),
                Op::Div => (Function::Div, &o[..]),
                Op::Neg => (Function::Neg, &o[..]),
                Op::MulAdd => (Function::MulAdd, &o[..]),
                Op::UnaryIn(name) | Op::UnaryOut(name) => (rule(name)?, &o[..]),
                Op::Binary("powf") => (Function::Rule("powf", vec![number(1)?]), &o[..1]),
                Op::Clamp => (
                    Function::Rule("clamp", vec![number(1)?, number(2)?]),
                    &o[..1],
                ),
                _ => return None,
            }
        }
        Rhs::Powi(x, n) => {
            let Expr::Lit(l) = &n.expr else { return None };
            let Lit::Int(n) = &l.lit else { return None };
            let n = Parameter::Int(n.base10_parse().ok()?);
            return Some(Element {
                function: Function::Rule("powi", vec![n]),
                operands: vec![x.clone()],
            });
        }
        Rhs::Method {
            receiver,
            name,
            turbofish: None,
            args,
        } => {
            let numbers = args
                .iter()
                .map(|a| literal(&a.operand).map(Parameter::Float));
            let numbers = numbers.collect::<Option<Vec<_>>>()?;
            let function = match (name.to_string().as_str(), numbers.len()) {
                (name, 0) => rule(name)?,
                ("leaky_relu", 1) => Function::Rule("leaky_relu", numbers),
                ("elu", 1) => Function::Rule("elu", numbers),
                _ => return None,
            };
            return Some(Element {
                function,
                operands: vec![receiver.operand.clone()],
            });
        }
        _ => return None,
    };
    Some(Element {
        function,
        operands: operands.to_vec(),
    })
}

/// The number that an operand is, written out.
pub fn literal(o: &Operand) -> Option<f64> {
    match o {
        Operand::Native(n) => number(&n.expr),
        Operand::Place { .. } => None,
    }
}

fn number(e: &Expr) -> Option<f64> {
    match e {
        Expr::Paren(p) => number(&p.expr),
        Expr::Group(g) => number(&g.expr),
        Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => number(&u.expr).map(|x| -x),
        Expr::Lit(l) => match &l.lit {
            Lit::Float(x) => x.base10_parse().ok().filter(|x: &f64| x.is_finite()),
            _ => None,
        },
        _ => None,
    }
}
