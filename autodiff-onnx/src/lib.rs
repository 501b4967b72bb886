//! ONNX files: recorded graphs written, models of others read.

pub mod proto;

mod export;
mod import;
