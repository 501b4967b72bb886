//! Checkpoint contents to and from safetensors bytes.

use super::CheckpointError;
use crate::nn::{HostData, HostTensor};
use half::{bf16, f16};
use safetensors::{Dtype, SafeTensorError, SafeTensors, View};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

/// All entries go under one key as JSON with sorted keys: safetensors keeps its own entries in a
/// hash map, whose random order would make equal checkpoints differ in their bytes.
const ENTRIES: &str = "differentiable";

pub(super) struct Contents {
    pub(super) tensors: BTreeMap<String, HostTensor>,
    pub(super) entries: BTreeMap<String, String>,
}

struct Stored<'a>(&'a HostTensor);

impl View for Stored<'_> {
    fn dtype(&self) -> Dtype {
        match self.0.data() {
            HostData::F32(_) => Dtype::F32,
            HostData::F64(_) => Dtype::F64,
            HostData::Bf16(_) => Dtype::BF16,
            HostData::F16(_) => Dtype::F16,
        }
    }
    fn shape(&self) -> &[usize] {
        self.0.dims()
    }
    fn data(&self) -> Cow<'_, [u8]> {
        match self.0.data() {
            HostData::F32(x) => x.iter().flat_map(|v| v.to_le_bytes()).collect(),
            HostData::F64(x) => x.iter().flat_map(|v| v.to_le_bytes()).collect(),
            HostData::Bf16(x) => x.iter().flat_map(|v| v.to_le_bytes()).collect(),
            HostData::F16(x) => x.iter().flat_map(|v| v.to_le_bytes()).collect(),
        }
    }
    fn data_len(&self) -> usize {
        match self.0.data() {
            HostData::F32(x) => size_of_val(&x[..]),
            HostData::F64(x) => size_of_val(&x[..]),
            HostData::Bf16(x) => size_of_val(&x[..]),
            HostData::F16(x) => size_of_val(&x[..]),
        }
    }
}

pub(super) fn encode(contents: &Contents) -> Result<Vec<u8>, SafeTensorError> {
    let entries = serde_json::to_string(&contents.entries).map_err(SafeTensorError::JsonError)?;
    let tensors = contents
        .tensors
        .iter()
        .map(|(name, t)| (name.as_str(), Stored(t)));
    safetensors::serialize(
        tensors,
        // The type of the map depends on features of safetensors.
        Some([(ENTRIES.to_string(), entries)].into_iter().collect()),
    )
}

pub(super) fn decode(path: &Path, bytes: &[u8]) -> Result<Contents, CheckpointError> {
    let foreign = |reason: String| CheckpointError::Foreign {
        path: path.into(),
        reason,
    };
    if let Some(expected) = announced_len(bytes)
        && expected > bytes.len() as u64
    {
        let found = bytes.len() as u64;
        return Err(CheckpointError::Truncated {
            path: path.into(),
            expected,
            found,
        });
    }
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|e| foreign(told(&e, bytes)))?;
    let file = SafeTensors::deserialize(bytes).map_err(|e| foreign(told(&e, bytes)))?;
    let tensors = file
        .iter()
        .map(|(name, view)| {
            let tensor = read(view.dtype(), view.shape().to_vec(), view.data());
            let tensor = tensor.ok_or_else(|| CheckpointError::ElementType {
                path: path.into(),
                name: name.to_string(),
                found: view.dtype().to_string(),
            })?;
            Ok((name.to_string(), tensor))
        })
        .collect::<Result<_, _>>()?;
    let entries = match metadata.metadata().as_ref().and_then(|m| m.get(ENTRIES)) {
        None => BTreeMap::new(),
        Some(json) => serde_json::from_str(json)
            .map_err(|e| foreign(format!("a damaged list of entries ({e})")))?,
    };
    Ok(Contents { tensors, entries })
}

fn read(dtype: Dtype, dims: Vec<usize>, bytes: &[u8]) -> Option<HostTensor> {
    fn numbers<T, const N: usize>(bytes: &[u8], from: fn([u8; N]) -> T) -> Vec<T> {
        bytes.as_chunks().0.iter().map(|&b| from(b)).collect()
    }
    let data = match dtype {
        Dtype::F32 => HostData::F32(numbers(bytes, f32::from_le_bytes)),
        Dtype::F64 => HostData::F64(numbers(bytes, f64::from_le_bytes)),
        Dtype::BF16 => HostData::Bf16(numbers(bytes, bf16::from_le_bytes)),
        Dtype::F16 => HostData::F16(numbers(bytes, f16::from_le_bytes)),
        _ => return None,
    };
    HostTensor::new(dims, data)
}

/// The length of the whole file according to its header, if it has a readable one, or the length
/// of the header alone if the file ends within it.
fn announced_len(bytes: &[u8]) -> Option<u64> {
    const LONGEST_HEADER: u64 = 100_000_000; // the limit of the format
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let header_len = u64::from_le_bytes(*length);
    if header_len > LONGEST_HEADER || rest.first().is_some_and(|&b| b != b'{') {
        return None;
    }
    let Some(header) = rest.get(..header_len as usize) else {
        return Some(8 + header_len);
    };
    let header: serde_json::Value = serde_json::from_slice(header).ok()?;
    let ends = header
        .as_object()?
        .values()
        .filter_map(|t| t.get("data_offsets")?.get(1)?.as_u64());
    (8 + header_len).checked_add(ends.max().unwrap_or(0))
}

/// What a file that is no safetensors file is instead, on one line.
fn told(error: &SafeTensorError, bytes: &[u8]) -> String {
    match bytes.len() {
        0 => "an empty file".to_string(),
        n @ 1..8 => format!("{n} bytes"),
        n => format!("{n} bytes that are not one ({error})").replace('\n', " "),
    }
}
