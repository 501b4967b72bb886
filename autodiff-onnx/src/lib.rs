//! ONNX files: recorded graphs written, models of others read.

pub mod proto;

mod export;
mod import;

pub use import::{End, Ends, Fault, Model, ModelError, Options, Weights, operators};
