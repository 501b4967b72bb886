//! The operations that regions are made of: `value(x)`, and `pull(x, y, ct)`, the cotangent of `x`
//! for the cotangent of `y = value(x)`.
//!
//! The kernels of single operations ([`unary`](crate::kernel::unary)) use the same formulas, so that
//! a region and its single operations agree but for the order of sums. The derivatives of functions that
//! scalars have too are those of `formulas`.

use crate::ad::rules::formulas::of_elements as formulas;
use crate::device::Float;
use crate::kernel::activation::{self, SELU};
use core::f64::consts::FRAC_2_SQRT_PI;

macro_rules! rules {
    ($($name:ident $(($($p:ident: $P:ty),*))?: |$x:ident| $value:expr; |$y:ident, $ct:ident| $pull:expr;)*) => { $(
        #[doc = concat!("`", stringify!($name), "`.")]
        pub mod $name {
            #[allow(unused_imports, reason = "shared by all")]
            use super::*;
            /// The value.
            #[inline(always)]
            pub fn value<T: Float>($x: T $($(, $p: $P)*)?) -> T {
                $value
            }
            /// The cotangent of the operand.
            #[inline(always)]
            #[allow(unused_variables, reason = "some derivatives are taken from the value, some from the operand")]
            pub fn pull<T: Float>($x: T, $y: T, $ct: T $($(, $p: $P)*)?) -> T {
                $pull
            }
        }
    )* };
}

rules! {
    exp: |x| x.exp(); |y, c| formulas::exp(c, y);
    exp2: |x| x.exp2(); |y, c| formulas::exp2(c, y);
    exp_m1: |x| x.exp_m1(); |y, c| formulas::exp_m1(c, y);
    sqrt: |x| x.sqrt(); |y, c| formulas::sqrt(c, y);
    cbrt: |x| x.cbrt(); |y, c| formulas::cbrt(c, y);
    tanh: |x| x.tanh(); |y, c| formulas::tanh(c, y);
    recip: |x| T::ONE / x; |y, c| formulas::recip(c, y);
    rsqrt: |x| T::ONE / x.sqrt(); |y, c| formulas::rsqrt(c, y);
    sigmoid: |x| x.sigmoid(); |y, c| c * y * (T::ONE - y);
    // NaN stays NaN.
    relu: |x| if x <= T::ZERO { T::ZERO } else { x }; |y, c| if y > T::ZERO { c } else { T::ZERO };
    ln: |x| x.ln(); |y, c| formulas::ln(c, x);
    log2: |x| x.log2(); |y, c| formulas::log2(c, x);
    log10: |x| x.log10(); |y, c| formulas::log10(c, x);
    ln_1p: |x| x.ln_1p(); |y, c| formulas::ln_1p(c, x);
    sinh: |x| x.sinh(); |y, c| formulas::sinh(c, x);
    cosh: |x| x.cosh(); |y, c| formulas::cosh(c, x);
    asin: |x| x.asin(); |y, c| formulas::asin(c, x);
    acos: |x| x.acos(); |y, c| formulas::acos(c, x);
    atan: |x| x.atan(); |y, c| formulas::atan(c, x);
    asinh: |x| x.asinh(); |y, c| formulas::asinh(c, x);
    acosh: |x| x.acosh(); |y, c| formulas::acosh(c, x);
    atanh: |x| x.atanh(); |y, c| formulas::atanh(c, x);
    abs: |x| x.abs(); |y, c| formulas::abs(c, x);
    square: |x| x * x; |y, c| c * T::lit(2.0) * x;
    gelu: |x| x * x.normal().0; |y, c| c * gelu_slope(x);
    gelu_tanh: |x| x * gelu_inner(x).sigmoid(); |y, c| c * gelu_tanh_slope(x);
    silu: |x| x * x.sigmoid(); |y, c| {
        let s = x.sigmoid();
        let change = s * (T::ONE - s);
        // Beside the flat ends it would be 0·∞.
        c * if change == T::ZERO { s } else { s + x * change }
    };
    softplus: |x| activation::softplus(x); |y, c| c * x.sigmoid();
    log_sigmoid: |x| -activation::softplus(-x); |y, c| c * (-x).sigmoid();
    erf: |x| x.erf(); |y, c| c * T::lit(FRAC_2_SQRT_PI) * bell(x);
    erfc: |x| x.erfc(); |y, c| -c * T::lit(FRAC_2_SQRT_PI) * bell(x);
    mish: |x| activation::mish(x); |y, c| c * activation::mish_slope(x);
    hardswish: |x| activation::hardswish(x); |y, c| c * activation::hardswish_slope(x);
    hardsigmoid: |x| activation::hardsigmoid(x);
        |y, c| if x.abs() < T::lit(3.0) { c * T::lit(1.0 / 6.0) } else { T::ZERO };
    softsign: |x| x / (T::ONE + x.abs()); |y, c| {
        let d = T::ONE + x.abs();
        c / (d * d)
    };
    selu: |x| T::lit(SELU.0) * activation::elu(x, T::lit(SELU.1), T::ONE);
        |y, c| c * T::lit(SELU.0) * activation::elu_slope(x, T::lit(SELU.1), T::ONE);
    elu(a: f64): |x| activation::elu(x, T::lit(a), T::ONE);
        |y, c| c * activation::elu_slope(x, T::lit(a), T::ONE);
    leaky_relu(s: f64): |x| if x > T::ZERO { x } else { T::lit(s) * x };
        |y, c| if x > T::ZERO { c } else { c * T::lit(s) };
    powi(n: i32): |x| x.powi(n);
        |y, c| formulas::powi(c, x, n);
    powf(p: f64): |x| x.powf(T::lit(p));
        |y, c| formulas::powf_base(c, x, T::lit(p));
    // NaN stays NaN.
    clamp(lo: f64, hi: f64):
        |x| if x < T::lit(lo) { T::lit(lo) } else if x > T::lit(hi) { T::lit(hi) } else { x };
        |y, c| if x >= T::lit(lo) && x <= T::lit(hi) { c } else { T::ZERO };
}

