//! The real scalars, `f32` and `f64`, behind one trait: the rules are written over it, and so can
//! users' generic functions be.

use super::{Acc, Differentiable, Leaf, On, Tangent};
use core::fmt::{Debug, Display};
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, Sub, SubAssign};

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

macro_rules! scalar {
    (unary $($unary:ident)*; binary $($binary:ident)*) => {
        /// `f32` or `f64`, with the methods the two share.
        ///
        /// Sealed: rules rely on how these two behave at zeros, infinities and NaN.
        pub trait Scalar:
            sealed::Sealed + Copy + PartialOrd + Default + Debug + Display + Send + Sync + 'static
            + Differentiable<Tangent = Self, Proto = (), Adj<On> = Self>
            + Leaf<LeafAdj = Self> + Acc<Self> + Tangent
            + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
            + Rem<Output = Self> + Neg<Output = Self>
            + AddAssign + SubAssign + MulAssign + DivAssign
            + Sum + for<'a> Sum<&'a Self> + Product + for<'a> Product<&'a Self>
        {
            /// Zero.
            const ZERO: Self;
            /// One.
            const ONE: Self;

            /// The scalar nearest to `value`: how generic code writes a literal.
            fn lit(value: f64) -> Self;
            /// The value as `f64`.
            fn to_f64(self) -> f64;
            /// The integer power.
            fn powi(self, n: i32) -> Self;
            /// The value limited to `[lo, hi]`; panics as `f64::clamp` does.
            fn clamp(self, lo: Self, hi: Self) -> Self;
            /// `self · a + b`, rounded once.
            fn mul_add(self, a: Self, b: Self) -> Self;
            /// Whether the value is NaN.
            fn is_nan(self) -> bool;
            /// Whether the value is neither infinite nor NaN.
            fn is_finite(self) -> bool;
            $(
                #[doc = concat!("The same as `f64::", stringify!($unary), "`.")]
                fn $unary(self) -> Self;
            )*
            $(
                #[doc = concat!("The same as `f64::", stringify!($binary), "`.")]
                fn $binary(self, other: Self) -> Self;
            )*
        }

        scalar!(impl f32: unary $($unary)*; binary $($binary)*);
        scalar!(impl f64: unary $($unary)*; binary $($binary)*);
    };
    (impl $t:ident: unary $($unary:ident)*; binary $($binary:ident)*) => {
        impl Scalar for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;

            #[inline(always)]
            fn lit(value: f64) -> Self { value as $t }
            #[inline(always)]
            fn to_f64(self) -> f64 { f64::from(self) }
            #[inline(always)]
            fn powi(self, n: i32) -> Self { $t::powi(self, n) }
            #[inline(always)]
            fn clamp(self, lo: Self, hi: Self) -> Self { $t::clamp(self, lo, hi) }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self { $t::mul_add(self, a, b) }
            #[inline(always)]
            fn is_nan(self) -> bool { $t::is_nan(self) }
            #[inline(always)]
            fn is_finite(self) -> bool { $t::is_finite(self) }
            $(
                #[inline(always)]
                fn $unary(self) -> Self { $t::$unary(self) }
            )*
            $(
                #[inline(always)]
                fn $binary(self, other: Self) -> Self { $t::$binary(self, other) }
            )*
        }
    };
}

scalar! {
    unary exp exp2 exp_m1 ln log2 log10 ln_1p sqrt cbrt recip
          sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
          abs signum floor ceil round trunc fract to_degrees to_radians;
    binary powf atan2 hypot max min copysign rem_euclid div_euclid midpoint
}
