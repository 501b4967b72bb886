//! Weights of a module as PyTorch stores them.

use super::assemble::turned;
use super::error::{ExportError, FormError};
use super::plan::{Plan, Target};
use autodiff_core::io::write_atomically;
use autodiff_core::nn::{HostData, Module, state};
use safetensors::{Dtype, View};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// A tensor to write.
struct Stored {
    dtype: Dtype,
    dims: Vec<usize>,
    bytes: Vec<u8>,
    /// The parts that it has so far, of how many.
    parts: (usize, usize),
}

impl View for &Stored {
    fn dtype(&self) -> Dtype {
        self.dtype
    }
    fn shape(&self) -> &[usize] {
        &self.dims
    }
    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.bytes)
    }
    fn data_len(&self) -> usize {
        self.bytes.len()
    }
}

/// Writes the parameters and buffers of a module as PyTorch stores them, for `safetensors.torch.load_file` and
/// `load_state_dict`. The file is complete at every moment: before, the old one; after, the new one.
///
/// The names are those that [`import`](super::import) reads; what it sums is written as the first of the two tensors,
/// with zeros as the second. `num_batches_tracked` is 0.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::{LstmStack, torch};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let path = std::env::temp_dir().join("lstm.safetensors");
/// let net = LstmStack::<3, 4>::new(&mut Seeds::new(0), 2, 0.0);
/// torch::export(&net, &path)?; // weight_ih_l0, weight_hh_l0, bias_ih_l0, …, bias_hh_l1
/// let mut same = LstmStack::<3, 4>::new(&mut Seeds::new(1), 2, 0.0);
/// torch::import(&mut same, &path)?;
/// assert_eq!(same.rest[0].bias, net.rest[0].bias);
/// # Ok(()) }
/// ```
///
/// # Errors
/// If the file cannot be written, or `#[torch(..)]` on a field says what cannot be.
pub fn export<M: Module + ?Sized>(module: &M, path: impl AsRef<Path>) -> Result<(), ExportError> {
    let path = path.as_ref();
    let plan = Plan::of(module)?;
    let state = state(module);
    let mut stored: BTreeMap<String, Stored> = BTreeMap::new();
    for target in &plan.targets {
        match state[&target.path].data() {
            HostData::F32(x) => store(target, x, Dtype::F32, f32::to_le_bytes, &mut stored),
            HostData::F64(x) => store(target, x, Dtype::F64, f64::to_le_bytes, &mut stored),
            _ => unreachable!("parameters are f32 or f64"),
        }
    }
    for target in &plan.targets {
        let name = &target.sources[0].terms[0];
        let (found, count) = stored[name].parts;
        if found != count {
            let reason = format!("`{name}` has {count} parts, of which the module has {found}");
            return Err(FormError::new(&target.path, reason).into());
        }
    }
    for name in plan.counters {
        let zero = Stored {
            dtype: Dtype::I64,
            dims: Vec::new(),
            bytes: vec![0; 8],
            parts: (1, 1),
        };
        stored.insert(name, zero);
    }
    let note = [("format".to_string(), "pt".to_string())];
    safetensors::serialize(&stored, Some(note.into_iter().collect()))
        .map_err(io::Error::other)
        .and_then(|bytes| write_atomically(path, &bytes))
        .map_err(|error| ExportError::Write {
            path: path.into(),
            error,
        })
}

/// Puts the numbers of a parameter where PyTorch has them.
fn store<T: Copy, const N: usize>(
    target: &Target,
    numbers: &[T],
    dtype: Dtype,
    bytes: fn(T) -> [u8; N],
    stored: &mut BTreeMap<String, Stored>,
) {
    let source = &target.sources[0];
    let numbers = match source.transposed {
        Some((rows, columns)) => Cow::Owned(turned(numbers, rows, columns)),
        None => Cow::Borrowed(numbers),
    };
    let (part, count) = source.part.unwrap_or((0, 1));
    for (i, term) in source.terms.iter().enumerate() {
        let tensor = stored.entry(term.clone()).or_insert_with(|| Stored {
            dtype,
            dims: source.dims.clone(),
            bytes: vec![0; source.dims.iter().product::<usize>() * N],
            parts: (0, count),
        });
        tensor.parts.0 += 1;
        if i == 0 {
            let place = tensor.bytes.chunks_exact_mut(N).skip(part * numbers.len());
            for (to, &x) in place.zip(numbers.iter()) {
                to.copy_from_slice(&bytes(x));
            }
        }
    }
}
