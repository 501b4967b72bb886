//! The operations that regions are made of: `value(x)`, and `pull(x, y, ct)`, the cotangent of `x`
//! for the cotangent of `y = value(x)`.
//!
//! The kernels of single operations ([`unary`](crate::kernel::unary)) use the same formulas, so that
//! a region and its single operations agree but for the order of sums. The derivatives of functions that
//! scalars have too are those of `formulas`.

use crate::ad::rules::formulas::of_elements::{self as formulas, unless_zero_at};
use crate::device::Real;
use crate::kernel::activation::{self, SELU};
use core::f64::consts::FRAC_2_SQRT_PI;

macro_rules! rules {
    ($($name:ident ($($p:ident),*): |$x:ident| $value:expr; |$ct:ident| $pull:expr;)*) => { $(
        #[doc = concat!("`", stringify!($name), "`.")]
        pub mod $name {
            use super::*;
            /// The value.
            #[inline(always)]
            pub fn value<T: Real>(x: T $(, $p: f64)*) -> T {
                T::formula(stringify!($name), &[$($p),*], [x], #[inline(always)] |[x]| value_of(x $(, T::lit($p))*))
            }
            /// The cotangent of the operand.
            #[inline(always)]
            pub fn pull<T: Real>(x: T, _: T, ct: T $(, $p: f64)*) -> T {
                T::formula(
                    concat!(stringify!($name), "_pullback"),
                    &[$($p),*],
                    [x, ct],
                    #[inline(always)] |[x, ct]| pull_of(x, ct $(, T::lit($p))*),
                )
            }
            /// The value, by constants that are known as late as the operand.
            #[inline(always)]
            pub fn value_of<T: Real>($x: T $(, $p: T)*) -> T {
                $value
            }
            /// The cotangent of the operand, by such constants.
            #[inline(always)]
            pub fn pull_of<T: Real>($x: T, $ct: T $(, $p: T)*) -> T {
                $pull
            }
        }
    )* };
}

macro_rules! of_one {
    // What scalars have too is compiled once.
    (@pull { formula } $name:ident $ct:ident $saved:ident |$t:ident, $v:ident| $pull:expr) => {
        formulas::$name($ct, $saved)
    };
    (@pull {} $name:ident $ct:ident $saved:ident |$t:ident, $v:ident| $pull:expr) => {{
        let ($t, $v) = ($ct, $saved);
        $pull
    }};
    ($kind:tt
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt
            |$x:ident| $value:expr; |$t:ident, $v:ident| $pull:expr;)*]
    ) => { $(
        #[doc = concat!("`", stringify!($name), "`.")]
        pub mod $name {
            #[allow(unused_imports, reason = "shared by all")]
            use super::*;
            /// The value.
            #[inline(always)]
            pub fn value<T: Real>($x: T) -> T {
                T::formula(stringify!($name), &[], [$x], #[inline(always)] |[$x]| $value)
            }
            /// The cotangent of the operand.
            #[inline(always)]
            #[allow(unused_variables, reason = "some derivatives are taken from the value, some from the operand")]
            pub fn pull<T: Real>(x: T, y: T, ct: T) -> T {
                T::formula(
                    concat!(stringify!($name), "_pullback"),
                    &[],
                    [autodiff_vocabulary::saved!($reads x y), ct],
                    #[inline(always)] |[saved, ct]| of_one!(@pull $kind $name ct saved |$t, $v| $pull),
                )
            }
        }
    )* };
}

autodiff_vocabulary::functions!(of_one, { formula }[numbers]);
autodiff_vocabulary::functions!(of_one, {} [shifts activations elements apart flat flat_elements]);

rules! {
    elu(a): |x| activation::elu(x, a, T::ONE); |ct| ct * activation::elu_slope(x, a, T::ONE);
    leaky_relu(slope): |x| if x > T::ZERO { x } else { slope * x };
        |ct| if x > T::ZERO { ct } else { ct * slope };
    powf(p): |x| x.powf(p); |ct| formulas::powf_base(ct, x, p);
    // NaN stays NaN; its derivative is 0, as in PyTorch.
    clamp(low, high): |x| if x < low { low } else if x > high { high } else { x };
        |ct| if x >= low && x <= high { ct } else { T::ZERO };
}

