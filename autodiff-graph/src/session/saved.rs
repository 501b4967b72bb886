//! Sessions in files.

use super::Session;
use crate::any::{kind, typed};
use autodiff_core::ad::Mixed;
use autodiff_core::device::record::{AnyBuffer, GraphError};
use autodiff_core::device::{DType, Device, Dims, Elem, Layout};
use autodiff_core::io::Checkpoint;
use autodiff_core::nn::{HostData, HostTensor};
use autodiff_core::optim::OptimizerState;
use autodiff_core::tensor::Raw;
use half::{bf16, f16};
use std::collections::HashMap;
use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

/// What begins the names of variables: those of models, so that eager code can read them.
const MODEL: &str = "model.";

/// What begins the keys of variables that checkpoints hold as text: integers and truth values.
const NUMBERS: &str = "variable.";

/// What begins the names of what the second and further optimisers remember.
fn further(k: usize) -> String {
    format!("train.{k}.")
}

impl Session {
    /// The contents of all variables by name, and what all optimisers remember.
    ///
    /// Variables are named `model.NAME`, and the first optimiser that was recorded is that of the checkpoint. So eager code
    /// reads the parameters of a module with [`restore_model`](Checkpoint::restore_model), if they are all variables there
    /// are, and goes on with [`restore_optimizer`](Checkpoint::restore_optimizer).
    ///
    /// In a session over ranks it has what lives on this rank, which is not enough to [`restore`](Session::restore) one.
    ///
    /// ```
    /// use differentiable::io::Checkpoint;
    /// # use differentiable::graph::{Feeds, Recording, Session};
    /// # use differentiable::prelude::*;
    /// # let recording = Recording::new();
    /// let w: Tensor![2] = recording.variable("w", &tensor([1.0, 2.0]));
    /// let double = recording.assign(&w, &(&w * 2.0));
    /// let mut session = Session::new(&recording, &Device::cpu());
    /// session.run(&double, &Feeds::new())?;
    /// let path = std::env::temp_dir().join("session.safetensors");
    /// session.checkpoint().with("step", 1).save(&path)?;
    ///
    /// let mut later = Session::new(&recording, &Device::cpu());
    /// later.restore(&Checkpoint::load(&path)?)?;
    /// assert_eq!(later.variable(&w).to_vec(), [2.0, 4.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        let noted = self.noted.lock();
        let mut checkpoint = Checkpoint::new();
        for variable in noted.variables.iter().filter(|v| self.is_here(v.value)) {
            let name = &variable.name;
            match save(&self.held(variable), variable.kind, &self.device) {
                Some(Saved::Tensor(tensor)) => {
                    checkpoint = checkpoint.with_host_tensor(format!("{MODEL}{name}"), tensor);
                }
                Some(Saved::Text(text)) => {
                    checkpoint = checkpoint.with(format!("{NUMBERS}{name}"), text)
                }
                None => unreachable!("variables have elements that a recording has"),
            }
        }
        for (k, step) in noted.steps.iter().enumerate() {
            let state = step.state(&self.optimizers);
            if k == 0 {
                checkpoint = checkpoint.with_optimizer_state(state);
                continue;
            }
            let prefix = further(k);
            for (name, tensor) in state.tensors {
                checkpoint = checkpoint.with_host_tensor(format!("{prefix}{name}"), tensor);
            }
            for (name, number) in state.numbers {
                checkpoint = checkpoint.with(format!("{prefix}number.{name}"), number);
            }
            checkpoint = checkpoint
                .with(format!("{prefix}algorithm"), state.algorithm)
                .with(format!("{prefix}steps"), state.steps);
        }
        checkpoint
    }

    /// Goes on from a checkpoint: the next run is bit for bit the one that would have followed.
    ///
    /// # Errors
    /// If a variable or what an optimiser remembers is missing, or has another type of elements or other sizes, or if there
    /// is a tensor that no variable has the name of. Nothing is changed then.
    pub fn restore(&mut self, checkpoint: &Checkpoint) -> Result<(), GraphError> {
        let noted = self.noted.lock();
        let saved = |error: String| GraphError::Saved { error };
        let mut variables = HashMap::new();
        for variable in &noted.variables {
            let (dtype, dims) = variable.kind;
            let (name, expected) = (&variable.name, kind(dtype, &dims));
            let text = checkpoint.entries().get(&format!("{NUMBERS}{name}"));
            let tensor = checkpoint.tensors().get(&format!("{MODEL}{name}"));
            let buffer = match (tensor, text) {
                (Some(tensor), None) => upload(tensor, variable.kind, &self.device),
                (None, Some(text)) => parse(text, variable.kind, &self.device),
                _ => {
                    return Err(saved(format!(
                        "the variable `{name}` is missing, expected {expected}"
                    )));
                }
            };
            let Some(buffer) = buffer else {
                let found = tensor.map_or("another one".into(), |t| t.kind().to_string());
                return Err(saved(format!(
                    "the variable `{name}` is {found}, expected {expected}"
                )));
            };
            variables.insert(variable.value, buffer);
        }
        let names: Vec<&str> = noted.variables.iter().map(|v| v.name.as_str()).collect();
        let floats = checkpoint
            .tensors()
            .keys()
            .filter_map(|n| n.strip_prefix(MODEL));
        let texts = checkpoint
            .entries()
            .keys()
            .filter_map(|n| n.strip_prefix(NUMBERS));
        if let Some(name) = floats.chain(texts).find(|name| !names.contains(name)) {
            return Err(saved(format!(
                "`{name}` is not expected: no variable has this name"
            )));
        }
        let mut optimizers = HashMap::new();
        for (k, step) in noted.steps.iter().enumerate() {
            let state = match k {
                0 => checkpoint
                    .optimizer_state()
                    .map_err(|e| saved(e.to_string()))?,
                k => state_of(checkpoint, &further(k)).map_err(saved)?,
            };
            step.load(&mut optimizers, state)
                .map_err(|e| saved(e.to_string()))?;
        }
        drop(noted);
        self.variables = variables;
        self.optimizers = optimizers;
        Ok(())
    }
}

