//! Models, graphs, nodes and types.

use super::field::{Message, messages};
use super::wire::{Reader, Writer};
use super::{AttributeProto, ElementType, ProtoError, TensorProto};

messages! {
    /// A model: a graph, and the versions of the operators that it is made of.
    pub struct ModelProto "ModelProto" {
        /// The version of the format.
        1 ir_version: i64,
        /// The versions of the operators, by domain.
        8 opset_import: Vec<OperatorSetId>,
        /// The program that wrote it.
        2 producer_name: String,
        /// The version of that program.
        3 producer_version: String,
        /// The name space of the model.
        4 domain: String,
        /// The version of the model.
        5 model_version: i64,
        /// What it is for.
        6 doc_string: String,
        /// The graph.
        7 graph: Option<GraphProto>,
        /// Other texts.
        14 metadata_props: Vec<Property>,
        /// Operators that are defined by graphs of others.
        25 functions: Vec<FunctionProto>,
    }

    /// The version of the operators of a domain.
    pub struct OperatorSetId "OperatorSetIdProto" {
        /// The domain; empty for that of ONNX.
        1 domain: String,
        /// The version.
        2 version: i64,
    }

    /// A text with its name.
    pub struct Property "StringStringEntryProto" {
        /// Its name.
        1 key: String,
        /// The text.
        2 value: String,
    }

    /// Nodes, each behind those whose results it reads, and what comes in and out.
    pub struct GraphProto "GraphProto" {
        /// The nodes.
        1 node: Vec<NodeProto>,
        /// Its name.
        2 name: String,
        /// Tensors that it holds.
        5 initializer: Vec<TensorProto>,
        /// What it is given. Old files list the initialisers here too.
        11 input: Vec<ValueInfoProto>,
        /// What it gives.
        12 output: Vec<ValueInfoProto>,
        /// The types of values between.
        13 value_info: Vec<ValueInfoProto>,
    }

    /// An operation.
    pub struct NodeProto "NodeProto" [needs op_type] {
        /// The names of the values that it reads; empty for one that is left out.
        1 input: Vec<String>,
        /// The names of the values that it makes; empty for one that nobody wants.
        2 output: Vec<String>,
        /// Its name.
        3 name: String,
        /// The operator.
        4 op_type: String,
        /// The domain of the operator; empty for that of ONNX.
        7 domain: String,
        /// What it is told beside its operands.
        5 attribute: Vec<AttributeProto>,
    }

    /// An operator that is defined by a graph of others.
    pub struct FunctionProto "FunctionProto" [needs name] {
        /// Its name.
        1 name: String,
        /// Its domain.
        10 domain: String,
        /// The names of its operands.
        4 input: Vec<String>,
        /// The names of its results.
        5 output: Vec<String>,
        /// The names of its attributes that have no default.
        6 attribute: Vec<String>,
        /// Those that have one.
        11 attribute_proto: Vec<AttributeProto>,
        /// The nodes.
        7 node: Vec<NodeProto>,
        /// The versions of the operators that it is made of.
        9 opset_import: Vec<OperatorSetId>,
    }

    /// A value with its type.
    pub struct ValueInfoProto "ValueInfoProto" [needs name] {
        /// Its name.
        1 name: String,
        /// Its type, if it is known.
        2 r#type: Option<TypeProto>,
    }

    struct TensorTypeWire "TypeProto.Tensor" {
        1 elem_type: i64,
        2 shape: Option<TensorShapeProto>,
    }

    /// The axes of a tensor.
    pub struct TensorShapeProto "TensorShapeProto" {
        /// Their sizes.
        1 dim: Vec<Dimension>,
    }

    struct DimensionWire "TensorShapeProto.Dimension" {
        1 dim_value: Option<i64>,
        2 dim_param: String,
    }
}

/// The size of an axis.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// It is the same in each run.
    Value(i64),
    /// Each run may have another; axes of the same name have the same size.
    Param(String),
    /// Nothing is known.
    #[default]
    Unknown,
}

impl Message for Dimension {
    fn read(reader: Reader<'_>) -> Result<Self, ProtoError> {
        let wire = DimensionWire::read(reader)?;
        Ok(match wire.dim_value {
            Some(value) => Dimension::Value(value),
            None if wire.dim_param.is_empty() => Dimension::Unknown,
            None => Dimension::Param(wire.dim_param),
        })
    }
    fn write(&self, out: &mut Writer) {
        let mut wire = DimensionWire::default();
        match self {
            Dimension::Value(value) => wire.dim_value = Some(*value),
            Dimension::Param(name) => wire.dim_param = name.clone(),
            Dimension::Unknown => {}
        }
        wire.write(out);
    }
}

/// The type of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeProto {
    /// A tensor.
    Tensor {
        /// Its elements.
        elem_type: ElementType,
        /// Its axes, if their number is known.
        shape: Option<TensorShapeProto>,
    },
    /// A sequence, a map, an optional value or a sparse tensor, which are not looked into.
    Other,
}

impl Message for TypeProto {
    fn read(mut reader: Reader<'_>) -> Result<Self, ProtoError> {
        let mut read = TypeProto::Other;
        while let Some(tag) = reader.tag("TypeProto")? {
            if tag.field == 1 {
                let tensor: TensorTypeWire = super::field::message(tag, &mut reader)?;
                read = TypeProto::Tensor {
                    elem_type: ElementType::from_number(tensor.elem_type),
                    shape: tensor.shape,
                };
            } else {
                reader.skip(tag)?;
            }
        }
        Ok(read)
    }
    fn write(&self, out: &mut Writer) {
        if let TypeProto::Tensor { elem_type, shape } = self {
            let wire = TensorTypeWire {
                elem_type: elem_type.number(),
                shape: shape.clone(),
            };
            out.inner(1, |out| wire.write(out));
        }
    }
}

impl ModelProto {
    /// Reads a file.
    ///
    /// # Errors
    /// Where the bytes are no model: truncated, of wrong wire types, nested too deeply, with tensors whose elements do not fit
    /// their sizes.
    pub fn decode(bytes: &[u8]) -> Result<Self, ProtoError> {
        ModelProto::read(Reader::new(bytes))
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// If there are more than protobuf can hold: 2 GiB.
    pub fn encode(&self) -> Result<Vec<u8>, ProtoError> {
        let mut out = Writer::default();
        self.write(&mut out);
        match i32::try_from(out.out.len()) {
            Ok(_) => Ok(out.out),
            Err(_) => Err(ProtoError::TooLarge {
                bytes: out.out.len(),
            }),
        }
    }

    /// The version of the operators of ONNX that it uses, if it says so.
    pub fn opset(&self) -> Option<i64> {
        let own = |set: &&OperatorSetId| set.domain.is_empty() || set.domain == "ai.onnx";
        self.opset_import.iter().find(own).map(|set| set.version)
    }
}

impl NodeProto {
    /// The value of one of its attributes.
    pub fn attribute(&self, name: &str) -> Option<&super::AttributeValue> {
        let named = self.attribute.iter().find(|a| a.name == name);
        named.map(|a| &a.value)
    }
}
