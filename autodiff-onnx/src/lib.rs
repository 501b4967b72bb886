//! ONNX files: recorded graphs written, models of others read.
//!
//! | folder | what it has |
//! |---|---|
//! | `proto` | the messages of a file, read and written |
//! | `export` | recorded graphs as models |
//! | `import` | models as programs |

pub mod proto;

mod export;
mod import;

#[doc(hidden)]
pub use export::operations;
pub use export::{OPSET, OnnxError, Source, export, model, save};
pub use import::{End, Ends, Fault, Model, ModelError, Options, Weights, operators};
