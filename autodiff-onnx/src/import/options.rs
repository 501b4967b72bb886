//! What is chosen when a model is loaded.

use super::ends::Ends;
use super::error::ModelError;
use super::model::Model;
use super::program::Choice;
use crate::proto::ModelProto;
use std::path::Path;
use std::sync::Arc;

/// How many elements a value may have, unless [`Options::limit`] says otherwise: four gigabytes of `f32`.
pub const LIMIT: usize = 1 << 30;

/// Which inputs and outputs of a file a model has, and what of it is trained.
///
/// ```
/// use differentiable::onnx::{Model, Options};
/// use differentiable::prelude::*;
/// # fn main() -> Result<(), differentiable::onnx::ModelError> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/models/bert.onnx");
///
/// dim!(Batch, Time);
/// let model: Model<(Tensor![i64; Batch, Time], Tensor![i64; Batch, Time]), Tensor![Batch, 3]> = Options::new()
///     .inputs(["ids", "mask"]) // in the order in which the program gives them
///     .outputs(["logits"])
///     .load(path)?;
/// # let _ = model;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options(Choice);

fn owned<I: IntoIterator<Item: Into<String>>>(names: I) -> Vec<String> {
    names.into_iter().map(Into::into).collect()
}

impl Options {
    /// All inputs and outputs, in the order of the file.
    pub fn new() -> Self {
        Options::default()
    }

    /// The inputs by name, in the order in which the program gives them. The others must not be needed.
    #[must_use]
    pub fn inputs<I: IntoIterator<Item: Into<String>>>(mut self, names: I) -> Self {
        self.0.inputs = Some(owned(names));
        self
    }

    /// The outputs by name, in the order in which the program takes them. What only others need is not computed.
    #[must_use]
    pub fn outputs<I: IntoIterator<Item: Into<String>>>(mut self, names: I) -> Self {
        self.0.outputs = Some(owned(names));
        self
    }

    /// Initialisers that are trained although they would be constants: numbers without axes, for example.
    #[must_use]
    pub fn parameters<I: IntoIterator<Item: Into<String>>>(mut self, names: I) -> Self {
        self.0.parameters = owned(names);
        self
    }

    /// Initialisers that are not trained although they would be parameters: tables of positions, for example.
    #[must_use]
    pub fn constants<I: IntoIterator<Item: Into<String>>>(mut self, names: I) -> Self {
        self.0.constants = owned(names);
        self
    }

    /// How many elements a value may have. A call that would make a larger one gives an error before it does.
    #[must_use]
    pub fn limit(mut self, elements: usize) -> Self {
        self.0.limit = Some(elements);
        self
    }

    /// Loads a file. Tensors in files of their own are read from the folder that it is in.
    ///
    /// # Errors
    /// A file that cannot be read, is no model or is a wrong one, an operator that is not supported, inputs or outputs of
    /// other types than the program says.
    pub fn load<In: Ends, Out: Ends>(
        &self,
        path: impl AsRef<Path>,
    ) -> Result<Model<In, Out>, ModelError> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|error| ModelError::Io {
            path: path.to_owned(),
            error: Arc::new(error),
        })?;
        let mut model = ModelProto::decode(&bytes)?;
        drop(bytes);
        model.load_external(path.parent().unwrap_or(Path::new(".")))?;
        Model::build(&model, &self.0)
    }

    /// Reads a model from the bytes of a file that has all of its tensors in it.
    ///
    /// # Errors
    /// As [`load`](Options::load).
    pub fn from_bytes<In: Ends, Out: Ends>(
        &self,
        bytes: &[u8],
    ) -> Result<Model<In, Out>, ModelError> {
        Model::build(&ModelProto::decode(bytes)?, &self.0)
    }
}
