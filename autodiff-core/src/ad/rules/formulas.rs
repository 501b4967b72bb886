//! The derivatives of functions of one and two numbers, each written once as the linear map `t ↦ slope · t`: those of one
//! in the table of the crate `autodiff-vocabulary`, those of two here.
//!
//! A row is compiled twice, over the two traits that have the functions of numbers: [`of_scalars`] is what the rules of
//! scalars and duals call, [`of_elements`] what the kernels of tensors and their fused regions do. So both have the same
//! accuracy (`docs/book/src/reference/accuracy.md`) and do the same at kinks, zeros and infinities (`doc/numerics.md`). Rows have no
//! branches that the compiler could not turn into a choice: kernels are vector code.

use core::f64::consts::{LN_2, LN_10, PI};

/// `2ⁿ`.
const fn power_of_two(n: i64) -> f64 {
    f64::from_bits(((1023 + n) as u64) << 52)
}

/// Where the square of a number overflows or vanishes, and the factors that keep it from that: powers of two, which
/// round nothing. Of numbers above the first the second is taken, of those below the third the fourth.
const NARROW: [f64; 4] = powers([63, -66, -63, 86]);
const WIDE: [f64; 4] = powers([511, -514, -511, 563]);

const fn powers(n: [i64; 4]) -> [f64; 4] {
    [
        power_of_two(n[0]),
        power_of_two(n[1]),
        power_of_two(n[2]),
        power_of_two(n[3]),
    ]
}

/// The square of a larger number is not changed by adding one.
const FAR: f64 = power_of_two(30);

macro_rules! of_one {
    ({ $Number:ident }
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt
            |$x:ident| $value:expr; |$t:ident, $v:ident| $pull:expr;)*]
    ) => { $(
        #[doc = concat!("The derivative of `", stringify!($name), "`.")]
        #[inline(always)]
        pub(crate) fn $name<T: $Number>($t: T, $v: T) -> T {
            $pull
        }
    )* };
}

