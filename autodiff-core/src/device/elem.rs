//! Element types of tensors.

use crate::ad::FloatRules;
use crate::kernel::fourier::FourierKernels;
use crate::kernel::linalg::LinalgKernels;
use crate::kernel::normal::Normal;
use crate::kernel::random::Draw;
use crate::kernel::trig::Trig;
use crate::kernel::{ElemKernels, FloatKernels, exponential, math, special, trig};
use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};
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
}

mod sealed {
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
    /// The value as `f64`.
    fn to_f64(self) -> f64;
    /// The nearest value to an `f64`; integers saturate, `bool` is "not zero".
    fn from_f64(x: f64) -> Self;
    /// The value as `i64`; floats truncate.
    fn to_i64(self) -> i64;
    /// Conversion as by `as`.
    fn from_i64(x: i64) -> Self;
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

macro_rules! float_methods {
    ($($(#[$doc:meta])* $m:ident),*) => { $($(#[$doc])* fn $m(self) -> Self;)* };
}
macro_rules! float_impl {
    ($t:ident: $($m:ident),*) => { $(
        #[inline(always)]
        fn $m(self) -> Self { <$t>::$m(self) }
    )* };
}

/// An element type with full arithmetic and derivatives: `f32` and `f64`.
pub trait Float:
    Elem
    + FloatKernels
    + LinalgKernels
    + FourierKernels
    + Normal
    + Trig
    + Draw
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + FloatRules
{
    /// Zero.
    const ZERO: Self;
    /// Not a number.
    const NAN: Self;
    /// Positive infinity.
    const INFINITY: Self;
    /// The smallest positive number with all digits.
    const MIN_POSITIVE: Self;
    /// A constant, rounded to the type.
    fn lit(x: f64) -> Self;
    float_methods!(
        /// Square root.
        sqrt,
        /// Cube root.
        cbrt,
        /// `e^x`.
        exp,
        /// `2^x`.
        exp2,
        /// `e^x − 1`, accurate near 0.
        exp_m1,
        /// Natural logarithm.
        ln,
        /// `ln(1 + x)`, accurate near 0.
        ln_1p,
        /// Logarithm to base 2.
        log2,
        /// Logarithm to base 10.
        log10,
        /// Sine.
        sin,
        /// Cosine.
        cos,
        /// Tangent.
        tan,
        /// Inverse sine.
        asin,
        /// Inverse cosine.
        acos,
        /// Inverse tangent.
        atan,
        /// Hyperbolic sine.
        sinh,
        /// Hyperbolic cosine.
        cosh,
        /// Hyperbolic tangent.
        tanh,
        /// Inverse hyperbolic sine.
        asinh,
        /// Inverse hyperbolic cosine.
        acosh,
        /// Inverse hyperbolic tangent.
        atanh,
        /// Absolute value.
        abs,
        /// Largest integer not above.
        floor,
        /// Smallest integer not below.
        ceil,
        /// Nearest integer, halves away from 0.
        round,
        /// Integer part.
        trunc,
        /// Fractional part.
        fract
    );
    /// The error function.
    fn erf(self) -> Self;
    /// `1 − erf`, accurate where that is small.
    fn erfc(self) -> Self;
    /// `ln |Γ|`.
    fn ln_gamma(self) -> Self;
    /// The derivative of `ln |Γ|`.
    fn digamma(self) -> Self;
    /// The second derivative of `ln |Γ|`.
    fn trigamma(self) -> Self;
    /// `self^p`.
    fn powf(self, p: Self) -> Self;
    /// `self^n`.
    fn powi(self, n: i32) -> Self;
    /// The angle of the point `(x, self)`.
    fn atan2(self, x: Self) -> Self;
    /// `√(self² + y²)` without overflow.
    fn hypot(self, y: Self) -> Self;
    /// The remainder of the division rounded towards zero.
    fn remainder(self, y: Self) -> Self;
    /// The larger, ignoring NaN.
    fn maximum(self, o: Self) -> Self;
    /// The smaller, ignoring NaN.
    fn minimum(self, o: Self) -> Self;
    /// Whether not a number.
    fn is_nan(self) -> bool;
    /// −1, 1 or NaN; the sign of a zero counts.
    fn signum(self) -> Self;
}

macro_rules! float {
    ($t:ident $exp:ident $ln:ident $sin:ident $cos:ident $tan:ident $tanh:ident $powf:path, $erf:ident $erfc:ident $ln_gamma:ident $digamma:ident $trigamma:ident) => {
        impl Float for $t {
            const ZERO: Self = 0.0;
            const NAN: Self = $t::NAN;
            const INFINITY: Self = $t::INFINITY;
            const MIN_POSITIVE: Self = $t::MIN_POSITIVE;
            #[inline(always)]
            fn lit(x: f64) -> Self {
                x as $t
            }
            float_impl!($t: sqrt, cbrt, exp2, log2, log10,
                asin, acos, atan, sinh, cosh, abs, floor, ceil, round,
                trunc, fract, signum);
            #[inline(always)]
            fn exp(self) -> Self {
                math::$exp(self)
            }
            #[inline(always)]
            fn ln(self) -> Self {
                math::$ln(self)
            }
            #[inline(always)]
            fn exp_m1(self) -> Self {
                exponential::exp_m1(self)
            }
            #[inline(always)]
            fn ln_1p(self) -> Self {
                exponential::ln_1p(self)
            }
            #[inline(always)]
            fn asinh(self) -> Self {
                exponential::asinh(self)
            }
            #[inline(always)]
            fn acosh(self) -> Self {
                exponential::acosh(self)
            }
            #[inline(always)]
            fn atanh(self) -> Self {
                exponential::atanh(self)
            }
            #[inline(always)]
            fn sin(self) -> Self {
                trig::$sin(self)
            }
            #[inline(always)]
            fn cos(self) -> Self {
                trig::$cos(self)
            }
            #[inline(always)]
            fn tan(self) -> Self {
                trig::$tan(self)
            }
            #[inline(always)]
            fn tanh(self) -> Self {
                math::$tanh(self)
            }
            #[inline(always)]
            fn erf(self) -> Self {
                math::$erf(self)
            }
            #[inline(always)]
            fn erfc(self) -> Self {
                special::$erfc(self)
            }
            #[inline(always)]
            fn ln_gamma(self) -> Self {
                special::$ln_gamma(self)
            }
            #[inline(always)]
            fn digamma(self) -> Self {
                special::$digamma(self)
            }
            #[inline(always)]
            fn trigamma(self) -> Self {
                special::$trigamma(self)
            }
            #[inline(always)]
            fn powf(self, p: Self) -> Self {
                $powf(self, p)
            }
            #[inline(always)]
            fn powi(self, n: i32) -> Self {
                <$t>::powi(self, n)
            }
            #[inline(always)]
            fn atan2(self, x: Self) -> Self {
                <$t>::atan2(self, x)
            }
            #[inline(always)]
            fn hypot(self, y: Self) -> Self {
                <$t>::hypot(self, y)
            }
            #[inline(always)]
            fn remainder(self, y: Self) -> Self {
                self % y
            }
            #[inline(always)]
            fn maximum(self, o: Self) -> Self {
                <$t>::max(self, o)
            }
            #[inline(always)]
            fn minimum(self, o: Self) -> Self {
                <$t>::min(self, o)
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                <$t>::is_nan(self)
            }
        }
    };
}
float!(f32 exp_f32 ln_f32 sin_f32 cos_f32 tan_f32 tanh_f32 exponential::powf_f32, erf_f32 erfc_f32 ln_gamma_f32 digamma_f32 trigamma_f32);
float!(f64 exp_f64 ln_f64 sin_f64 cos_f64 tan_f64 tanh_f64 f64::powf, erf_f64 erfc_f64 ln_gamma_f64 digamma_f64 trigamma_f64);
