//! Functions of one element and their pullbacks.
//!
//! | function | derivative | taken from |
//! |---|---|---|
//! | `exp exp2 exp_m1` | `y`, `y·ln 2`, `y + 1` | output |
//! | `sqrt cbrt recip rsqrt` | `1/2y`, `1/3y²`, `−y²`, `−y³/2` | output |
//! | `tan tanh sigmoid` | `1 + y²`, `1 − y²`, `y(1 − y)` | output |
//! | `relu` | 1 above 0, else 0 | output |
//! | `abs` | the sign; 0 at 0 | input |
//! | `clamp` | 1 from bound to bound, else 0 | input |
//! | `floor ceil round trunc signum sign` | 0 | nothing |
//! | `erf erfc` | `±2/√π e^(−x²)` | input |
//! | `lgamma digamma` | `digamma`, `trigamma` | input |
//!
//! Activation functions have a module of their own, [`activation`](super::activation).

use super::activation::*;
use super::drive::{Src, drive};
use super::simd::vectorize;
use crate::device::{Float, Saves, UnaryOp, Write};
use core::f64::consts::{FRAC_2_SQRT_PI, LN_2, LN_10};

#[inline(always)]
fn gelu<T: Float>(x: T) -> T {
    T::lit(0.5) * x * (T::ONE + (x * T::lit(core::f64::consts::FRAC_1_SQRT_2)).erf())
}

#[inline(always)]
fn gelu_slope<T: Float>(x: T) -> T {
    const INV_SQRT_TAU: f64 = 0.398_942_280_401_432_7;
    let cdf = T::lit(0.5) * (T::ONE + (x * T::lit(core::f64::consts::FRAC_1_SQRT_2)).erf());
    let pdf = T::lit(INV_SQRT_TAU) * (T::lit(-0.5) * x * x).exp();
    // x·pdf is 0·∞ at ±∞.
    if pdf == T::ZERO { cdf } else { cdf + x * pdf }
}

/// `2·√(2/π)` and the cubic coefficient of the tanh approximation, which equals
/// `x · sigmoid(2u)`, `u = √(2/π)(x + 0.044715x³)`.
const GELU_TANH: (f64, f64) = (1.595_769_121_605_730_8, 0.044715);

#[inline(always)]
fn gelu_tanh<T: Float>(x: T) -> T {
    let u = T::lit(GELU_TANH.0) * (x + T::lit(GELU_TANH.1) * x * x * x);
    x * sigmoid(u)
}

#[inline(always)]
fn gelu_tanh_slope<T: Float>(x: T) -> T {
    let s = sigmoid(T::lit(GELU_TANH.0) * (x + T::lit(GELU_TANH.1) * x * x * x));
    let du = T::lit(GELU_TANH.0) * (T::ONE + T::lit(3.0 * GELU_TANH.1) * x * x);
    let slope = s * (T::ONE - s);
    // Beside the flat ends `du` overflows, and `0·∞` is no number.
    if slope == T::ZERO {
        s
    } else {
        s + x * slope * du
    }
}

