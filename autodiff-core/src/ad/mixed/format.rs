//! The formats of half precision, and rounding to them.

use core::fmt::Debug;
use half::{bf16, f16};

mod sealed {
    pub trait Sealed {}
    impl Sealed for half::bf16 {}
    impl Sealed for half::f16 {}
}

/// A number of half precision: `bf16` or `f16`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number of half precision",
    label = "expected `bf16` or `f16`"
)]
pub trait Half: sealed::Sealed + Copy + Debug + Send + Sync + 'static {
    /// How an `f32` is rounded to the type.
    const FORMAT: Format;
}

impl Half for bf16 {
    const FORMAT: Format = Format::Bf16;
}

impl Half for f16 {
    const FORMAT: Format = Format::F16;
}

/// A format of half precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// 8 bits of precision and the exponents of `f32`.
    Bf16,
    /// 11 bits of precision, numbers from `6e-8` to `65504`.
    F16,
}

impl Format {
    /// The nearest number of the format, of two the even one, as an `f32`; too large ones become infinite.
    #[inline(always)]
    pub fn round(self, x: f32) -> f32 {
        match self {
            Format::Bf16 => to_bf16(x),
            Format::F16 => to_f16(x),
        }
    }
}

/// `x` without its last `N` bits: to the nearest, of two the even one. NaN may become infinite.
#[inline(always)]
fn shortened<const N: u32>(x: f32) -> f32 {
    let bits = x.to_bits();
    let even = (bits >> N) & 1;
    let half = (1 << (N - 1)) - 1;
    f32::from_bits((bits.wrapping_add(half + even)) & !((1 << N) - 1))
}

// Choices of values, not branches: loops over them become vector code.

#[inline(always)]
fn to_bf16(x: f32) -> f32 {
    let y = shortened::<16>(x);
    if x.is_nan() { x } else { y }
}

#[inline(always)]
fn to_f16(x: f32) -> f32 {
    /// The smallest number with all bits.
    const NORMAL: f32 = 1.0 / 16384.0;
    /// The first number that is too large.
    const LIMIT: f32 = 65536.0;
    let normal = shortened::<13>(x);
    let size = x.abs();
    // Numbers of `f32` from ½ to 1 are as far apart as the small ones of `f16`.
    let small = ((size + 0.5) - 0.5).copysign(x);
    let y = if size < NORMAL { small } else { normal };
    let y = if y.abs() >= LIMIT {
        f32::INFINITY.copysign(x)
    } else {
        y
    };
    if x.is_nan() { x } else { y }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_that_of_the_types() {
        // All exponents and signs, with bits around what is kept and what is not.
        let ends = [
            0, 1, 0xfff, 0x1000, 0x1001, 0x1fff, 0x7fff, 0x8000, 0x8001, 0xffff,
        ];
        for top in 0..=u32::from(u16::MAX) {
            for middle in [0, 0x2000, 0x4000, 0x6000] {
                for end in ends {
                    let x = f32::from_bits(top << 16 | middle | end);
                    let same =
                        |a: f32, b: f32| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
                    let (b, h) = (bf16::from_f32(x).to_f32(), f16::from_f32(x).to_f32());
                    assert!(same(Format::Bf16.round(x), b), "{x:e}: {b:e}");
                    assert!(same(Format::F16.round(x), h), "{x:e}: {h:e}");
                }
            }
        }
    }
}
