//! ONNX files as structs: the messages of [`onnx.proto`] that a model is made of, read from bytes and written to them.
//!
//! [`ModelProto::decode`] reads a file and [`ModelProto::encode`] writes one. Fields that are not here (texts of
//! documentation, annotations of quantisation) are passed over. Reading bad bytes gives a [`ProtoError`] that says where: it
//! does not panic, and what it allocates is a small multiple of what it reads.
//!
//! | file | what it has |
//! |---|---|
//! | `wire` | fields with numbers, one behind the other |
//! | `field` | fields by their Rust types; messages as tables |
//! | `model` | models, graphs, nodes, types |
//! | `attribute` | attributes of nodes |
//! | `tensor` | tensors, with their elements as little-endian bytes |
//! | `external` | elements in files of their own |
//!
//! [`onnx.proto`]: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto

mod attribute;
mod error;
mod external;
mod field;
mod model;
mod tensor;
#[cfg(test)]
mod tests;
mod wire;

pub use attribute::{AttributeProto, AttributeValue};
pub use error::ProtoError;
pub use external::External;
pub use model::{
    Dimension, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetId, Property,
    TensorShapeProto, TypeProto, ValueInfoProto,
};
pub use tensor::{ElementType, Elements, TensorProto};