macro_rules! formulas {
    ($($(#[$doc:meta])* $name:ident($($v:ident: $V:ty),*) = $map:expr;)*) => {
        /// Over scalars.
        #[allow(dead_code, reason = "not every row is asked for over both")]
        pub(crate) mod of_scalars {
            use super::*;
            use crate::ad::Scalar;
            use crate::ad::rules::{quotient, unless_zero};

            $(
                $(#[$doc])*
                #[inline(always)]
                pub(crate) fn $name<T: Scalar>($($v: $V),*) -> T {
                    $map
                }
            )*
            autodiff_vocabulary::functions!(of_one, { Scalar } [numbers turns shifts scales scalars]);

            #[inline(always)]
            fn unless_zero_at<T: Scalar>(t: T, slope: T, image: T) -> T {
                t.unless_zero_at(slope, image)
            }
            /// A zero without tangents.
            #[inline(always)]
            fn stays_zero<T: Scalar>(x: T) -> bool {
                x.is_zero()
            }
            /// The value without tangents.
            #[inline(always)]
            fn constant<T: Scalar>(x: T) -> T {
                T::lit(x.to_f64())
            }
            #[inline(always)]
            fn squares<T: Scalar>() -> [T; 4] {
                let narrow = T::EPSILON > f64::EPSILON;
                (if narrow { NARROW } else { WIDE }).map(T::lit)
            }
        }

        /// Over elements of tensors.
        #[allow(dead_code, reason = "as above")]
        pub(crate) mod of_elements {
            use super::*;
            use crate::device::Real;

            $(
                $(#[$doc])*
                #[inline(always)]
                pub(crate) fn $name<T: Real>($($v: $V),*) -> T {
                    $map
                }
            )*
            autodiff_vocabulary::functions!(of_one, { Real } [numbers turns]);

            #[inline(always)]
            fn stays_zero<T: Real>(x: T) -> bool {
                x.stays_zero()
            }
            #[inline(always)]
            fn unless_zero<T: Real>(t: T, image: T) -> T {
                if stays_zero(t) { t } else { image }
            }
            #[inline(always)]
            pub(crate) fn unless_zero_at<T: Real>(t: T, _slope: T, image: T) -> T {
                unless_zero(t, image)
            }
            #[inline(always)]
            fn quotient<T: Real>(t: T, divisor: T) -> T {
                t / if stays_zero(t) { T::ONE } else { divisor }
            }
            /// Of a zero or NaN, without a conversion.
            #[inline(always)]
            fn constant<T: Real>(x: T) -> T {
                x * T::ZERO
            }
            #[inline(always)]
            fn squares<T: Real>() -> [T; 4] {
                core::array::from_fn(|k| T::by_width(NARROW[k], WIDE[k]))
            }
            /// A number is split in two of half its digits by the product with this.
            #[inline(always)]
            pub(crate) fn splitter<T: Real>() -> T {
                T::by_width(1.0 + power_of_two(12), 1.0 + power_of_two(27))
            }
        }
    };
}

formulas! {
    // Of two numbers.
    /// `t / b`.
    div_left(t: T, b: T) = quotient(t, b);
    /// By the divisor of a quotient `out`.
    div_right(t: T, b: T, out: T) = unless_zero(t, -(quotient(t, b) * out));
    /// By the divisor of a remainder `out`: the quotient is a step function.
    rem_right(t: T, a: T, b: T, out: T) = unless_zero(t, -t * ((a - out) / b));
    /// By the base of `xⁿ`.
    powi(t: T, x: T, n: i32) = match n {
        // Also at 0, ±∞ and NaN, where `0 · x⁻¹` would be NaN.
        0 => T::ZERO,
        i32::MIN => unless_zero(t, t * (T::lit(f64::from(n)) * (x.powi(n) / x))),
        _ => unless_zero(t, t * (T::lit(f64::from(n)) * x.powi(n - 1))),
    };
    /// By the base of `aᵇ`.
    powf_base(t: T, a: T, b: T) = if stays_zero(b) || b == T::ZERO && a == T::ZERO {
        // Also where `aᵇ⁻¹` is infinite.
        T::ZERO
    } else {
        unless_zero(t, t * (b * a.powf(b - T::ONE)))
    };
    /// By the exponent of a power `out`.
    powf_exponent(t: T, a: T, b: T, out: T) = if a == T::ZERO && b >= T::ZERO {
        // `0ᵇ` is 0 for all `b > 0`, so its derivative is 0 and not `0 · ln 0`.
        T::ZERO
    } else {
        unless_zero(t, t * (out * a.ln()))
    };
    /// By the first argument of `a.atan2(b)`.
    atan2_left(t: T, a: T, b: T) = over_square_norm(t, b, a);
    /// By the second.
    atan2_right(t: T, a: T, b: T) = -over_square_norm(t, a, b);
    /// `a/norm`: at the origin the subgradient of least norm, as for any norm.
    direction(a: T, norm: T) = if norm == T::ZERO { T::ZERO } else { a / norm };
    /// By the first argument of `a.hypot(b)`, without its value.
    hypot(t: T, a: T, b: T) = {
        let s = square_scale(a, b);
        let (u, v) = (a * s, b * s);
        t * direction(u, (u * u + v * v).sqrt())
    };
    /// `t · x / (x² + y²)`; neither square overflows or vanishes.
    over_square_norm(t: T, x: T, y: T) = {
        let s = square_scale(x, y);
        let (u, v) = (x * s, y * s);
        unless_zero(t, t * (u / (u * u + v * v)) * s)
    };
    /// What two numbers are multiplied by, so that the sum of their squares is a number.
    square_scale(x: T, y: T) = {
        let [large, shrink, small, grow] = squares::<T>();
        let (x, y) = (x.abs(), y.abs());
        let size = if x > y { x } else { y };
        if size > large {
            shrink
        } else if size < small {
            grow
        } else {
            T::ONE
        }
    };
}
