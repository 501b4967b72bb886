//! The messages of ONNX, as bytes of Protocol Buffers.
