//! The functions of numbers of mixed precision: those of `f32`.

use super::{Half, Mixed};
use crate::ad::*;
use core::cmp::Ordering;
use core::num::FpCategory;

macro_rules! mixed {
    ({ binary $($op2:ident)*; query $($query:ident)* }
        [$($(#[$doc:meta])* $op:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
    ) => {
        impl<H: Half> Scalar for Mixed<H> {
            const ZERO: Self = Mixed::new(0.0);
            const ONE: Self = Mixed::new(1.0);
            const LAYERS: usize = 0;
            const EPSILON: f64 = <f32 as Scalar>::EPSILON;

            #[inline(always)]
            fn lit(value: f64) -> Self { Mixed::new(value as f32) }
            #[inline(always)]
            fn to_f64(self) -> f64 { self.into() }
            #[inline(always)]
            fn is_zero(self) -> bool { self.get() == 0.0 }
            #[inline(always)]
            fn powi(self, n: i32) -> Self { Mixed::new(self.get().powi(n)) }
            #[inline(always)]
            fn clamp(self, lo: Self, hi: Self) -> Self { Mixed::new(self.get().clamp(lo.get(), hi.get())) }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self { Mixed::new(self.get().mul_add(a.get(), b.get())) }
            #[inline(always)]
            fn total_cmp(&self, other: &Self) -> Ordering { self.get().total_cmp(&other.get()) }
            #[inline(always)]
            fn classify(self) -> FpCategory { self.get().classify() }
            $(
                #[inline(always)]
                fn $op(self) -> Self { Mixed::new(Scalar::$op(self.get())) }
            )*
            $(
                #[inline(always)]
                fn $op2(self, other: Self) -> Self { Mixed::new(Scalar::$op2(self.get(), other.get())) }
            )*
            $(
                #[inline(always)]
                fn $query(self) -> bool { self.get().$query() }
            )*
        }
    };
}

autodiff_vocabulary::functions!(short mixed, {
    binary powf atan2 hypot max min copysign rem_euclid div_euclid midpoint;
    query is_nan is_finite is_infinite is_sign_positive is_sign_negative is_normal is_subnormal
} [numbers turns shifts scales scalars flat flat_scalars]);

/// Around the `f32` there is nothing: what is said of it holds for the number.
impl<H: Half> Extends<f32> for Mixed<H> {
    #[inline(always)]
    fn constant(value: f32) -> Self {
        Mixed::new(value)
    }
    #[inline(always)]
    fn base(self) -> f32 {
        self.get()
    }
}

crate::ad::extended::operators!([H: Half] Mixed<H>, Mixed::new, f32);
crate::ad::extended::space!([H: Half] Mixed<H>, f32, Mixed::new(-0.0), |x, by| Mixed::new(Tangent::scale(x.get(), by)));
