//! The list as text, and as data.

use crate::Tape;
use crate::node::{Node, Place};
use core::fmt;
use std::rc::Rc;

/// What a tape knows of an operation: see [`Tape::operations`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// The name of the result: the one that the program gave, or its number.
    pub name: String,
    /// The name of the operation.
    pub operation: &'static str,
    /// The names of the arguments: of results and variables; a constant is `_`.
    pub inputs: Vec<String>,
    /// The type of the result, without paths.
    pub type_name: String,
}

impl fmt::Display for Noted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inputs = self.inputs.join(", ");
        let (name, operation) = (&self.name, self.operation);
        write!(f, "{name}: {} = {operation}({inputs})", self.type_name)
    }
}

/// A type without the paths of its parts.
fn without_paths(name: &str) -> String {
    let mut short = String::new();
    let mut part = String::new();
    for c in name.chars() {
        match c {
            ':' => part.clear(),
            c if c.is_alphanumeric() || c == '_' => part.push(c),
            c => {
                short.push_str(&part);
                part.clear();
                short.push(c);
            }
        }
    }
    short + &part
}

impl Tape {
    /// The operations, in the order in which they ran.
    ///
    /// ```
    /// use differentiable::tape::Tape;
    ///
    /// let tape = Tape::new();
    /// let (a, b) = (tape.var(2.0f64).named("a"), tape.var(3.0f64).named("b"));
    /// let c = (&a * &b).named("c");
    /// let d = c.sin() + 1.0;
    /// assert_eq!(tape.to_string(), "c: f64 = *(a, b)\n%1: f64 = sin(c)\n%2: f64 = +(%1, _)\n");
    /// ```
    pub fn operations(&self) -> Vec<Noted> {
        let nodes = self.nodes();
        let mut variables: Vec<Rc<dyn Node>> = Vec::new();
        let mut name = |place: &Place| match place {
            Place::Constant => "_".to_owned(),
            Place::Operation { index, .. } => {
                nodes[*index].name().unwrap_or_else(|| format!("%{index}"))
            }
            Place::Leaf(leaf) => leaf.name().unwrap_or_else(|| {
                let known = variables.iter().position(|v| Rc::ptr_eq(v, leaf));
                let number = known.unwrap_or_else(|| {
                    variables.push(leaf.clone());
                    variables.len() - 1
                });
                format!("x{number}")
            }),
        };
        let noted = nodes.iter().enumerate().map(|(index, node)| Noted {
            name: node.name().unwrap_or_else(|| format!("%{index}")),
            operation: node.operation(),
            inputs: node.inputs().iter().map(&mut name).collect(),
            type_name: without_paths(node.type_name()),
        });
        noted.collect()
    }
}

/// An operation a line.
impl fmt::Display for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.operations()
            .iter()
            .try_for_each(|noted| writeln!(f, "{noted}"))
    }
}
