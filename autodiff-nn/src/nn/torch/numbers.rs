//! The numbers of a file, of any element type, as `f64`: exactly, or not at all.

use half::{bf16, f16};
use safetensors::Dtype;

/// Whether numbers of a type can be read.
pub(super) fn is_readable(dtype: Dtype) -> bool {
    use Dtype::*;
    matches!(
        dtype,
        BOOL | U8 | I8 | I16 | U16 | I32 | U32 | I64 | U64 | F16 | BF16 | F32 | F64
    )
}

/// Whether a type is one of whole numbers, which are not rounded.
pub(super) fn is_whole(dtype: Dtype) -> bool {
    use Dtype::*;
    matches!(dtype, BOOL | U8 | I8 | I16 | U16 | I32 | U32 | I64 | U64)
}

/// The name of an element type as messages show it, as Rust has it.
pub(super) fn name(dtype: Dtype) -> String {
    dtype.to_string().to_lowercase()
}

/// The numbers, or the index and the text of one that `f64` does not have.
pub(super) fn read(dtype: Dtype, bytes: &[u8]) -> Result<Vec<f64>, (usize, String)> {
    fn all<const N: usize>(bytes: &[u8], f: impl Fn([u8; N]) -> f64) -> Vec<f64> {
        bytes.as_chunks().0.iter().map(|&b| f(b)).collect()
    }
    fn whole<const N: usize>(
        bytes: &[u8],
        f: impl Fn([u8; N]) -> i128,
    ) -> Result<Vec<f64>, (usize, String)> {
        let numbers = bytes.as_chunks().0.iter().enumerate();
        numbers
            .map(|(at, &b)| {
                let n = f(b);
                let x = n as f64;
                if x as i128 == n {
                    Ok(x)
                } else {
                    Err((at, n.to_string()))
                }
            })
            .collect()
    }
    Ok(match dtype {
        Dtype::F64 => all(bytes, f64::from_le_bytes),
        Dtype::F32 => all(bytes, |b| f64::from(f32::from_le_bytes(b))),
        Dtype::F16 => all(bytes, |b| f16::from_le_bytes(b).to_f64()),
        Dtype::BF16 => all(bytes, |b| bf16::from_le_bytes(b).to_f64()),
        Dtype::BOOL | Dtype::U8 => all(bytes, |[b]| f64::from(b)),
        Dtype::I8 => all(bytes, |b| f64::from(i8::from_le_bytes(b))),
        Dtype::I16 => all(bytes, |b| f64::from(i16::from_le_bytes(b))),
        Dtype::U16 => all(bytes, |b| f64::from(u16::from_le_bytes(b))),
        Dtype::I32 => all(bytes, |b| f64::from(i32::from_le_bytes(b))),
        Dtype::U32 => all(bytes, |b| f64::from(u32::from_le_bytes(b))),
        Dtype::I64 => return whole(bytes, |b| i64::from_le_bytes(b).into()),
        Dtype::U64 => return whole(bytes, |b| u64::from_le_bytes(b).into()),
        _ => unreachable!("`is_readable` was asked before"),
    })
}

/// Rounded to `f32`; the index of a number that is too large, or of a whole one that `f32` does not have.
pub(super) fn narrowed(numbers: &[f64], whole: bool) -> Result<Vec<f32>, usize> {
    let one = |(at, &x): (usize, &f64)| {
        let y = x as f32;
        let lost = (x.is_finite() && !y.is_finite()) || (whole && f64::from(y) != x);
        if lost { Err(at) } else { Ok(y) }
    };
    numbers.iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_exactly_or_not_at_all() {
        let bytes = |n: [i64; 2]| n.map(i64::to_le_bytes).concat();
        assert_eq!(
            read(Dtype::I64, &bytes([-3, 1 << 53])),
            Ok(vec![-3.0, 9_007_199_254_740_992.0])
        );
        let (at, text) = read(Dtype::I64, &bytes([0, (1 << 53) + 1])).unwrap_err();
        assert_eq!((at, text.as_str()), (1, "9007199254740993"));
        assert_eq!(
            read(Dtype::BF16, &[0x80, 0x3f, 0x20, 0xc0]),
            Ok(vec![1.0, -2.5])
        );
        assert_eq!(
            read(Dtype::F16, &[0x00, 0x3c, 0x00, 0xc1]),
            Ok(vec![1.0, -2.5])
        );
        assert_eq!(read(Dtype::BOOL, &[1, 0]), Ok(vec![1.0, 0.0]));
        assert_eq!(read(Dtype::U16, &[0xff, 0xff]), Ok(vec![65535.0]));
    }

    #[test]
    fn what_single_precision_does_not_have_is_found() {
        assert_eq!(
            narrowed(&[0.1, f64::INFINITY], false),
            Ok(vec![0.1, f32::INFINITY])
        );
        assert_eq!(narrowed(&[0.1, 1e300], false), Err(1));
        assert_eq!(narrowed(&[16_777_216.0], true), Ok(vec![16_777_216.0]));
        assert_eq!(narrowed(&[16_777_217.0], true), Err(0));
    }
}
