//! The real scalars, `f32` and `f64`, and those with tangents, behind one trait: the rules are written
//! over it, and so can users' generic functions be.

use super::lanes::each;
use super::{Acc, Differentiable, HeapSize, Leaf, NoGrad, Off, On, Rounded, Tangent};
use core::cmp::Ordering;
use core::fmt::{Debug, Display};
use core::iter::{Product, Sum};
use core::num::FpCategory;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, Sub, SubAssign};

pub(super) mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

macro_rules! scalar {
    ({ binary $($binary:ident)*; query $($query:ident)* }
        [$($(#[$doc:meta])* $unary:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
    ) => {
        /// `f32`, `f64`, a [`Dual`](super::Dual), a [`Traced`](super::Traced) or a [`Batch`](super::Batch) of one, with
        /// the methods they share.
        ///
        /// Sealed: rules rely on how these behave at zeros, infinities and NaN.
        pub trait Scalar:
            sealed::Sealed + Copy + PartialOrd + Default + Debug + Display + Send + Sync + 'static
            + Differentiable<Tangent = Self, Proto = (), Adj<On> = Self> + Differentiable<Adj<Off> = NoGrad>
            + Leaf<LeafAdj = Self> + Acc<Self> + Tangent + Rounded + HeapSize
            + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
            + Rem<Output = Self> + Neg<Output = Self>
            + AddAssign + SubAssign + MulAssign + DivAssign
            + Sum + for<'a> Sum<&'a Self> + Product + for<'a> Product<&'a Self>
        {
            /// Zero.
            const ZERO: Self;
            /// One.
            const ONE: Self;
            /// How many layers of tangents, or of sets, there are around the value.
            #[doc(hidden)]
            const LAYERS: usize;
            /// The distance from one to the next number.
            #[doc(hidden)]
            const EPSILON: f64;

            /// The scalar nearest to `value`: how generic code writes a literal.
            fn lit(value: f64) -> Self;
            /// A literal is constant: an active value is an error.
            #[doc(hidden)]
            fn __lit_vjp<M: super::Inactive>(_: (M,), value: f64) -> (Self, fn(Self, &mut M::Leaf<f64>)) {
                (Self::lit(value), |_, _| {})
            }
            /// The same in forward mode.
            #[doc(hidden)]
            fn __lit_jvp(value: f64, _: f64) -> (Self, Self) {
                (Self::lit(value), Self::ZERO)
            }
            /// The value as `f64`, without tangents.
            fn to_f64(self) -> f64;
            /// Whether the value is zero, and every tangent that it carries.
            ///
            /// Scalars are compared by their values, so `x == T::ZERO` does not ask for the tangents.
            fn is_zero(self) -> bool;
            /// The integer power.
            fn powi(self, n: i32) -> Self;
            /// The value limited to `[lo, hi]`; panics as `f64::clamp` does.
            fn clamp(self, lo: Self, hi: Self) -> Self;
            /// `self · a + b`, rounded once.
            fn mul_add(self, a: Self, b: Self) -> Self;
            /// The sine and the cosine.
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) { (self.sin(), self.cos()) }
            /// The logarithm to a base.
            #[inline(always)]
            fn log(self, base: Self) -> Self { self.ln() / base.ln() }
            /// The order of the values in which also NaN and the signs of zeros have a place.
            fn total_cmp(&self, other: &Self) -> Ordering;
            /// What kind of number the value is.
            fn classify(self) -> FpCategory;
            // What a batch of numbers does in each lane, and once for all where it can.
            #[doc(hidden)]
            #[inline(always)]
            fn where_zero(self, zero: Self, other: Self) -> Self { if self.is_zero() { zero } else { other } }
            #[doc(hidden)]
            #[inline(always)]
            fn unless_zero_at(self, _slope: Self, image: Self) -> Self { self.where_zero(self, image) }
            #[doc(hidden)]
            #[inline(always)]
            fn where_zero_lanes<const N: usize>(t: [Self; N], zero: [Self; N], mut other: [Self; N]) -> [Self; N] {
                for k in 0..N {
                    other[k] = t[k].where_zero(zero[k], other[k]);
                }
                other
            }
            #[doc(hidden)]
            #[inline(always)]
            fn add_lanes<const N: usize>(a: [Self; N], b: [Self; N]) -> [Self; N] { each(a, b, Add::add) }
            #[doc(hidden)]
            #[inline(always)]
            fn sub_lanes<const N: usize>(a: [Self; N], b: [Self; N]) -> [Self; N] { each(a, b, Sub::sub) }
            #[doc(hidden)]
            #[inline(always)]
            fn mul_lanes<const N: usize>(a: [Self; N], b: [Self; N]) -> [Self; N] { each(a, b, Mul::mul) }
            #[doc(hidden)]
            #[inline(always)]
            fn div_lanes<const N: usize>(a: [Self; N], b: [Self; N]) -> [Self; N] { each(a, b, Div::div) }
            $(
                #[doc = concat!("The same as `f64::", stringify!($query), "` of the value.")]
                fn $query(self) -> bool;
            )*
            $(
                #[doc = concat!("The same as `f64::", stringify!($unary), "`.")]
                fn $unary(self) -> Self;
            )*
            $(
                #[doc = concat!("The same as `f64::", stringify!($binary), "`.")]
                fn $binary(self, other: Self) -> Self;
            )*
        }

        scalar!(impl f32 {}: unary $($unary)*; binary $($binary)*; query $($query)*);
        scalar!(impl f64 { super::lanes::of_f64!(); }: unary $($unary)*; binary $($binary)*; query $($query)*);
    };
    (impl $t:ident { $($own:tt)* }: unary $($unary:ident)*; binary $($binary:ident)*; query $($query:ident)*) => {
        impl Scalar for $t {
            $($own)*
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const LAYERS: usize = 0;
            const EPSILON: f64 = $t::EPSILON as f64;

            #[inline(always)]
            fn lit(value: f64) -> Self { value as $t }
            #[inline(always)]
            fn to_f64(self) -> f64 { f64::from(self) }
            #[inline(always)]
            fn is_zero(self) -> bool { self == 0.0 }
            #[inline(always)]
            fn powi(self, n: i32) -> Self { $t::powi(self, n) }
            #[inline(always)]
            fn clamp(self, lo: Self, hi: Self) -> Self { $t::clamp(self, lo, hi) }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self { $t::mul_add(self, a, b) }
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) { $t::sin_cos(self) }
            #[inline(always)]
            fn log(self, base: Self) -> Self { $t::log(self, base) }
            #[inline(always)]
            fn total_cmp(&self, other: &Self) -> Ordering { $t::total_cmp(self, other) }
            #[inline(always)]
            fn classify(self) -> FpCategory { $t::classify(self) }
            $(
                #[inline(always)]
                fn $query(self) -> bool { $t::$query(self) }
            )*
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

autodiff_vocabulary::functions!(short scalar, {
    binary powf atan2 hypot max min copysign rem_euclid div_euclid midpoint;
    query is_nan is_finite is_infinite is_sign_positive is_sign_negative is_normal is_subnormal
} [numbers turns shifts scales scalars flat flat_scalars]);
