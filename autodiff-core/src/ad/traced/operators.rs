//! The operators: the result depends on what both operands depend on.

use super::Traced;
use crate::ad::Scalar;
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
crate::ad::extended::space!([T: Scalar] Traced<T>, T, Traced::constant(T::zero_ct(&())), |x, by| x.with(x.value.scale(by)));
