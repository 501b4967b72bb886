//! Attributes of nodes.

use super::field::{Message, messages};
use super::wire::{Reader, Writer};
use super::{GraphProto, ProtoError, TensorProto, TypeProto};

/// What a node is told beside its operands, with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeProto {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: AttributeValue,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum AttributeValue {
    /// A number.
    Float(f32),
    /// A whole number.
    Int(i64),
    /// A text, which need not be UTF-8.
    String(Vec<u8>),
    /// A tensor.
    Tensor(Box<TensorProto>),
    /// A graph, as the branches of `If` and the body of `Loop`.
    Graph(Box<GraphProto>),
    /// Numbers.
    Floats(Vec<f32>),
    /// Whole numbers.
    Ints(Vec<i64>),
    /// Texts.
    Strings(Vec<Vec<u8>>),
    /// Tensors.
    Tensors(Vec<TensorProto>),
    /// Graphs.
    Graphs(Vec<GraphProto>),
    /// A type.
    Type(Box<TypeProto>),
    /// In a function, the attribute of this name of the node that calls it, of the type of this number.
    Reference(String, i64),
    /// A value of another type, such as a sparse tensor, which is not looked into.
    Other(i64),
}

messages! {
    struct Wire "AttributeProto" [needs name] {
        1 name: String,
        20 kind: i64,
        2 f: Option<f32>,
        3 i: Option<i64>,
        4 s: Option<Vec<u8>>,
        5 t: Option<TensorProto>,
        6 g: Option<GraphProto>,
        14 tp: Option<TypeProto>,
        7 floats: Vec<f32>,
        8 ints: Vec<i64>,
        9 strings: Vec<Vec<u8>>,
        10 tensors: Vec<TensorProto>,
        11 graphs: Vec<GraphProto>,
        21 reference: String,
    }
}

/// Number of the type, and how a value of it is told: the table of `AttributeProto.AttributeType`.
impl AttributeValue {
    /// The number of its type.
    pub fn kind(&self) -> i64 {
        match self {
            AttributeValue::Float(_) => 1,
            AttributeValue::Int(_) => 2,
            AttributeValue::String(_) => 3,
            AttributeValue::Tensor(_) => 4,
            AttributeValue::Graph(_) => 5,
            AttributeValue::Floats(_) => 6,
            AttributeValue::Ints(_) => 7,
            AttributeValue::Strings(_) => 8,
            AttributeValue::Tensors(_) => 9,
            AttributeValue::Graphs(_) => 10,
            AttributeValue::Type(_) => 13,
            AttributeValue::Reference(_, kind) | AttributeValue::Other(kind) => *kind,
        }
    }

    fn of(name: &str, wire: Wire) -> Result<Self, ProtoError> {
        if !wire.reference.is_empty() {
            return Ok(AttributeValue::Reference(wire.reference, wire.kind));
        }
        // Files from before the type was written: what is there tells it.
        let kind = match wire.kind {
            0 if wire.f.is_some() => 1,
            0 if wire.i.is_some() => 2,
            0 if wire.s.is_some() => 3,
            0 if wire.t.is_some() => 4,
            0 if wire.g.is_some() => 5,
            0 if !wire.floats.is_empty() => 6,
            0 if !wire.ints.is_empty() => 7,
            0 if !wire.strings.is_empty() => 8,
            0 if !wire.tensors.is_empty() => 9,
            0 if !wire.graphs.is_empty() => 10,
            kind => kind,
        };
        let none = || ProtoError::Attribute {
            name: name.to_owned(),
            kind,
        };
        Ok(match kind {
            // Writers of proto3 leave zeros out.
            1 => AttributeValue::Float(wire.f.unwrap_or_default()),
            2 => AttributeValue::Int(wire.i.unwrap_or_default()),
            3 => AttributeValue::String(wire.s.unwrap_or_default()),
            4 => AttributeValue::Tensor(Box::new(wire.t.ok_or_else(none)?)),
            5 => AttributeValue::Graph(Box::new(wire.g.ok_or_else(none)?)),
            6 => AttributeValue::Floats(wire.floats),
            7 => AttributeValue::Ints(wire.ints),
            8 => AttributeValue::Strings(wire.strings),
            9 => AttributeValue::Tensors(wire.tensors),
            10 => AttributeValue::Graphs(wire.graphs),
            13 => AttributeValue::Type(Box::new(wire.tp.ok_or_else(none)?)),
            0 => return Err(none()),
            kind => AttributeValue::Other(kind),
        })
    }
}

impl Message for AttributeProto {
    fn read(reader: Reader<'_>) -> Result<Self, ProtoError> {
        let mut wire = Wire::read(reader)?;
        let name = core::mem::take(&mut wire.name);
        let value = AttributeValue::of(&name, wire)?;
        Ok(AttributeProto { name, value })
    }
    fn write(&self, out: &mut Writer) {
        use super::field::Field;
        self.name.put(1, out);
        self.value.kind().put(20, out);
        match &self.value {
            AttributeValue::Float(x) => Some(*x).put(2, out),
            AttributeValue::Int(x) => Some(*x).put(3, out),
            AttributeValue::String(x) => out.bytes(4, x),
            AttributeValue::Tensor(x) => out.inner(5, |out| x.write(out)),
            AttributeValue::Graph(x) => out.inner(6, |out| x.write(out)),
            AttributeValue::Floats(x) => x.put(7, out),
            AttributeValue::Ints(x) => x.put(8, out),
            AttributeValue::Strings(x) => x.put(9, out),
            AttributeValue::Tensors(x) => x.put(10, out),
            AttributeValue::Graphs(x) => x.put(11, out),
            AttributeValue::Type(x) => out.inner(14, |out| x.write(out)),
            AttributeValue::Reference(name, _) => name.put(21, out),
            AttributeValue::Other(_) => {}
        }
    }
}

impl AttributeProto {
    /// A named value.
    pub fn new(name: &str, value: AttributeValue) -> Self {
        AttributeProto {
            name: name.to_owned(),
            value,
        }
    }
}
