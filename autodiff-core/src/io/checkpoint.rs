use super::format::{self, Contents};
use super::{CheckpointError, check_writable, remove_stale, write_atomically};
use crate::device::Backend;
use crate::nn::{HostTensor, Kind, Module, State, StateError, Storable, load_state, state};
use crate::optim::{Optimizer, OptimizerState};
use crate::shape::Shape;
use crate::tensor::Tensor;
use std::any::type_name;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Parameters, optimiser state, and named entries such as the epoch, in one safetensors file.
///
/// Parameters are stored as `model.NAME` and can be read by every safetensors library. Saving
/// replaces the file in one step, so a run that is killed while saving keeps its last checkpoint.
///
/// ```
/// # use autodiff_core as differentiable;
/// use differentiable::io::Checkpoint;
///
/// # fn main() -> Result<(), differentiable::io::CheckpointError> {
/// let path = std::env::temp_dir().join("run.safetensors");
/// let mut weights = (1.5_f64, [0.25_f32, 0.5]);
/// Checkpoint::new().with_model(&weights).with("epoch", 3).save(&path)?;
///
/// let checkpoint = Checkpoint::load(&path)?;
/// weights = (0.0, [0.0; 2]);
/// checkpoint.restore_model(&mut weights)?;
/// assert_eq!(weights, (1.5, [0.25, 0.5]));
/// assert_eq!(checkpoint.get::<u64>("epoch")?, 3);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint {
    tensors: BTreeMap<String, HostTensor>,
    entries: BTreeMap<String, String>,
    /// Where it was read from, for messages.
    path: PathBuf,
}

const MODEL: &str = "model.";
const OPTIMIZER: &str = "optimizer.";
const ALGORITHM: &str = "optimizer.algorithm";
const STEPS: &str = "optimizer.steps";
/// What begins the names of the other numbers of an optimiser.
const NUMBER: &str = "optimizer.number.";

impl Checkpoint {
    /// An empty checkpoint.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the parameters of a model, and the tensors in its `#[constant]` fields.
    pub fn with_model<M: Module>(mut self, model: &M) -> Self {
        self.add_tensors(MODEL, state(model));
        self
    }

    /// Adds the parameters of a further module, such as an average of weights: they are stored as `NAME.PARAMETER`.
    pub fn with_module<M: Module>(mut self, name: &str, module: &M) -> Self {
        self.add_tensors(&format!("{name}."), state(module));
        self
    }

    /// Adds the state of an optimiser.
    pub fn with_optimizer(self, optimizer: &impl Optimizer) -> Self {
        self.with_optimizer_state(optimizer.state())
    }

    /// Adds the state of an optimiser, such as that of [`Lbfgs`](crate::optim::Lbfgs).
    pub fn with_optimizer_state(mut self, state: OptimizerState) -> Self {
        let OptimizerState {
            algorithm,
            steps,
            numbers,
            tensors,
        } = state;
        self.add_tensors(OPTIMIZER, tensors);
        for (name, number) in numbers {
            self = self.with(format!("{NUMBER}{name}"), number);
        }
        self.with(ALGORITHM, algorithm).with(STEPS, steps)
    }

    /// Adds an entry, such as the number of epochs done.
    pub fn with(mut self, key: impl Into<String>, value: impl Display) -> Self {
        self.entries.insert(key.into(), value.to_string());
        self
    }

    /// Adds a tensor beside those of models and optimisers, in its own element type.
    pub fn with_tensor<S: Shape, T: Storable, D: Backend>(
        mut self,
        name: impl Into<String>,
        tensor: &Tensor<S, T, D>,
    ) -> Self {
        self.tensors.insert(name.into(), HostTensor::of(tensor));
        self
    }

    /// Adds a tensor whose element type and sizes are known at run time only.
    pub fn with_host_tensor(mut self, name: impl Into<String>, tensor: HostTensor) -> Self {
        self.tensors.insert(name.into(), tensor);
        self
    }

    fn add_tensors(&mut self, prefix: &str, tensors: State) {
        self.tensors.extend(
            tensors
                .into_iter()
                .map(|(name, t)| (format!("{prefix}{name}"), t)),
        );
    }