/// `out ← op(x)`.
pub fn apply<T: Float>(op: UnaryOp, out: &mut [T], dims: &[usize], x: Src<'_, T>) {
    use UnaryOp::*;
    macro_rules! run {
        ($cost:literal, |$x:ident| $y:expr) => {
            drive(
                out,
                dims,
                [x],
                Write::Set,
                $cost,
                &|o: &mut [T], [x]: [&[T]; 1]| {
                    vectorize(
                        #[inline(always)]
                        move || o.iter_mut().zip(x).for_each(|(o, &$x)| *o = $y),
                    )
                },
            )
        };
    }
    let (zero, one) = (T::ZERO, T::ONE);
    match op {
        Neg => run!(1, |x| -x),
        Exp => run!(8, |x| x.exp()),
        Exp2 => run!(8, |x| x.exp2()),
        ExpM1 => run!(16, |x| x.exp_m1()),
        Sqrt => run!(2, |x| x.sqrt()),
        Cbrt => run!(16, |x| x.cbrt()),
        Tan => run!(16, |x| x.tan()),
        Tanh => run!(16, |x| x.tanh()),
        Recip => run!(2, |x| one / x),
        Rsqrt => run!(4, |x| one / x.sqrt()),
        Sigmoid => run!(8, |x| sigmoid(x)),
        // NaN stays NaN.
        Relu => run!(1, |x| if x <= zero { zero } else { x }),
        Ln => run!(8, |x| x.ln()),
        Log2 => run!(8, |x| x.log2()),
        Log10 => run!(8, |x| x.log10()),
        Ln1p => run!(16, |x| x.ln_1p()),
        Sin => run!(8, |x| x.sin()),
        Cos => run!(8, |x| x.cos()),
        Sinh => run!(16, |x| x.sinh()),
        Cosh => run!(16, |x| x.cosh()),
        Asin => run!(16, |x| x.asin()),
        Acos => run!(16, |x| x.acos()),
        Atan => run!(16, |x| x.atan()),
        Asinh => run!(16, |x| x.asinh()),
        Acosh => run!(16, |x| x.acosh()),
        Atanh => run!(16, |x| x.atanh()),
        Abs => run!(1, |x| x.abs()),
        Fract => run!(1, |x| x.fract()),
        Gelu => run!(16, |x| gelu(x)),
        GeluTanh => run!(8, |x| gelu_tanh(x)),
        Silu => run!(8, |x| x * sigmoid(x)),
        Softplus => run!(16, |x| softplus(x)),
        Floor => run!(1, |x| x.floor()),
        Ceil => run!(1, |x| x.ceil()),
        Round => run!(1, |x| x.round()),
        Trunc => run!(1, |x| x.trunc()),
        Signum => run!(1, |x| x.signum()),
        // A zero keeps its sign, NaN stays NaN.
        Sign => run!(1, |x| if x > zero {
            one
        } else if x < zero {
            -one
        } else {
            x
        }),
        Square => run!(1, |x| x * x),
        Erf => run!(32, |x| x.erf()),
        Erfc => run!(16, |x| x.erfc()),
        Lgamma => run!(64, |x| x.ln_gamma()),
        Digamma => run!(64, |x| x.digamma()),
        Mish => run!(16, |x| mish(x)),
        Hardswish => run!(1, |x| hardswish(x)),
        Hardsigmoid => run!(1, |x| hardsigmoid(x)),
        Softsign => run!(2, |x| x / (one + x.abs())),
        LogSigmoid => run!(16, |x| -softplus(-x)),
        Selu => {
            let (scale, a) = (T::lit(SELU.0), T::lit(SELU.1));
            run!(16, |x| scale * elu(x, a, one))
        }
        Elu(a) => {
            let a = T::lit(a);
            run!(16, |x| elu(x, a, one))
        }
        Celu(a) => {
            let (a, r) = (T::lit(a), T::lit(1.0 / a));
            run!(16, |x| elu(x, a, r))
        }
        CeluByAlpha(a) => {
            let r = T::lit(1.0 / a);
            run!(16, |x| celu_by_alpha(x, r))
        }
        LeakyRelu(s) => {
            let s = T::lit(s);
            run!(1, |x| if x > zero { x } else { s * x })
        }
        Powi(n) => run!(2, |x| x.powi(n)),
        Powf(p) => {
            let p = T::lit(p);
            run!(16, |x| x.powf(p))
        }
        Affine(a, b) => {
            let (a, b) = (T::lit(a), T::lit(b));
            run!(1, |x| a * x + b)
        }
        Clamp(lo, hi) => {
            let (lo, hi) = (T::lit(lo), T::lit(hi));
            run!(1, |x| if x < lo {
                lo
            } else if x > hi {
                hi
            } else {
                x
            })
        }
    }
}

