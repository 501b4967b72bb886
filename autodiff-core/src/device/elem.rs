//! Element types of tensors.

use crate::kernel::ElemKernels;
use core::fmt::Debug;
use half::{bf16, f16};

/// The element type as a value, for devices that choose kernels at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DType {
    /// 32-bit float.
    F32,
    /// 64-bit float.
    F64,
    /// Brain float: the upper half of an `f32`.
    Bf16,
    /// IEEE half precision.
    F16,
    /// Signed 64-bit integer.
    I64,
    /// Unsigned 32-bit integer.
    U32,
    /// Byte.
    U8,
    /// Truth value.
    Bool,
    /// A float with tangents, [`ad::Dual`](crate::ad::Dual).
    Dual,
    /// A 32-bit float that is rounded to `bf16` in products of matrices, [`ad::Mixed`](crate::ad::Mixed).
    MixedBf16,
    /// A 32-bit float that is rounded to `f16` in products of matrices.
    MixedF16,
}

impl DType {
    /// The bytes of an element; those of a number with tangents depend on how many there are.
    pub fn bytes(self) -> Option<usize> {
        match self {
            DType::F64 | DType::I64 => Some(8),
            DType::F32 | DType::U32 | DType::MixedBf16 | DType::MixedF16 => Some(4),
            DType::Bf16 | DType::F16 => Some(2),
            DType::U8 | DType::Bool => Some(1),
            DType::Dual => None,
        }
    }
}

/// As Rust writes the type: `f32`.
impl core::fmt::Display for DType {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            DType::F32 => "f32",
            DType::F64 => "f64",
            DType::Bf16 => "bf16",
            DType::F16 => "f16",
            DType::I64 => "i64",
            DType::U32 => "u32",
            DType::U8 => "u8",
            DType::Bool => "bool",
            DType::Dual => "dual",
            DType::MixedBf16 => "mixed bf16",
            DType::MixedF16 => "mixed f16",
        })
    }
}

/// What an element is made of: numbers of one type, in layers of tangents.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Make {
    /// The type of the numbers.
    pub number: DType,
    /// How many tangents each layer has, from the innermost on; 0 where there is no layer.
    pub tangents: [usize; Make::LAYERS],
    /// Whether there are more layers than have room here.
    pub deeper: bool,
}

impl Make {
    const LAYERS: usize = 3;

    const fn of(number: DType) -> Self {
        Make {
            number,
            tangents: [0; Make::LAYERS],
            deeper: false,
        }
    }

    /// With one more layer of `k` tangents.
    pub(super) const fn with_tangents(mut self, k: usize) -> Self {
        let mut layer = 0;
        while layer < Make::LAYERS && self.tangents[layer] != 0 {
            layer += 1;
        }
        if k == 0 || layer == Make::LAYERS {
            self.deeper = true;
        } else {
            self.tangents[layer] = k;
        }
        self
    }

    /// The layers, from the innermost on.
    #[cfg_attr(
        not(feature = "cuda"),
        allow(dead_code, reason = "other machines have no types of C++")
    )]
    pub(super) fn layers(self) -> impl Iterator<Item = usize> {
        self.tangents.into_iter().take_while(|&k| k != 0)
    }
}

pub(super) mod sealed {
    pub trait Sealed {}
}