fn state_of(checkpoint: &Checkpoint, prefix: &str) -> Result<OptimizerState, String> {
    let entry = |key: &str| {
        checkpoint
            .get::<String>(&format!("{prefix}{key}"))
            .map_err(|e| e.to_string())
    };
    let numbers = format!("{prefix}number.");
    let numbers = checkpoint.entries().keys().filter_map(|key| {
        let name = key.strip_prefix(&numbers)?.to_string();
        Some(
            checkpoint
                .get::<f64>(key)
                .map(|x| (name, x))
                .map_err(|e| e.to_string()),
        )
    });
    let tensors = checkpoint.tensors().iter();
    let steps = checkpoint
        .get::<u64>(&format!("{prefix}steps"))
        .map_err(|e| e.to_string())?;
    Ok(OptimizerState {
        algorithm: entry("algorithm")?,
        steps,
        numbers: numbers.collect::<Result<_, _>>()?,
        tensors: tensors
            .filter_map(|(name, t)| Some((name.strip_prefix(prefix)?.to_string(), t.clone())))
            .collect(),
    })
}

/// A variable as a checkpoint holds it.
enum Saved {
    Tensor(HostTensor),
    Text(String),
}

fn read<T: Elem>(buffer: &AnyBuffer, dims: Dims, device: &Device) -> Vec<T> {
    let buffer = typed::<T>(Arc::clone(buffer));
    Raw::from_shared(device, buffer, Layout::dense(dims)).to_vec()
}

fn write<T: Elem>(data: &[T], dims: Dims, device: &Device) -> AnyBuffer {
    Raw::from_slice(device, dims, data).alone()
}

/// Elements that are written as text, without a loss.
fn text<T: Elem + Display>(buffer: &AnyBuffer, dims: Dims, device: &Device) -> Saved {
    let all: Vec<String> = read::<T>(buffer, dims, device)
        .iter()
        .map(T::to_string)
        .collect();
    Saved::Text(all.join(","))
}

fn save(buffer: &AnyBuffer, (dtype, dims): (DType, Dims), device: &Device) -> Option<Saved> {
    let sizes = dims.as_slice().to_vec();
    let data = match dtype {
        DType::F32 => HostData::F32(read(buffer, dims, device)),
        DType::F64 => HostData::F64(read(buffer, dims, device)),
        DType::Bf16 => HostData::Bf16(read(buffer, dims, device)),
        DType::F16 => HostData::F16(read(buffer, dims, device)),
        DType::MixedBf16 => HostData::F32(floats::<Mixed<bf16>>(buffer, dims, device)),
        DType::MixedF16 => HostData::F32(floats::<Mixed<f16>>(buffer, dims, device)),
        DType::I64 => return Some(text::<i64>(buffer, dims, device)),
        DType::U32 => return Some(text::<u32>(buffer, dims, device)),
        DType::U8 => return Some(text::<u8>(buffer, dims, device)),
        DType::Bool => return Some(text::<bool>(buffer, dims, device)),
        _ => return None,
    };
    HostTensor::new(sizes, data).map(Saved::Tensor)
}

fn floats<T: Elem>(buffer: &AnyBuffer, dims: Dims, device: &Device) -> Vec<f32> {
    let all = read::<T>(buffer, dims, device);
    all.iter().map(|x| x.to_f64() as f32).collect()
}

fn upload(tensor: &HostTensor, (dtype, dims): (DType, Dims), device: &Device) -> Option<AnyBuffer> {
    if tensor.dims() != dims.as_slice() {
        return None;
    }
    macro_rules! of {
        ($($D:ident $T:ty),*) => { match dtype {
            $(DType::$D => { let there: Raw<$T, Device> = tensor.upload(device)?; Some(there.alone()) })*
            DType::Bf16 | DType::F16 => half(tensor, dims, device, dtype),
            _ => None,
        } };
    }
    of!(F32 f32, F64 f64, MixedBf16 Mixed<bf16>, MixedF16 Mixed<f16>)
}

fn half(tensor: &HostTensor, dims: Dims, device: &Device, dtype: DType) -> Option<AnyBuffer> {
    match (tensor.data(), dtype) {
        (HostData::Bf16(x), DType::Bf16) => Some(write::<bf16>(x, dims, device)),
        (HostData::F16(x), DType::F16) => Some(write::<f16>(x, dims, device)),
        _ => None,
    }
}

fn parse(text: &str, (dtype, dims): (DType, Dims), device: &Device) -> Option<AnyBuffer> {
    fn all<T: Elem + FromStr>(text: &str, dims: Dims, device: &Device) -> Option<AnyBuffer> {
        let parts = text.split(',').filter(|part| !part.is_empty());
        let data: Vec<T> = parts.map(|part| part.parse().ok()).collect::<Option<_>>()?;
        (data.len() == dims.numel()).then(|| write(&data, dims, device))
    }
    match dtype {
        DType::I64 => all::<i64>(text, dims, device),
        DType::U32 => all::<u32>(text, dims, device),
        DType::U8 => all::<u8>(text, dims, device),
        DType::Bool => all::<bool>(text, dims, device),
        _ => None,
    }
}