/// `out ← ct · op′(saved)`.
pub fn pullback<T: Float>(
    op: UnaryOp,
    out: &mut [T],
    dims: &[usize],
    saved: Src<'_, T>,
    ct: Src<'_, T>,
    write: Write,
) {
    use UnaryOp::*;
    macro_rules! run {
        ($cost:literal, |$s:ident, $c:ident| $y:expr) => {
            drive(
                out,
                dims,
                [saved, ct],
                write,
                $cost,
                &|o: &mut [T], [s, c]: [&[T]; 2]| {
                    vectorize(
                        #[inline(always)]
                        move || {
                            o.iter_mut()
                                .zip(s)
                                .zip(c)
                                .for_each(|((o, &$s), &$c)| *o = $y)
                        },
                    )
                },
            )
        };
    }
    macro_rules! linear {
        (|$c:ident| $y:expr) => {
            drive(out, dims, [ct], write, 1, &|o: &mut [T], [c]: [&[T]; 1]| {
                vectorize(
                    #[inline(always)]
                    move || o.iter_mut().zip(c).for_each(|(o, &$c)| *o = $y),
                )
            })
        };
    }
    let (zero, one, two, half) = (T::ZERO, T::ONE, T::lit(2.0), T::lit(0.5));
    if op.saves() == Saves::Nothing {
        return match op {
            Neg => linear!(|c| -c),
            Fract => linear!(|c| c),
            Affine(a, _) => {
                let a = T::lit(a);
                linear!(|c| a * c)
            }
            _ => drive(out, dims, [ct], write, 1, &|o: &mut [T], _: [&[T]; 1]| {
                o.fill(zero)
            }),
        };
    }
    match op {
        Exp => run!(1, |y, c| c * y),
        Exp2 => run!(1, |y, c| c * y * T::lit(LN_2)),
        ExpM1 => run!(1, |y, c| c * (y + one)),
        Sqrt => run!(2, |y, c| c / (two * y)),
        Cbrt => run!(2, |y, c| c / (T::lit(3.0) * y * y)),
        Tan => run!(1, |y, c| c * (one + y * y)),
        Tanh => run!(1, |y, c| c * (one - y * y)),
        Recip => run!(1, |y, c| -c * y * y),
        Rsqrt => run!(1, |y, c| -c * (half * y * y * y)),
        Sigmoid => run!(1, |y, c| c * y * (one - y)),
        Relu => run!(1, |y, c| if y > zero { c } else { zero }),
        Ln => run!(2, |x, c| c / x),
        Log2 => run!(2, |x, c| c / (x * T::lit(LN_2))),
        Log10 => run!(2, |x, c| c / (x * T::lit(LN_10))),
        Ln1p => run!(2, |x, c| c / (one + x)),
        Sin => run!(8, |x, c| c * x.cos()),
        Cos => run!(8, |x, c| -c * x.sin()),
        Sinh => run!(16, |x, c| c * x.cosh()),
        Cosh => run!(16, |x, c| c * x.sinh()),
        Asin => run!(2, |x, c| c / (one - x * x).sqrt()),
        Acos => run!(2, |x, c| -c / (one - x * x).sqrt()),
        Atan => run!(2, |x, c| c / (one + x * x)),
        Asinh => run!(2, |x, c| c / (x * x + one).sqrt()),
        Acosh => run!(2, |x, c| c / (x * x - one).sqrt()),
        Atanh => run!(2, |x, c| c / (one - x * x)),
        Abs => run!(1, |x, c| if x > zero {
            c
        } else if x < zero {
            -c
        } else {
            // 0, and NaN of NaN.
            x * zero
        }),
        Gelu => run!(32, |x, c| c * gelu_slope(x)),
        GeluTanh => run!(8, |x, c| c * gelu_tanh_slope(x)),
        Silu => run!(8, |x, c| {
            let s = sigmoid(x);
            c * (s + x * s * (one - s))
        }),
        Softplus => run!(8, |x, c| c * sigmoid(x)),
        Square => run!(1, |x, c| c * two * x),
        Erf => run!(8, |x, c| c * T::lit(FRAC_2_SQRT_PI) * (-x * x).exp()),
        Erfc => run!(8, |x, c| -c * T::lit(FRAC_2_SQRT_PI) * (-x * x).exp()),
        Lgamma => run!(64, |x, c| c * x.digamma()),
        Digamma => run!(64, |x, c| c * x.trigamma()),
        Mish => run!(16, |x, c| c * mish_slope(x)),
        Hardswish => run!(1, |x, c| c * hardswish_slope(x)),
        Hardsigmoid => {
            let (three, sixth) = (T::lit(3.0), T::lit(1.0 / 6.0));
            run!(1, |x, c| if x.abs() < three { c * sixth } else { zero })
        }
        Softsign => run!(2, |x, c| {
            let d = one + x.abs();
            c / (d * d)
        }),
        LogSigmoid => run!(8, |x, c| c * sigmoid(-x)),
        Selu => {
            let (scale, a) = (T::lit(SELU.0), T::lit(SELU.1));
            run!(8, |x, c| c * scale * elu_slope(x, a, one))
        }
        Elu(a) => {
            let a = T::lit(a);
            run!(8, |x, c| c * elu_slope(x, a, one))
        }
        Celu(a) => {
            let (a, r) = (T::lit(a), T::lit(1.0 / a));
            run!(8, |x, c| c * elu_slope(x, a, r))
        }
        LeakyRelu(s) => {
            let s = T::lit(s);
            run!(1, |x, c| if x > zero { c } else { c * s })
        }
        CeluByAlpha(_) => unreachable!("it is a derivative itself"),
        Powi(i32::MIN) => run!(2, |x, c| c
            * T::lit(f64::from(i32::MIN))
            * (x.powi(i32::MIN) / x)),
        Powi(n) => run!(2, |x, c| if n == 0 {
            zero
        } else {
            c * T::lit(f64::from(n)) * x.powi(n - 1)
        }),
        Powf(p) => {
            let (p, q) = (T::lit(p), T::lit(p - 1.0));
            run!(16, |x, c| if p == zero { zero } else { c * p * x.powf(q) })
        }
        Clamp(lo, hi) => {
            let (lo, hi) = (T::lit(lo), T::lit(hi));
            // Of NaN it is 0, as in PyTorch.
            run!(1, |x, c| if x >= lo && x <= hi { c } else { zero })
        }
        Neg | Fract | Affine(..) | Floor | Ceil | Round | Trunc | Signum | Sign => {
            unreachable!("saves nothing")
        }
    }
}
