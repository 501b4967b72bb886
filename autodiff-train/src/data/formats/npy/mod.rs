//! NPY, the format of `numpy.save` (`numpy/lib/format.py` is its specification): a magic text, a version, a header that is a
//! Python dictionary, and the elements.

mod header;

use super::{Array, FormatError, bytes};
use crate::data::DataError;
use header::Header;
use std::path::Path;

/// Reads an array that `numpy.save` wrote: floats of 16, 32 and 64 bits, integers of 8 to 64 bits and truth values, of either
/// byte order, stored by rows or by columns. The file may be compressed by gzip.
///
/// # Errors
/// If the file cannot be read, is no NPY file, has elements of another type, or has not the number of bytes that its header
/// says.
pub fn read_npy(path: impl AsRef<Path>) -> Result<Array, DataError> {
    let path = path.as_ref();
    parse(path, &bytes::read(path)?)
}

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Array, DataError> {
    let (header, elements) = parts(bytes).map_err(|e| DataError::format(path, e))?;
    let Header {
        element,
        order,
        by_columns,
        dims,
    } = header;
    let size = element.size();
    let elements = match by_columns {
        // The number of bytes is checked with the shape; until then a wrong one is left alone.
        true if elements.len() == dims.iter().fold(size, |n, &d| n.saturating_mul(d)) => {
            by_rows(elements, &dims, size)
        }
        _ => elements.to_vec(),
    };
    Array::new(path, dims, element, order, elements)
}

/// The header and the elements.
fn parts(bytes: &[u8]) -> Result<(Header, &[u8]), FormatError> {
    const MAGIC: &[u8] = b"\x93NUMPY";
    let magic = || FormatError::Magic {
        expected: "an NPY file, which begins with \"\\x93NUMPY\"",
        found: bytes::shown(bytes),
    };
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(magic)?;
    let short = |expected: usize, found: usize| FormatError::Size {
        what: "header",
        expected: expected as u64,
        found: found as u64,
    };
    let ends = |rest: &[u8]| short(10, MAGIC.len() + rest.len());
    let (&[major, _], rest) = rest.split_first_chunk().ok_or_else(|| ends(rest))?;
    let (length, rest) = match major {
        1 => {
            let (length, rest) = rest.split_first_chunk().ok_or_else(|| ends(rest))?;
            (usize::from(u16::from_le_bytes(*length)), rest)
        }
        2 | 3 => {
            let (length, rest) = rest.split_first_chunk().ok_or_else(|| ends(rest))?;
            (u32::from_le_bytes(*length) as usize, rest)
        }
        _ => {
            return Err(FormatError::Header {
                expected: "version 1, 2 or 3 of NPY",
                found: major.to_string(),
            });
        }
    };
    let header = rest
        .get(..length)
        .ok_or_else(|| short(length, rest.len()))?;
    let header = String::from_utf8_lossy(header);
    Ok((Header::parse(&header)?, &rest[length..]))
}

/// Elements in row-major order, from column-major order: what the file has is the transposed array by rows.
fn by_rows(elements: &[u8], dims: &[usize], size: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(elements.len());
    let strides: Vec<usize> = dims
        .iter()
        .scan(size, |stride, &d| {
            let this = *stride;
            *stride *= d;
            Some(this)
        })
        .collect();
    let mut index = vec![0; dims.len()];
    for _ in 0..elements.len() / size {
        let at: usize = index.iter().zip(&strides).map(|(i, s)| i * s).sum();
        out.extend_from_slice(&elements[at..at + size]);
        for axis in (0..dims.len()).rev() {
            index[axis] += 1;
            if index[axis] < dims[axis] {
                break;
            }
            index[axis] = 0;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn npy(header: &str, elements: &[u8]) -> Vec<u8> {
        let length = (header.len() as u16).to_le_bytes();
        let start = [b"\x93NUMPY\x01\x00".as_slice(), &length];
        [start.concat().as_slice(), header.as_bytes(), elements].concat()
    }

    fn message(bytes: &[u8]) -> String {
        match parse(Path::new("x.npy"), bytes) {
            Ok(array) => format!("{array:?}"),
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let header = |descr: &str, shape: &str| {
            format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n")
        };
        for (bytes, expected) in [
            (
                b"".to_vec(),
                "expected an NPY file, which begins with \"\\x93NUMPY\", found an empty file",
            ),
            (
                b"a,b\n1,2\n".to_vec(),
                "expected an NPY file, which begins with \"\\x93NUMPY\", found \"a,b\\n1,2\\n\"",
            ),
            (
                b"\x93NUMPY\x01".to_vec(),
                "expected 10 bytes of header, found 7",
            ),
            (
                b"\x93NUMPY\x09\x00ab".to_vec(),
                "expected version 1, 2 or 3 of NPY in the header, found 9",
            ),
            (
                b"\x93NUMPY\x01\x00\x50\x00{'d".to_vec(),
                "expected 80 bytes of header, found 3",
            ),
            (
                npy(&header("'<f4'", "(2,)"), &[0; 7]),
                "expected 8 bytes of elements, found 7",
            ),
            (
                npy(&header("'<f4'", "(2,)"), &[0; 9]),
                "expected 8 bytes of elements, found 9",
            ),
            (
                npy(&header("'<c8'", "(2,)"), &[0; 16]),
                "expected elements of type f2, f4, f8, i1 to i8, u1 to u8 or b1, found <c8",
            ),
            (
                npy(&header("'|O'", "(2,)"), &[0; 16]),
                "expected elements of type f2, f4, f8, i1 to i8, u1 to u8 or b1, found |O",
            ),
            (
                npy(&header("[('a', '<f4')]", "(2,)"), &[0; 8]),
                "expected the type of the elements as a text in the header, found \"[('a', '<f4')], 'fortran_order': False, …\"",
            ),
        ] {
            assert_eq!(message(&bytes), format!("x.npy: {expected}"));
        }
    }

    #[test]
    fn columns_become_rows() {
        // numpy.asfortranarray([[1, 2, 3], [4, 5, 6]]) has the bytes 1 4 2 5 3 6.
        assert_eq!(by_rows(&[1, 4, 2, 5, 3, 6], &[2, 3], 1), [1, 2, 3, 4, 5, 6]);
        assert_eq!(by_rows(&[], &[2, 0], 1), [] as [u8; 0]);
        assert_eq!(by_rows(&[7, 8], &[], 2), [7, 8]);
    }
}
