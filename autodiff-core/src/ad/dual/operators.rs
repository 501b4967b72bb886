//! The operators of duals, by value and by reference.
// The rule of a product is a sum.
#![allow(clippy::suspicious_arithmetic_impl)]

use super::Dual;
use crate::ad::{Scalar, quotient, unless_zero};
use core::iter::{Product, Sum};
use core::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

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

impl<T: Scalar, const K: usize> Neg for &Dual<T, K> {
    type Output = Dual<T, K>;
    #[inline(always)]
    fn neg(self) -> Dual<T, K> {
        -*self
    }
}

macro_rules! by_reference {
    ($($Op:ident $op:ident $Assign:ident $assign:ident)*) => { $(
        impl<T: Scalar, const K: usize> $Op<&Dual<T, K>> for Dual<T, K> {
            type Output = Self;
            #[inline(always)]
            fn $op(self, b: &Self) -> Self {
                $Op::$op(self, *b)
            }
        }
        impl<T: Scalar, const K: usize> $Op<Dual<T, K>> for &Dual<T, K> {
            type Output = Dual<T, K>;
            #[inline(always)]
            fn $op(self, b: Dual<T, K>) -> Dual<T, K> {
                $Op::$op(*self, b)
            }
        }
        impl<T: Scalar, const K: usize> $Op<&Dual<T, K>> for &Dual<T, K> {
            type Output = Dual<T, K>;
            #[inline(always)]
            fn $op(self, b: &Dual<T, K>) -> Dual<T, K> {
                $Op::$op(*self, *b)
            }
        }
        impl<T: Scalar, const K: usize> $Assign for Dual<T, K> {
            #[inline(always)]
            fn $assign(&mut self, b: Self) {
                *self = $Op::$op(*self, b);
            }
        }
        impl<T: Scalar, const K: usize> $Assign<&Dual<T, K>> for Dual<T, K> {
            #[inline(always)]
            fn $assign(&mut self, b: &Self) {
                *self = $Op::$op(*self, *b);
            }
        }
    )* };
}

by_reference! {
    Add add AddAssign add_assign
    Sub sub SubAssign sub_assign
    Mul mul MulAssign mul_assign
    Div div DivAssign div_assign
    Rem rem RemAssign rem_assign
}

macro_rules! folded {
    ($($Fold:ident $fold:ident $op:tt)*) => { $(
        impl<T: Scalar, const K: usize> $Fold for Dual<T, K> {
            #[inline]
            fn $fold<I: Iterator<Item = Self>>(all: I) -> Self {
                // From where the values start: an empty sum is -0.0.
                let start = Dual::constant(core::iter::empty::<T>().$fold());
                all.fold(start, |a, b| a $op b)
            }
        }
        impl<'a, T: Scalar, const K: usize> $Fold<&'a Self> for Dual<T, K> {
            #[inline]
            fn $fold<I: Iterator<Item = &'a Self>>(all: I) -> Self {
                all.copied().$fold()
            }
        }
    )* };
}

folded!(Sum sum + Product product *);
