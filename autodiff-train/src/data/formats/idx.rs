//! IDX, the format of MNIST (<http://yann.lecun.com/exdb/mnist/>): two zero bytes, the element type, the rank, a big-endian
//! 32-bit size for each axis, and the elements in row-major order.

use super::array::Order;
use super::{Array, ArrayType, FormatError, bytes};
use crate::data::DataError;
use std::path::Path;

/// Reads an IDX file, plain or compressed by gzip: the images and labels of MNIST and of the data sets modelled on it.
///
/// ```no_run
/// use differentiable::data::{InMemory, Loader, read_idx};
/// use differentiable::prelude::*;
///
/// dim!(Batch, Rows);
///
/// let images: Tensor![Rows, 28, 28] = read_idx("train-images-idx3-ubyte.gz")?.tensor()?;
/// let labels = read_idx("train-labels-idx1-ubyte.gz")?.labels::<Rows>(10)?;
/// let data = InMemory::new((images / 255.0, labels))?;
/// for batch in Loader::new(data, 64).shuffle(0).stack(Batch).epoch(0) {
///     let (x, y): (Tensor![Batch, 28, 28], Tensor![i64; Batch]) = batch;
/// }
/// # Ok::<(), differentiable::data::DataError>(())
/// ```
///
/// # Errors
/// If the file cannot be read, is no IDX file, or has not the number of bytes that its header says.
pub fn read_idx(path: impl AsRef<Path>) -> Result<Array, DataError> {
    let path = path.as_ref();
    parse(path, &bytes::read(path)?)
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Array, DataError> {
    let error = |problem| DataError::format(path, problem);
    let (&[0, 0, kind, rank], rest) = bytes.split_first_chunk().ok_or_else(|| {
        error(FormatError::Magic {
            expected: "an IDX file",
            found: bytes::shown(bytes),
        })
    })?
    else {
        return Err(error(FormatError::Magic {
            expected: "an IDX file, which begins with two zero bytes",
            found: bytes::shown(bytes),
        }));
    };
    let element = match kind {
        0x08 => ArrayType::U8,
        0x09 => ArrayType::I8,
        0x0b => ArrayType::I16,
        0x0c => ArrayType::I32,
        0x0d => ArrayType::F32,
        0x0e => ArrayType::F64,
        _ => {
            return Err(error(FormatError::Header {
                expected: "an element type of IDX",
                found: format!("{kind:#04x}"),
            }));
        }
    };
    let (sizes, _) = rest.as_chunks::<4>();
    let rank = usize::from(rank);
    let Some(sizes) = sizes.get(..rank) else {
        return Err(error(FormatError::Size {
            what: "sizes of axes",
            expected: 4 * rank as u64,
            found: rest.len() as u64,
        }));
    };
    let dims = sizes.iter().map(|&s| u32::from_be_bytes(s) as usize);
    let elements = rest[4 * rank..].to_vec();
    Array::new(path, dims.collect(), element, Order::Big, elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8]) -> String {
        match parse(Path::new("x.idx"), bytes) {
            Ok(array) => format!("{array:?}"),
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (bytes, expected) in [
            (&b""[..], "x.idx: expected an IDX file, found an empty file"),
            (b"\0\0", "x.idx: expected an IDX file, found \"\\x00\\x00\""),
            (
                b"PK\x03\x04zip",
                "x.idx: expected an IDX file, which begins with two zero bytes, found \"PK\\x03\\x04zip\"",
            ),
            (
                b"\0\0\x07\x01\0\0\0\0",
                "x.idx: expected an element type of IDX in the header, found 0x07",
            ),
            (
                b"\0\0\x08\x02\0\0\0\x01",
                "x.idx: expected 8 bytes of sizes of axes, found 4",
            ),
            (
                b"\0\0\x08\x01\0\0\0\x03ab",
                "x.idx: expected 3 bytes of elements, found 2",
            ),
            (
                b"\0\0\x08\x01\0\0\0\x01ab",
                "x.idx: expected 1 bytes of elements, found 2",
            ),
            (
                b"\0\0\x0e\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
                "x.idx: expected 18446744073709551615 bytes of elements, found 0",
            ),
            (b"\0\0\x08\x01\0\0\0\x02ab", "Array(u8 [2] of x.idx)"),
        ] {
            assert_eq!(message(bytes), expected);
        }
    }
}
