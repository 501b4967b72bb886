//! The model while it is made: values with their sizes, and nodes. Equal nodes are one, and what depends on constants alone
//! is not a node where it is a matter of a few numbers.

use crate::proto::{ElementType, TensorProto};
use std::collections::HashMap;
use std::sync::Arc;

/// The number of a value.
pub type Id = usize;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum From {
    /// Each run is given it, under this name.
    Input(Arc<str>),
    /// It is held by the model, under this name: a variable of the recording.
    Variable(Arc<str>, Arc<TensorProto>),
    /// Numbers of the program, or sizes.
    Constant(Arc<TensorProto>),
    /// A result of a node.
    Node(usize),
}

/// A value.
#[derive(Clone, Debug)]
pub struct Value {
    pub element: ElementType,
    pub dims: Vec<usize>,
    pub from: From,
}

/// An attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Attr {
    Int(i64),
    Ints(Vec<i64>),
    Float(f32),
    Text(&'static str),
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    pub operator: &'static str,
    /// None where an operand is left out.
    pub inputs: Vec<Option<Id>>,
    /// None where a result is not wanted.
    pub outputs: Vec<Option<Id>>,
    pub attributes: Vec<(&'static str, Attr)>,
    /// The names of the functions that it was recorded in.
    pub scope: Arc<str>,
    /// The line of the program.
    pub location: &'static core::panic::Location<'static>,
}

/// All of it.
#[derive(Clone, Debug)]
pub struct Ir {
    pub values: Vec<Value>,
    pub nodes: Vec<Node>,
    made: HashMap<String, Vec<Id>>,
    constants: HashMap<(ElementType, Vec<usize>, Vec<u8>), Id>,
    /// Of the operation that is written now.
    pub scope: Arc<str>,
    pub location: &'static core::panic::Location<'static>,
}

impl Ir {
    #[track_caller]
    pub fn new() -> Self {
        Ir {
            values: Vec::new(),
            nodes: Vec::new(),
            made: HashMap::new(),
            constants: HashMap::new(),
            scope: "".into(),
            location: core::panic::Location::caller(),
        }
    }

    pub fn value(&mut self, element: ElementType, dims: &[usize], from: From) -> Id {
        self.values.push(Value {
            element,
            dims: dims.to_vec(),
            from,
        });
        self.values.len() - 1
    }

    pub fn dims(&self, id: Id) -> &[usize] {
        &self.values[id].dims
    }

    /// A constant; equal ones are one.
    pub fn constant(&mut self, tensor: TensorProto) -> Id {
        let crate::proto::Elements::Bytes(bytes) = &tensor.elements else {
            unreachable!("constants are made of numbers")
        };
        let (element, dims) = (tensor.element_type, tensor.dims.clone());
        // Large ones are parameters of the program, which it has once.
        let key = (bytes.len() <= 4096).then(|| (element, dims.clone(), bytes.clone()));
        if let Some(&id) = key.as_ref().and_then(|key| self.constants.get(key)) {
            return id;
        }
        let id = self.value(element, &dims, From::Constant(Arc::new(tensor)));
        if let Some(key) = key {
            self.constants.insert(key, id);
        }
        id
    }

    /// The tensor, if it is a constant.
    pub fn known(&self, id: Id) -> Option<&Arc<TensorProto>> {
        match &self.values[id].from {
            From::Constant(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// The number, if it is a constant of one element.
    pub fn number(&self, id: Id) -> Option<f64> {
        let tensor = self
            .known(id)
            .filter(|t| t.dims.iter().product::<usize>() == 1)?;
        tensor.to_vec::<f64>().ok()?.first().copied()
    }

    /// The node that makes a value.
    pub fn maker(&self, id: Id) -> Option<&Node> {
        match self.values[id].from {
            From::Node(node) => Some(&self.nodes[node]),
            _ => None,
        }
    }

    /// A node, or one like it that is there.
    pub fn node(
        &mut self,
        operator: &'static str,
        inputs: &[Option<Id>],
        attributes: &[(&'static str, Attr)],
        outputs: &[(ElementType, &[usize])],
    ) -> Vec<Id> {
        let types: Vec<_> = outputs.iter().map(|o| o.0).collect();
        let key = format!("{operator} {inputs:?} {attributes:?} {types:?}");
        if let Some(made) = self.made.get(&key) {
            return made.clone();
        }
        let number = self.nodes.len();
        let made: Vec<Id> = outputs
            .iter()
            .map(|(element, dims)| self.value(*element, dims, From::Node(number)))
            .collect();
        self.nodes.push(Node {
            operator,
            inputs: inputs.to_vec(),
            outputs: made.iter().copied().map(Some).collect(),
            attributes: attributes.to_vec(),
            scope: Arc::clone(&self.scope),
            location: self.location,
        });
        self.made.insert(key, made.clone());
        made
    }
}

impl Node {
    pub fn attribute(&self, name: &str) -> Option<&Attr> {
        self.attributes.iter().find(|a| a.0 == name).map(|a| &a.1)
    }
}