macro_rules! turns {
    ($($name:ident: |$x:ident| $near:expr, $anywhere:expr; |$y:ident, $ct:ident| $near_pull:expr, $pull:expr;)*) => { $(
        #[doc = concat!("`", stringify!($name), "`, without a branch where the operand is known not to be [`far`].")]
        pub mod $name {
            use super::*;
            /// The value.
            #[inline(always)]
            pub fn value<T: Float, const NEAR: bool>($x: T) -> T {
                if NEAR { $near } else { $anywhere }
            }
            /// The cotangent of the operand.
            #[inline(always)]
            #[allow(unused_variables, reason = "as above")]
            pub fn pull<T: Float, const NEAR: bool>($x: T, $y: T, $ct: T) -> T {
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
pub fn far<T: Float>(x: T) -> T {
    if x.abs() > T::NEAR { T::ONE } else { T::ZERO }
}

/// `e^(−x²)`. What the square loses by rounding would be multiplied by the square: it is found by splitting `x` (Dekker
/// 1971), and taken off.
#[inline(always)]
fn bell<T: Float>(x: T) -> T {
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
fn gelu_slope<T: Float>(x: T) -> T {
    let (cdf, pdf) = x.normal();
    // x·pdf is 0·∞ at ±∞.
    if pdf == T::ZERO { cdf } else { cdf + x * pdf }
}

/// `2·√(2/π)` and the cubic coefficient of the tanh approximation, which equals
/// `x · sigmoid(2u)`, `u = √(2/π)(x + 0.044715x³)`.
const GELU_TANH: (f64, f64) = (1.595_769_121_605_730_8, 0.044715);

#[inline(always)]
fn gelu_inner<T: Float>(x: T) -> T {
    T::lit(GELU_TANH.0) * (x + T::lit(GELU_TANH.1) * x * x * x)
}

#[inline(always)]
fn gelu_tanh_slope<T: Float>(x: T) -> T {
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
