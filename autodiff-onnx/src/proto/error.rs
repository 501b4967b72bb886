//! What is wrong with a file.

use std::path::PathBuf;

/// Why bytes are no ONNX model that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProtoError {
    /// The file ends inside something.
    #[error("truncated at byte {at}: expected {expected} more, found {found}")]
    Truncated {
        /// Where that begins.
        at: usize,
        /// How many bytes it has.
        expected: usize,
        /// How many bytes there are.
        found: usize,
    },
    /// Something is longer than the message that it is in.
    #[error("the field at byte {at} has {length} bytes, its message has {room} left")]
    Length {
        /// Where its contents begin.
        at: usize,
        /// Its length.
        length: u64,
        /// The bytes that are left of the message around it.
        room: usize,
    },
    /// A number that does not end.
    #[error("the number at byte {at} has more than 64 bits")]
    Varint {
        /// Where it begins.
        at: usize,
    },
    /// A field of another kind than ONNX says.
    #[error(
        "field {field} of {message} at byte {at} has the wire type {found}, expected {expected}"
    )]
    WireType {
        /// The message that has it.
        message: &'static str,
        /// Its number.
        field: u32,
        /// Where its contents begin.
        at: usize,
        /// The wire type in the file.
        found: u8,
        /// What ONNX says.
        expected: &'static str,
    },
    /// A tag that no field has.
    #[error("the tag at byte {at} is {tag}: no field has the number 0 or a wire type above 5")]
    Tag {
        /// Where it is.
        at: usize,
        /// Its value.
        tag: u64,
    },
    /// Messages in messages, more deeply than a model has them.
    #[error("messages are nested more than {limit} deep at byte {at}")]
    Depth {
        /// Where the innermost begins.
        at: usize,
        /// How deep they may be.
        limit: usize,
    },
    /// A text that is not UTF-8.
    #[error("field {field} of {message} at byte {at} is no UTF-8 text")]
    Utf8 {
        /// The message that has it.
        message: &'static str,
        /// Its number.
        field: u32,
        /// Where it begins.
        at: usize,
    },
    /// Something that a message must have.
    #[error("the {message} before byte {at} has no {what}")]
    Missing {
        /// The message.
        message: &'static str,
        /// What it lacks.
        what: &'static str,
        /// Where it ends.
        at: usize,
    },
    /// A tensor whose elements do not fit its type and sizes.
    #[error("the tensor `{name}`: {what}")]
    Tensor {
        /// Its name.
        name: String,
        /// What does not fit.
        what: String,
    },
    /// An attribute whose value is not of the type that it names.
    #[error("the attribute `{name}` is said to be of type {kind}, and has no such value")]
    Attribute {
        /// Its name.
        name: String,
        /// The number of the type.
        kind: i64,
    },
    /// The elements of a tensor are in another file, which cannot be read.
    #[error("the elements of the tensor `{name}` are in {}: {what}", path.display())]
    External {
        /// The name of the tensor.
        name: String,
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// More bytes than a message may have.
    #[error("the model has {bytes} bytes, and protobuf holds {} at most", i32::MAX)]
    TooLarge {
        /// How many.
        bytes: usize,
    },
}
