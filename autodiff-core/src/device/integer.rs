//! Integers that tensors compute with.

use super::Elem;
use crate::kernel::IntegerKernels;

/// A function of two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are the functions
pub enum IntegerOp {
    Add,
    Sub,
    Mul,
    /// Rounded towards zero; a zero divisor panics.
    Div,
    /// The remainder of `Div`.
    Rem,
    Max,
    Min,
}

/// An integer element type with arithmetic, which wraps around.
pub trait Integer: Elem + IntegerKernels {
    /// `self + b`
    #[must_use]
    fn add(self, b: Self) -> Self;
    /// `self − b`
    #[must_use]
    fn sub(self, b: Self) -> Self;
    /// `self · b`
    #[must_use]
    fn mul(self, b: Self) -> Self;
    /// `self / b`, rounded towards zero
    #[must_use]
    fn div(self, b: Self) -> Self;
    /// The remainder of that.
    #[must_use]
    fn rem(self, b: Self) -> Self;
}

macro_rules! integer {
    ($($t:ident)*) => { $(
        impl Integer for $t {
            #[inline(always)]
            fn add(self, b: Self) -> Self {
                self.wrapping_add(b)
            }
            #[inline(always)]
            fn sub(self, b: Self) -> Self {
                self.wrapping_sub(b)
            }
            #[inline(always)]
            fn mul(self, b: Self) -> Self {
                self.wrapping_mul(b)
            }
            #[inline(always)]
            fn div(self, b: Self) -> Self {
                self.wrapping_div(b)
            }
            #[inline(always)]
            fn rem(self, b: Self) -> Self {
                self.wrapping_rem(b)
            }
        }
    )* };
}
integer!(i64 u32 u8);
