//! The functions of traced numbers: what each result depends on.

use super::Traced;
use crate::ad::Scalar;
use core::cmp::Ordering;
use core::num::FpCategory;

macro_rules! traced {
    ({ binary $($op2:ident)*; query $($query:ident)* }
        [$($(#[$doc:meta])* $op:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
        [$($(#[$doc0:meta])* $flat:ident $Op0:tt $Rule0:tt $reads0:ident ($cost0:literal $pull_cost0:literal) $domain0:tt;)*]
    ) => {
        impl<T: Scalar> Scalar for Traced<T> {
            const ZERO: Self = Traced { value: T::ZERO, set: super::Set::EMPTY };
            const ONE: Self = Traced { value: T::ONE, set: super::Set::EMPTY };
            const LAYERS: usize = 1 + T::LAYERS;
            const EPSILON: f64 = T::EPSILON;

            #[inline(always)]
            fn lit(value: f64) -> Self { Traced::constant(T::lit(value)) }
            #[inline(always)]
            fn to_f64(self) -> f64 { self.value.to_f64() }
            /// A zero that depends on an input is not always one.
            #[inline(always)]
            fn is_zero(self) -> bool { self.set.is_empty() && self.value.is_zero() }
            #[inline(always)]
            fn powi(self, n: i32) -> Self {
                match n {
                    0 => Traced::constant(self.value.powi(n)),
                    _ => self.with(self.value.powi(n)),
                }
            }
            #[inline(always)]
            fn clamp(self, lo: Self, hi: Self) -> Self {
                self.and(lo, T::ZERO).and(hi, self.value.clamp(lo.value, hi.value))
            }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                self.and(a, T::ZERO).and(b, self.value.mul_add(a.value, b.value))
            }
            #[inline(always)]
            fn total_cmp(&self, other: &Self) -> Ordering { self.value.total_cmp(&other.value) }
            #[inline(always)]
            fn classify(self) -> FpCategory { self.value.classify() }
            $(
                #[inline(always)]
                fn $op(self) -> Self { self.with(self.value.$op()) }
            )*
            $(
                #[inline(always)]
                fn $op2(self, b: Self) -> Self { self.and(b, self.value.$op2(b.value)) }
            )*
            $(
                #[inline(always)]
                fn $flat(self) -> Self { Traced::constant(self.value.$flat()) }
            )*
            #[inline(always)]
            fn copysign(self, b: Self) -> Self { self.with(self.value.copysign(b.value)) }
            #[inline(always)]
            fn div_euclid(self, b: Self) -> Self {
                Traced::constant(self.value.div_euclid(b.value))
            }
            $(
                #[inline(always)]
                fn $query(self) -> bool { self.value.$query() }
            )*
        }
    };
}

autodiff_vocabulary::functions!(short traced, {
    binary powf atan2 hypot max min rem_euclid midpoint;
    query is_nan is_finite is_infinite is_sign_positive is_sign_negative is_normal is_subnormal
} [numbers turns shifts scales scalars] [flat flat_scalars]);
