//! Regions as formulas, for people.

use crate::ir::region::{Function, Parameter};
use crate::ir::region::{Region, Total, Value};

impl Region {
    /// What the region computes of inputs with these names: `sum(gelu(x * w + b))`.
    pub fn formula(&self, inputs: &[String]) -> String {
        let mut texts: Vec<(String, u8)> = Vec::new();
        for n in &self.nodes {
            let text = |o: &Value| match o {
                Value::Input(k) => (inputs[*k].clone(), 3),
                Value::Node(i) => texts[*i].clone(),
                Value::Literal(x) => (x.to_string(), 3),
            };
            let operands: Vec<(String, u8)> = n.operands.iter().map(text).collect();
            // In parentheses where the operand binds less tightly.
            let at = |k: usize, level: u8| match &operands[k] {
                (text, own) if *own < level => format!("({text})"),
                (text, _) => text.clone(),
            };
            texts.push(match &n.function {
                Function::Add => (format!("{} + {}", at(0, 1), at(1, 1)), 1),
                Function::Sub => (format!("{} - {}", at(0, 1), at(1, 2)), 1),
                Function::Mul => (format!("{} * {}", at(0, 2), at(1, 3)), 2),
                Function::Div => (format!("{} / {}", at(0, 2), at(1, 3)), 2),
                Function::Neg => (format!("-{}", at(0, 3)), 2),
                Function::MulAdd => (format!("{} * {} + {}", at(0, 2), at(1, 3), at(2, 1)), 1),
                Function::Rule(name, parameters) => {
                    let parameters = parameters.iter().map(|p| match p {
                        Parameter::Float(x) => format!(", {x}"),
                        Parameter::Int(n) => format!(", {n}"),
                    });
                    let parameters: String = parameters.collect();
                    (format!("{name}({}{parameters})", operands[0].0), 3)
                }
            });
        }
        let value = texts.pop().map(|t| t.0).unwrap_or_default();
        match self.total {
            None => value,
            Some(Total { mean, axis }) => {
                let name = if mean { "mean" } else { "sum" };
                match axis {
                    None => format!("{name}({value})"),
                    Some(axis) => format!("{name}({value}, axis {})", axis.index),
                }
            }
        }
    }

    /// The number of operations of the user's.
    pub fn len(&self) -> usize {
        self.nodes.len() + usize::from(self.total.is_some())
    }
}
