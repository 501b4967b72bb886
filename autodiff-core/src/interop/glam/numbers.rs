//! What the rules need of all types alike.

use crate::ad::{Scalar, quotient};
use core::array::from_fn;
use glam::*;

/// A value as its numbers.
pub(super) trait Numbers: Copy {
    type T: Scalar;
    /// Each number by itself.
    fn map(self, f: impl Fn(Self::T) -> Self::T) -> Self;
    /// Pairs of numbers.
    fn zip(self, other: Self, f: impl Fn(Self::T, Self::T) -> Self::T) -> Self;
    /// The inner product.
    fn inner(self, other: Self) -> Self::T;
    /// All numbers over one; zero stays zero, whatever the divisor.
    #[inline]
    fn over(self, k: Self::T) -> Self {
        self.map(|x| quotient(x, k))
    }
    /// Number by number.
    #[inline]
    fn over_each(self, k: Self) -> Self {
        self.zip(k, quotient)
    }
}

macro_rules! numbers {
    ($($V:ident $T:ident $to:ident $from:ident [$($by:tt)?];)*) => { $(
        impl Numbers for $V {
            type T = $T;
            #[inline]
            fn map(self, f: impl Fn($T) -> $T) -> $V {
                $V::$from($($by)? self.$to().map(f))
            }
            #[inline]
            fn zip(self, other: $V, f: impl Fn($T, $T) -> $T) -> $V {
                let (a, b) = (self.$to(), other.$to());
                $V::$from($($by)? from_fn(|i| f(a[i], b[i])))
            }
            #[inline]
            fn inner(self, other: $V) -> $T {
                self.$to().iter().zip(other.$to()).map(|(a, b)| a * b).sum()
            }
        }
    )* };
}

numbers! {
    Vec2 f32 to_array from_array [];
    Vec3 f32 to_array from_array [];
    Vec4 f32 to_array from_array [];
    Quat f32 to_array from_array [];
    Mat2 f32 to_cols_array from_cols_array [&];
    Mat3 f32 to_cols_array from_cols_array [&];
    Mat4 f32 to_cols_array from_cols_array [&];
    DVec2 f64 to_array from_array [];
    DVec3 f64 to_array from_array [];
    DVec4 f64 to_array from_array [];
    DQuat f64 to_array from_array [];
    DMat2 f64 to_cols_array from_cols_array [&];
    DMat3 f64 to_cols_array from_cols_array [&];
    DMat4 f64 to_cols_array from_cols_array [&];
}

/// Products of vectors that are matrices.
pub(super) trait Outer {
    type Matrix;
    /// The matrix `self otherᵀ`.
    fn outer(self, other: Self) -> Self::Matrix;
}

macro_rules! outer {
    ($($V:ident $M:ident $($f:ident)*;)*) => { $(
        impl Outer for $V {
            type Matrix = $M;
            #[inline]
            fn outer(self, other: $V) -> $M {
                $M::from_cols($(self * other.$f),*)
            }
        }
    )* };
}
outer! {
    Vec2 Mat2 x y; Vec3 Mat3 x y z; Vec4 Mat4 x y z w;
    DVec2 DMat2 x y; DVec3 DMat3 x y z; DVec4 DMat4 x y z w;
}
