//! Numbers of mixed precision: kept in single precision, rounded to half precision where matrices are multiplied.
//!
//! A [`Mixed`] is an `f32`, and all arithmetic on it is that of `f32`. What the type adds is what kernels read from it:
//! a product of matrices of `Mixed<bf16>` rounds its operands to `bf16`, as the units of GPUs for such products take
//! them, and sums in `f32` (Micikevicius et al. 2018).

mod format;
mod scalar;

pub use format::{Format, Half};

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// A number of mixed precision: stored and computed in `f32`, and rounded to `H`, which is `bf16` or `f16`, where it is a
/// factor in a product of matrices.
///
/// A network trains in mixed precision when its numbers are of this type (Micikevicius et al. 2018, "Mixed Precision
/// Training"): `net.cast::<Mixed<bf16>>()`. Parameters, gradients and the state of optimisers keep the 24 bits of `f32`,
/// so that small updates add up; norms, softmax, losses and all else element by element is computed in `f32`. Products of
/// matrices, convolutions, attention and recurrent layers round both operands to `H` and sum in `f32`. Their derivatives
/// are such products too: the cotangent is rounded to `H` with the other operand. Rounding itself counts as the identity.
///
/// ```
/// use differentiable::prelude::*;
///
/// // 1 + 2⁻¹² is no number of 8 bits: as a factor of a product of matrices it is 1.
/// let x: Tensor![Mixed<bf16>; 1, 1] = Tensor::full(Mixed::new(1.0 + 2f32.powi(-12)));
/// let one: Tensor![Mixed<bf16>; 1, 1] = Tensor::ones();
/// assert_eq!(x.matmul(&one)[[0, 0]].get(), 1.0);
/// assert_eq!((&x * &one)[[0, 0]].get(), 1.0 + 2f32.powi(-12));
/// ```
///
/// `bf16` has the range of `f32`. Gradients below `6e-8` are zero in `f16`, and above `65504` infinite: train with
/// `optim::LossScale`.
///
/// Matrices are factorised in `f32` and `f64` alone: `solve`, `cholesky` and the like of this type do not compile.
/// Convert to `f32`, which has a derivative, and back: `x.cast::<f32>()`.
///
/// ```compile_fail
/// use differentiable::prelude::*;
///
/// let a: Tensor![Mixed<bf16>; 2, 2] = Tensor::ones();
/// a.inv(); // error: matrices of `Mixed<bf16>` are not factorised
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)] // kernels read a buffer of these as one of `f32`
pub struct Mixed<H> {
    value: f32,
    half: PhantomData<H>,
}

impl<H> Mixed<H> {
    /// The number with the value `x`, which is not rounded.
    #[inline(always)]
    pub const fn new(x: f32) -> Self {
        Mixed {
            value: x,
            half: PhantomData,
        }
    }

    /// The value.
    #[inline(always)]
    pub const fn get(self) -> f32 {
        self.value
    }
}

impl<H: Half> Mixed<H> {
    /// What the number is as a factor of a product of matrices: rounded to the nearest in `H`, to even in the middle.
    #[inline(always)]
    pub fn rounded(self) -> Self {
        Mixed::new(H::FORMAT.round(self.value))
    }
}

impl<H> From<f32> for Mixed<H> {
    #[inline(always)]
    fn from(x: f32) -> Self {
        Mixed::new(x)
    }
}

impl<H> From<Mixed<H>> for f32 {
    #[inline(always)]
    fn from(x: Mixed<H>) -> f32 {
        x.value
    }
}

impl<H> From<Mixed<H>> for f64 {
    #[inline(always)]
    fn from(x: Mixed<H>) -> f64 {
        f64::from(x.value)
    }
}

impl<H> fmt::Debug for Mixed<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.value, f)
    }
}

impl<H> fmt::Display for Mixed<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value, f)
    }
}

macro_rules! operators {
    ($($Op:ident $op:ident)*) => { $(
        impl<H: Half> $Op for Mixed<H> {
            type Output = Self;
            #[inline(always)]
            fn $op(self, other: Self) -> Self {
                Mixed::new($Op::$op(self.value, other.value))
            }
        }
    )* };
}
operators!(Add add Sub sub Mul mul Div div Rem rem);

impl<H: Half> Neg for Mixed<H> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Mixed::new(-self.value)
    }
}

/// Kinds of `Mixed` by one name, for lists of types.
pub(crate) type MixedBf16 = Mixed<half::bf16>;
pub(crate) type MixedF16 = Mixed<half::f16>;
