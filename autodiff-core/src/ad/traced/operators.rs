//! The operators: the result depends on what both operands depend on.

use super::Traced;
use crate::ad::{Scalar, Tangent};
use core::ops::{Add, Div, Mul, Neg, Rem, Sub};

macro_rules! unions {
    ($($Op:ident $op:ident)*) => { $(
        impl<T: Scalar> $Op for Traced<T> {
            type Output = Self;
            #[inline(always)]
            fn $op(self, b: Self) -> Self {
                self.and(b, $Op::$op(self.value, b.value))
            }
        }
    )* };
}
unions!(Add add Sub sub Mul mul Div div Rem rem);

impl<T: Scalar> Neg for Traced<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.with(-self.value)
    }
}

crate::ad::extended::operators!([T: Scalar] Traced<T>, Traced::constant, T);
crate::ad::extended::space!([T: Scalar] Traced<T>, Traced::constant(T::zero_ct(&())));

impl<T: Scalar> Tangent for Traced<T> {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn scale(self, factor: f64) -> Self {
        self.with(self.value.scale(factor))
    }
    /// That of the numbers.
    #[inline(always)]
    fn dot(&self, other: &Self) -> f64 {
        self.value.dot(&other.value)
    }
    #[inline(always)]
    fn fill_with(&self, next: &mut dyn FnMut() -> f64) -> Self {
        Traced::lit(next())
    }
}
