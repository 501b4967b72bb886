//! Several cotangents in one pullback: a few rows of a Jacobian for little more than one.
//!
//! A pullback that is run on a [`Batch`] of `N` scalars computes `N` of them, with vector instructions. The
//! arguments are the same in each lane, and so are all values of the function, which decide its branches; the
//! cotangents differ.

use super::{Extends, Scalar};
use core::cmp::Ordering;
use core::fmt;
use core::num::FpCategory;
use core::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// `N` scalars, each of a computation of its own. Comparisons look at the first.
#[derive(Clone, Copy, Debug)]
pub struct Batch<T, const N: usize>(pub [T; N]);

impl<T: Scalar, const N: usize> Batch<T, N> {
    /// The same in each lane.
    #[inline(always)]
    pub fn constant(value: T) -> Self {
        Batch([value; N])
    }

    /// 1 in one lane.
    #[inline(always)]
    pub fn unit(lane: usize) -> Self {
        let mut unit = Self::ZERO;
        unit.0[lane] = T::ONE;
        unit
    }

    #[inline(always)]
    fn each(mut self, map: impl Fn(T) -> T) -> Self {
        // A loop, as in `Dual::mapped`.
        for k in 0..N {
            self.0[k] = map(self.0[k]);
        }
        self
    }

    #[inline(always)]
    fn with(mut self, b: Self, map: impl Fn(T, T) -> T) -> Self {
        for k in 0..N {
            self.0[k] = map(self.0[k], b.0[k]);
        }
        self
    }

    /// Whether the lanes agree, as those of values do. In the order of all numbers: where the compiler sees that
    /// they are the same number it need not ask, as it must for `==` and NaN, and computes all of the value once.
    #[inline(always)]
    fn agrees(&self) -> bool {
        let first = self.0[0];
        self.0.iter().all(|x| x.total_cmp(&first).is_eq())
    }

    /// A function that takes long: once if the lanes agree.
    #[inline(always)]
    fn once(self, map: impl Fn(T) -> T) -> Self {
        if self.agrees() {
            return Batch::constant(map(self.0[0]));
        }
        self.each(map)
    }
}

macro_rules! lanewise {
    ($($Op:ident $op:ident $lanes:ident)*) => { $(
        impl<T: Scalar, const N: usize> $Op for Batch<T, N> {
            type Output = Self;
            #[inline(always)]
            fn $op(self, b: Self) -> Self {
                Batch(T::$lanes(self.0, b.0))
            }
        }
    )* };
}
lanewise!(Add add add_lanes Sub sub sub_lanes Mul mul mul_lanes Div div div_lanes);

impl<T: Scalar, const N: usize> Rem for Batch<T, N> {
    type Output = Self;
    #[inline(always)]
    fn rem(self, b: Self) -> Self {
        self.with(b, Rem::rem)
    }
}

impl<T: Scalar, const N: usize> Neg for Batch<T, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.each(|x| -x)
    }
}

super::extended::operators!([T: Scalar, const N: usize] Batch<T, N>, Batch::constant, T);
super::extended::space!([T: Scalar, const N: usize] Batch<T, N>, T, Batch::constant(T::zero_ct(&())), |x, by| x.each(|x| x.scale(by)));

impl<S: Scalar, const N: usize> Extends<S> for Batch<S, N> {
    #[inline(always)]
    fn constant(value: S) -> Self {
        Batch::constant(value)
    }
    #[inline(always)]
    fn base(self) -> S {
        self.0[0]
    }
}

impl<T: Scalar, const N: usize> fmt::Display for Batch<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0[0], f)
    }
}

macro_rules! batch {
    ({ binary $($op2:ident)*; query $($query:ident)* }
        [$($(#[$doc:meta])* $op:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
    ) => {
        impl<T: Scalar, const N: usize> Scalar for Batch<T, N> {
            const ZERO: Self = Batch([T::ZERO; N]);
            const ONE: Self = Batch([T::ONE; N]);
            const LAYERS: usize = T::LAYERS;
            const EPSILON: f64 = T::EPSILON;

            #[inline(always)]
            fn lit(value: f64) -> Self { Batch::constant(T::lit(value)) }
            #[inline(always)]
            fn to_f64(self) -> f64 { self.0[0].to_f64() }
            #[inline(always)]
            fn is_zero(self) -> bool { self.0.iter().fold(true, |all, x| all & x.is_zero()) }
            #[inline(always)]
            fn where_zero(self, zero: Self, other: Self) -> Self {
                Batch(T::where_zero_lanes(self.0, zero.0, other.0))
            }
            #[inline(always)]
            fn unless_zero_at(self, slope: Self, image: Self) -> Self {
                // A slope is a value, the same in each lane: a branch that the processor foresees.
                if slope.0[0].is_finite() { image } else { self.where_zero(self, image) }
            }
            #[inline(always)]
            fn powi(self, n: i32) -> Self { self.once(|x| x.powi(n)) }
            #[inline(always)]
            fn clamp(self, lo: Self, hi: Self) -> Self {
                let mut out = self;
                for k in 0..N {
                    out.0[k] = self.0[k].clamp(lo.0[k], hi.0[k]);
                }
                out
            }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                let mut out = self;
                for k in 0..N {
                    out.0[k] = self.0[k].mul_add(a.0[k], b.0[k]);
                }
                out
            }
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                if self.agrees() {
                    let (sin, cos) = self.0[0].sin_cos();
                    return (Batch::constant(sin), Batch::constant(cos));
                }
                (self.sin(), self.cos())
            }
            #[inline(always)]
            fn total_cmp(&self, other: &Self) -> Ordering { self.0[0].total_cmp(&other.0[0]) }
            #[inline(always)]
            fn classify(self) -> FpCategory { self.0[0].classify() }
            $(
                #[inline(always)]
                fn $op(self) -> Self {
                    // To ask whether the lanes agree costs as much as a short function.
                    if $cost > 2 { self.once(T::$op) } else { self.each(T::$op) }
                }
            )*
            $(
                #[inline(always)]
                fn $op2(self, b: Self) -> Self { self.with(b, T::$op2) }
            )*
            $(
                #[inline(always)]
                fn $query(self) -> bool { self.0[0].$query() }
            )*
        }
    };
}

autodiff_vocabulary::functions!(short batch, {
    binary powf atan2 hypot max min copysign rem_euclid div_euclid midpoint;
    query is_nan is_finite is_infinite is_sign_positive is_sign_negative is_normal is_subnormal
} [numbers turns shifts scales scalars flat flat_scalars]);
