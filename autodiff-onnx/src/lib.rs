//! ONNX files: recorded graphs written, models of others read.

mod export;
mod import;
mod proto;