/// A type that tensors can hold.
///
/// Sealed: every device has to know all of them.
pub trait Elem:
    Copy
    + Default
    + PartialEq
    + PartialOrd
    + Debug
    + Send
    + Sync
    + ElemKernels
    + sealed::Sealed
    + 'static
{
    /// The type as a value.
    const DTYPE: DType;
    /// One, or `true`.
    const ONE: Self;
    /// Whether every bit pattern is a value of the type.
    const ANY_BITS: bool;
    /// Whether the type holds integers (or truth values), so that conversions go through `i64`.
    const INTEGER: bool;
    /// What it is made of.
    #[doc(hidden)]
    const MAKE: Make = Make::of(Self::DTYPE);
    /// Whether an element is several numbers, as a [`Dual`](crate::ad::Dual) is.
    #[doc(hidden)]
    const COMPOSITE: bool = false;
    /// The value as `f64`.
    fn to_f64(self) -> f64;
    /// The nearest value to an `f64`; integers saturate, `bool` is "not zero".
    fn from_f64(x: f64) -> Self;
    /// The value as `i64`; floats truncate.
    fn to_i64(self) -> i64;
    /// Conversion as by `as`.
    fn from_i64(x: i64) -> Self;
    /// Whether it carries a tangent that is not zero, which a conversion would lose.
    #[inline(always)]
    fn changes(self) -> bool {
        false
    }
}

macro_rules! elem {
    ($($t:ident $d:ident $int:literal),*) => { $(
        impl sealed::Sealed for $t {}
        impl Elem for $t {
            const DTYPE: DType = DType::$d;
            const ONE: Self = 1 as $t;
            const ANY_BITS: bool = true;
            const INTEGER: bool = $int;
            #[inline(always)]
            fn to_f64(self) -> f64 { self as f64 }
            #[inline(always)]
            fn from_f64(x: f64) -> Self { x as $t }
            #[inline(always)]
            fn to_i64(self) -> i64 { self as i64 }
            #[inline(always)]
            fn from_i64(x: i64) -> Self { x as $t }
        }
    )* };
}
elem!(f32 F32 false, f64 F64 false, i64 I64 true, u32 U32 true, u8 U8 true);

/// An `f64` as an `f32` from which rounding once more gives the nearest number: what does not fit goes to
/// the neighbour with an odd last bit, which is never half way between two shorter numbers.
#[inline(always)]
fn to_odd(x: f64) -> f32 {
    let y = x as f32;
    let (back, bits) = (f64::from(y), y.to_bits());
    if back == x || !y.is_finite() || bits & 1 == 1 {
        y
    } else if back.abs() < x.abs() {
        f32::from_bits(bits + 1)
    } else {
        f32::from_bits(bits - 1)
    }
}

macro_rules! half {
    ($($t:ident $d:ident),*) => { $(
        impl sealed::Sealed for $t {}
        impl Elem for $t {
            const DTYPE: DType = DType::$d;
            const ONE: Self = $t::ONE;
            const ANY_BITS: bool = true;
            const INTEGER: bool = false;
            #[inline(always)]
            fn to_f64(self) -> f64 { $t::to_f64(self) }
            #[inline(always)]
            fn from_f64(x: f64) -> Self { $t::from_f32(to_odd(x)) }
            #[inline(always)]
            fn to_i64(self) -> i64 { $t::to_f64(self) as i64 }
            #[inline(always)]
            fn from_i64(x: i64) -> Self { <$t as Elem>::from_f64(x as f64) }
        }
    )* };
}
half!(bf16 Bf16, f16 F16);

impl sealed::Sealed for bool {}
impl Elem for bool {
    const DTYPE: DType = DType::Bool;
    const ONE: Self = true;
    const ANY_BITS: bool = false;
    const INTEGER: bool = true;
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(u8::from(self))
    }
    #[inline(always)]
    fn from_f64(x: f64) -> Self {
        x != 0.0
    }
    #[inline(always)]
    fn to_i64(self) -> i64 {
        i64::from(self)
    }
    #[inline(always)]
    fn from_i64(x: i64) -> Self {
        x != 0
    }
}

/// An element type that can number rows and classes.
pub trait Index: Elem {
    /// The position, or `None` for a negative number.
    fn position(self) -> Option<usize>;
}

impl Index for i64 {
    #[inline(always)]
    fn position(self) -> Option<usize> {
        usize::try_from(self).ok()
    }
}

impl Index for u32 {
    #[inline(always)]
    fn position(self) -> Option<usize> {
        usize::try_from(self).ok()
    }
}