/// `powi`, whose exponent is a part of the formula.
pub mod powi {
    use super::*;
    /// The value.
    #[inline(always)]
    pub fn value<T: Real>(x: T, n: i32) -> T {
        T::formula(
            "powi",
            &[f64::from(n)],
            [x],
            #[inline(always)]
            |[x]| x.powi(n),
        )
    }
    /// The cotangent of the operand.
    #[inline(always)]
    pub fn pull<T: Real>(x: T, _: T, ct: T, n: i32) -> T {
        T::formula(
            "powi_pullback",
            &[f64::from(n)],
            [x, ct],
            #[inline(always)]
            |[x, ct]| formulas::powi(ct, x, n),
        )
    }
}

macro_rules! turns {
    ($($name:ident: |$x:ident| $near:expr, $anywhere:expr; |$y:ident, $ct:ident| $near_pull:expr, $pull:expr;)*) => { $(
        #[doc = concat!("`", stringify!($name), "`, without a branch where the operand is known not to be [`far`].")]
        pub mod $name {
            use super::*;
            /// The value.
            #[inline(always)]
            pub fn value<T: Real, const NEAR: bool>($x: T) -> T {
                if NEAR { $near } else { $anywhere }
            }
            /// The cotangent of the operand.
            #[inline(always)]
            #[allow(unused_variables, reason = "as above")]
            pub fn pull<T: Real, const NEAR: bool>($x: T, $y: T, $ct: T) -> T {
                if NEAR { $near_pull } else { $pull }
            }
        }
    )* };
}

turns! {
    sin: |x| x.near_sin(), x.sin(); |y, c| c * x.near_cos(), c * x.cos();
    cos: |x| x.near_cos(), x.cos(); |y, c| -c * x.near_sin(), -c * x.sin();
    tan: |x| x.near_tan(), x.tan(); |y, c| formulas::tan(c, y), formulas::tan(c, y);
}

/// 1 where the operand of a sine, cosine or tangent is too large for the functions without a branch, else 0.
#[inline(always)]
pub fn far<T: Real>(x: T) -> T {
    if x.abs() > T::NEAR { T::ONE } else { T::ZERO }
}

/// `e^(−x²)`. What the square loses by rounding would be multiplied by the square: it is found by splitting `x` (Dekker
/// 1971), and taken off.
#[inline(always)]
fn bell<T: Real>(x: T) -> T {
    let s = x * x;
    let e = (-s).exp();
    let t = x * formulas::splitter::<T>();
    let high = t - (t - x);
    let low = x - high;
    let rest = (high * high - s) + T::lit(2.0) * high * low + low * low;
    // Far out the parts overflow, where nothing is left.
    if e == T::ZERO { e } else { e - e * rest }
}

#[inline(always)]
fn gelu_slope<T: Real>(x: T) -> T {
    let (cdf, pdf) = x.normal();
    // x·pdf is 0·∞ at ±∞.
    if pdf == T::ZERO { cdf } else { cdf + x * pdf }
}

/// `2·√(2/π)` and the cubic coefficient of the tanh approximation, which equals
/// `x · sigmoid(2u)`, `u = √(2/π)(x + 0.044715x³)`.
const GELU_TANH: (f64, f64) = (1.595_769_121_605_730_8, 0.044715);

#[inline(always)]
fn gelu_inner<T: Real>(x: T) -> T {
    T::lit(GELU_TANH.0) * (x + T::lit(GELU_TANH.1) * x * x * x)
}

#[inline(always)]
fn gelu_tanh_slope<T: Real>(x: T) -> T {
    let s = gelu_inner(x).sigmoid();
    let du = T::lit(GELU_TANH.0) * (T::ONE + T::lit(3.0 * GELU_TANH.1) * x * x);
    let slope = s * (T::ONE - s);
    // Beside the flat ends `du` overflows, and `0·∞` is no number.
    if slope == T::ZERO {
        s
    } else {
        s + x * slope * du
    }
}
