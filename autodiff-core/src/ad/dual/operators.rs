//! The operators of duals, by value and by reference.
// The rule of a product is a sum.
#![allow(clippy::suspicious_arithmetic_impl)]

use super::Dual;
use crate::ad::{Scalar, quotient, unless_zero};
use core::ops::{Add, Div, Mul, Neg, Rem, Sub};

impl<T: Scalar, const K: usize> Add for Dual<T, K> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        self.mapped(self.value + b.value, |t, k| t + b.tangents[k])
    }
}

impl<T: Scalar, const K: usize> Sub for Dual<T, K> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        self.mapped(self.value - b.value, |t, k| t - b.tangents[k])
    }
}

impl<T: Scalar, const K: usize> Mul for Dual<T, K> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        self.mapped(self.value * b.value, |t, k| {
            t * b.value + b.tangents[k] * self.value
        })
    }
}

impl<T: Scalar, const K: usize> Div for Dual<T, K> {
    type Output = Self;
    #[inline(always)]
    fn div(self, b: Self) -> Self {
        let q = self.value / b.value;
        // One division for all directions; nothing changes along a zero direction, also at ±∞.
        let by = quotient(T::ONE, b.value);
        self.mapped(q, |t, k| {
            let u = b.tangents[k];
            let change = t - unless_zero(u, u * q);
            unless_zero(change, change * by)
        })
    }
}

impl<T: Scalar, const K: usize> Rem for Dual<T, K> {
    type Output = Self;
    #[inline(always)]
    fn rem(self, b: Self) -> Self {
        let out = self.value % b.value;
        let turns = (self.value - out) / b.value;
        self.mapped(out, |t, k| {
            let u = b.tangents[k];
            t - unless_zero(u, u * turns)
        })
    }
}

impl<T: Scalar, const K: usize> Neg for Dual<T, K> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.mapped(-self.value, |t, _| -t)
    }
}

crate::ad::extended::operators!([T: Scalar, const K: usize] Dual<T, K>, Dual::constant, T);
