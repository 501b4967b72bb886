//! The functions of duals: the value by the function itself, the tangents by its rule.

use super::Dual;
use crate::ad::rules::formulas::of_scalars as formulas;
use crate::ad::rules::{clamped, pick, share};
use crate::ad::*;
use core::cmp::Ordering;
use core::num::FpCategory;

impl<T: Scalar, const K: usize> Dual<T, K> {
    /// `value` with the tangents times `slope`; a zero stays one where the slope is infinite.
    #[inline(always)]
    pub(crate) fn chain(self, value: T, slope: T) -> Self {
        self.mapped(value, |t, _| unless_zero(t, t * slope))
    }

    /// The same for two arguments.
    #[inline(always)]
    pub(crate) fn chain2(self, b: Self, value: T, slope: T, slope_b: T) -> Self {
        self.mapped(value, |t, k| {
            let u = b.tangents[k];
            unless_zero(t, t * slope) + unless_zero(u, u * slope_b)
        })
    }
}

// The slope of a rule, which is written as a linear map, is the image of one.
macro_rules! dual {
    ({ binary $($op2:ident $Rule2:ident)*; select $($op3:ident)*; query $($query:ident)* }
        [$($(#[$doc:meta])* $op:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
        [$($(#[$doc0:meta])* $flat:ident $Op0:tt $Rule0:tt $reads0:ident ($cost0:literal $pull_cost0:literal) $domain0:tt;)*]
    ) => {
        impl<T: Scalar, const K: usize> Scalar for Dual<T, K> {
            const ZERO: Self = Dual { value: T::ZERO, tangents: [T::ZERO; K] };
            const ONE: Self = Dual { value: T::ONE, tangents: [T::ZERO; K] };
            const LAYERS: usize = 1 + T::LAYERS;
            const EPSILON: f64 = T::EPSILON;

            #[inline(always)]
            fn lit(value: f64) -> Self { Dual::constant(T::lit(value)) }
            #[inline(always)]
            fn to_f64(self) -> f64 { self.value.to_f64() }
            #[inline(always)]
            fn is_zero(self) -> bool {
                // Without a branch for each.
                self.tangents.iter().fold(self.value.is_zero(), |all, t| all & t.is_zero())
            }
            #[inline(always)]
            fn powi(self, n: i32) -> Self {
                self.chain(self.value.powi(n), formulas::powi(T::ONE, self.value, n))
            }
            #[inline(always)]
            fn clamp(self, lo: Self, hi: Self) -> Self {
                let value = self.value.clamp(lo.value, hi.value);
                match clamped(self.value, lo.value, hi.value) {
                    Clamped::Inside => Dual { value, ..self },
                    Clamped::Below => Dual { value, ..lo },
                    Clamped::Above => Dual { value, ..hi },
                    Clamped::Nan => Dual::constant(value),
                }
            }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                let value = self.value.mul_add(a.value, b.value);
                (self * a + b).mapped(value, |t, _| t)
            }
            #[inline(always)]
            fn total_cmp(&self, other: &Self) -> Ordering { self.value.total_cmp(&other.value) }
            #[inline(always)]
            fn classify(self) -> FpCategory { self.value.classify() }
            $(
                #[inline(always)]
                fn $op(self) -> Self {
                    let x = self.value;
                    let y = x.$op();
                    self.chain(y, <T as $Rule>::push(&x, &y, &T::ONE))
                }
            )*
            $(
                #[inline(always)]
                fn $op2(self, b: Self) -> Self {
                    let (x, y) = (self.value, b.value);
                    let out = x.$op2(y);
                    let slope = <T as $Rule2<T>>::push_l(&x, &y, &out, &T::ONE);
                    self.chain2(b, out, slope, <T as $Rule2<T>>::push_r(&x, &y, &out, &T::ONE))
                }
            )*
            $(
                #[inline(always)]
                fn $op3(self, b: Self) -> Self {
                    let value = self.value.$op3(b.value);
                    let of = pick(self.value, b.value, value);
                    self.mapped(value, |t, k| {
                        share(of, Pick::Left, t) + share(of, Pick::Right, b.tangents[k])
                    })
                }
            )*
            $(
                #[inline(always)]
                fn $flat(self) -> Self { Dual::constant(self.value.$flat()) }
            )*
            #[inline(always)]
            fn div_euclid(self, b: Self) -> Self {
                Dual::constant(self.value.div_euclid(b.value))
            }
            $(
                #[inline(always)]
                fn $query(self) -> bool { self.value.$query() }
            )*
        }

        /// The functions of `f64`, as methods of the type: elements of tensors have others of the same names.
        impl<T: Scalar, const K: usize> Dual<T, K> {
            dual!(@own [] $($op)* $($flat)*);
            dual!(@own [other] $($op2)* $($op3)* div_euclid);
            $(
                #[doc = concat!("`f64::", stringify!($query), "` of the value.")]
                #[inline(always)]
                pub fn $query(self) -> bool { Scalar::$query(self) }
            )*
            /// The integer power.
            #[inline(always)]
            pub fn powi(self, n: i32) -> Self { Scalar::powi(self, n) }
            /// Limited to `[lo, hi]`; panics as `f64::clamp` does.
            #[inline(always)]
            pub fn clamp(self, lo: Self, hi: Self) -> Self { Scalar::clamp(self, lo, hi) }
            /// `self · a + b`, the value rounded once.
            #[inline(always)]
            pub fn mul_add(self, a: Self, b: Self) -> Self { Scalar::mul_add(self, a, b) }
            /// The sine and the cosine.
            #[inline(always)]
            pub fn sin_cos(self) -> (Self, Self) { Scalar::sin_cos(self) }
            /// The value as `f64`, without tangents.
            #[inline(always)]
            pub fn to_f64(self) -> f64 { Scalar::to_f64(self) }
        }
    };
    (@own [] $($f:ident)*) => {
        $(
            #[doc = concat!("`f64::", stringify!($f), "` with tangents.")]
            #[inline(always)]
            pub fn $f(self) -> Self { Scalar::$f(self) }
        )*
    };
    (@own [other] $($f:ident)*) => {
        $(
            #[doc = concat!("`f64::", stringify!($f), "` with tangents.")]
            #[inline(always)]
            pub fn $f(self, other: Self) -> Self { Scalar::$f(self, other) }
        )*
    };
}

autodiff_vocabulary::functions!(short dual, {
    binary powf PowfRule atan2 Atan2Rule hypot HypotRule copysign CopysignRule
           rem_euclid RemEuclidRule midpoint MidpointRule;
    select max min;
    query is_nan is_finite is_infinite is_sign_positive is_sign_negative is_normal is_subnormal
} [numbers turns shifts scales scalars] [flat flat_scalars]);