    /// Writes the checkpoint. The file is complete at every moment: before, the old one; after, the
    /// new one.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), CheckpointError> {
        let path = path.as_ref();
        let contents = Contents {
            tensors: self.tensors.clone(),
            entries: self.entries.clone(),
        };
        format::encode(&contents)
            .map_err(io::Error::other)
            .and_then(|bytes| write_atomically(path, &bytes))
            .map_err(|error| CheckpointError::Write {
                path: path.into(),
                error,
            })
    }

    /// An error if a checkpoint cannot be saved here, for programs that work for long before they
    /// save. Nothing is left behind, and a file that is there stays as it is.
    pub fn check_path(path: impl AsRef<Path>) -> Result<(), CheckpointError> {
        let path = path.as_ref();
        check_writable(path).map_err(|error| CheckpointError::Write {
            path: path.into(),
            error,
        })
    }

    /// Reads a checkpoint. Temporary files that a program left beside it which was killed while it saved are removed.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, CheckpointError> {
        Self::load_by(path, |path| {
            remove_stale(path);
            fs::read(path)
        })
    }

    /// As [`load`](Checkpoint::load), where `read` brings the bytes of the file: from another machine, for example.
    pub fn load_by(
        path: impl AsRef<Path>,
        read: impl FnOnce(&Path) -> io::Result<Vec<u8>>,
    ) -> Result<Self, CheckpointError> {
        let path = path.as_ref();
        let bytes = read(path).map_err(|error| CheckpointError::Read {
            path: path.into(),
            error,
        })?;
        let Contents { tensors, entries } = format::decode(path, &bytes)?;
        Ok(Checkpoint {
            tensors,
            entries,
            path: path.into(),
        })
    }

    /// Sets the parameters of a model and the tensors in its `#[constant]` fields. Names, element types and sizes must agree exactly; if they
    /// don't, the model is not changed.
    pub fn restore_model<M: Module>(&self, model: &mut M) -> Result<(), CheckpointError> {
        load_state(model, &self.tensors_under(MODEL)).map_err(|error| CheckpointError::Model {
            path: self.path.clone(),
            error,
        })
    }

    /// As [`restore_model`](Self::restore_model), for a module that was stored under a name.
    pub fn restore_module<M: Module>(
        &self,
        name: &str,
        module: &mut M,
    ) -> Result<(), CheckpointError> {
        let tensors = self.tensors_under(&format!("{name}."));
        load_state(module, &tensors).map_err(|error| CheckpointError::Model {
            path: self.path.clone(),
            error,
        })
    }

    /// Sets the state of an optimiser of `model`. The algorithm must be the same and the state must
    /// fit the model; if not, the optimiser is not changed.
    pub fn restore_optimizer<M: Module>(
        &self,
        model: &M,
        optimizer: &mut impl Optimizer,
    ) -> Result<(), CheckpointError> {
        optimizer
            .load_state(model, self.optimizer_state()?)
            .map_err(|error| CheckpointError::Optimizer {
                path: self.path.clone(),
                error,
            })
    }

    /// The state of an optimiser, for its `load_state`.
    pub fn optimizer_state(&self) -> Result<OptimizerState, CheckpointError> {
        let entries = self.entries.keys();
        let numbers = entries.filter_map(|key| {
            let name = key.strip_prefix(NUMBER)?.to_string();
            Some(self.get(key).map(|number| (name, number)))
        });
        Ok(OptimizerState {
            algorithm: self.get(ALGORITHM)?,
            steps: self.get(STEPS)?,
            numbers: numbers.collect::<Result<_, _>>()?,
            tensors: self.tensors_under(OPTIMIZER),
        })
    }

    /// An error if a tensor holds an infinite number or NaN, from which no training recovers.
    pub fn check_finite(&self) -> Result<(), CheckpointError> {
        for (name, tensor) in &self.tensors {
            if let Some((index, found)) = tensor.data().first_not_finite() {
                return Err(CheckpointError::NotFinite {
                    path: self.path.clone(),
                    name: name.clone(),
                    index,
                    found,
                });
            }
        }
        Ok(())
    }

    /// A tensor by its name. Element type and sizes must agree exactly.
    pub fn tensor<S: Shape, T: Storable>(
        &self,
        name: &str,
        shape: S,
    ) -> Result<Tensor<S, T>, CheckpointError> {
        let stored = self.tensors.get(name);
        stored.and_then(|t| t.tensor(shape)).ok_or_else(|| {
            let name = name.to_string();
            let expected = Kind {
                dtype: T::NAME,
                dims: shape.dims().to_vec(),
            };
            let error = match stored.map(HostTensor::kind) {
                None => StateError::Missing { name, expected },
                Some(found) => StateError::Mismatch {
                    name,
                    expected,
                    found,
                },
            };
            CheckpointError::Model {
                path: self.path.clone(),
                error,
            }
        })
    }

    /// An entry.
    pub fn get<T: FromStr>(&self, key: &str) -> Result<T, CheckpointError> {
        self.get_valid(key, in_words::<T>(), |_| true)
    }

    /// An entry that has to be `valid`. What it should be is `expected`, in words that complete an
    /// error message: `"a number above 0"`.
    pub fn get_valid<T: FromStr>(
        &self,
        key: &str,
        expected: &str,
        valid: impl FnOnce(&T) -> bool,
    ) -> Result<T, CheckpointError> {
        let text = self
            .entries
            .get(key)
            .ok_or_else(|| CheckpointError::NoEntry {
                path: self.path.clone(),
                key: key.to_string(),
            })?;
        let value = text.parse().ok().filter(valid);
        value.ok_or_else(|| CheckpointError::BadEntry {
            path: self.path.clone(),
            key: key.to_string(),
            found: text.clone(),
            expected: expected.to_string(),
        })
    }

    /// The tensors by name.
    pub fn tensors(&self) -> &BTreeMap<String, HostTensor> {
        &self.tensors
    }

    /// The entries by key, those of optimisers and of training runs included.
    pub fn entries(&self) -> &BTreeMap<String, String> {
        &self.entries
    }

    fn tensors_under(&self, prefix: &str) -> State {
        let under = self.tensors.iter();
        under
            .filter_map(|(name, t)| Some((name.strip_prefix(prefix)?.to_string(), t.clone())))
            .collect()
    }
}

/// What an entry of a type should be. The user of a program need not know Rust's types.
fn in_words<T>() -> &'static str {
    match type_name::<T>() {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "a whole number of at least 0",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "bool" => "true or false",
        _ => "an entry in another form",
    }
}
