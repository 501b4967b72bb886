//! Safetensors, the format of Hugging Face: a header with names, types and shapes, and the elements.

use super::array::Order;
use super::{Array, ArrayType, FormatError, bytes};
use crate::data::DataError;
use safetensors::{Dtype, SafeTensors};
use std::collections::BTreeMap;
use std::path::Path;

/// Reads all arrays of a safetensors file, by name.
///
/// Weights of a network are read by `nn::torch` and `io::Checkpoint`, which check them against it.
///
/// ```no_run
/// use differentiable::data::read_safetensors;
/// use differentiable::prelude::*;
///
/// dim!(Rows);
///
/// let arrays = read_safetensors("features.safetensors")?;
/// let x: Tensor![Rows, 512] = arrays["embeddings"].tensor()?;
/// # Ok::<(), differentiable::data::DataError>(())
/// ```
///
/// # Errors
/// If the file cannot be read, is damaged, or holds elements of another type than those of [`ArrayType`].
pub fn read_safetensors(path: impl AsRef<Path>) -> Result<BTreeMap<String, Array>, DataError> {
    let path = path.as_ref();
    let all = bytes::read(path)?;
    let file = SafeTensors::deserialize(&all).map_err(|e| {
        let expected = "a safetensors file";
        let reason = e.to_string();
        DataError::format(path, FormatError::Container { expected, reason })
    })?;
    let mut arrays = BTreeMap::new();
    for (name, view) in file.iter() {
        let place = path.join(name);
        let element = element(view.dtype()).ok_or_else(|| {
            let expected = "float, integer or bool, of at most 64 bits".into();
            let found = format!("{:?}", view.dtype());
            DataError::format(&place, FormatError::ElementType { expected, found })
        })?;
        let (dims, data) = (view.shape().to_vec(), view.data().to_vec());
        let array = Array::new(&place, dims, element, Order::Little, data)?;
        arrays.insert(name.to_string(), array);
    }
    Ok(arrays)
}

fn element(dtype: Dtype) -> Option<ArrayType> {
    Some(match dtype {
        Dtype::BOOL => ArrayType::Bool,
        Dtype::U8 => ArrayType::U8,
        Dtype::I8 => ArrayType::I8,
        Dtype::I16 => ArrayType::I16,
        Dtype::U16 => ArrayType::U16,
        Dtype::F16 => ArrayType::F16,
        Dtype::BF16 => ArrayType::Bf16,
        Dtype::I32 => ArrayType::I32,
        Dtype::U32 => ArrayType::U32,
        Dtype::F32 => ArrayType::F32,
        Dtype::F64 => ArrayType::F64,
        Dtype::I64 => ArrayType::I64,
        Dtype::U64 => ArrayType::U64,
        _ => return None,
    })
}
