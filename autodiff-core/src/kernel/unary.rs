//! Functions of one element and their pullbacks.
//!
//! | function | derivative | taken from |
//! |---|---|---|
//! | `exp exp2 exp_m1` | `y`, `y·ln 2`, `y + 1` | output |
//! | `sqrt cbrt recip` | `1/2y`, `1/3y²`, `−y²` | output |
//! | `tan tanh sigmoid` | `1 + y²`, `1 − y²`, `y(1 − y)` | output |
//! | `relu` | 1 above 0, else 0 | output |
//! | `abs` | the sign; 0 at 0 | input |
//! | `clamp` | 1 from bound to bound, else 0 | input |
//! | `floor ceil round trunc signum` | 0 | nothing |

use super::map::{Arg, map0, map1, map2};
use crate::device::{Float, Saves, UnaryOp, Write};
use core::f64::consts::{LN_2, LN_10};

/// The input of an elementwise kernel: an argument, or what the output holds.
pub enum Src<'a, T> {
    /// Elements or a scalar.
    Arg(Arg<'a, T>),
    /// The previous contents of the output.
    Output,
}

#[inline(always)]
fn sigmoid<T: Float>(x: T) -> T {
    T::ONE / (T::ONE + (-x).exp())
}

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
    s + x * s * (T::ONE - s) * du
}

/// `out ← op(x)`.
pub fn apply<T: Float>(op: UnaryOp, out: &mut [T], dims: &[usize], x: Src<'_, T>) {
    use UnaryOp::*;
    macro_rules! run {
        ($cost:literal, $f:expr) => {{
            let f = $f;
            match x {
                Src::Arg(x) => map1(out, dims, x, $cost, |_, x| f(x)),
                Src::Output => map0(out, $cost, f),
            }
        }};
    }
    let (zero, one) = (T::ZERO, T::ONE);
    match op {
        Neg => run!(1, |x: T| -x),
        Exp => run!(8, |x: T| x.exp()),
        Exp2 => run!(8, |x: T| x.exp2()),
        ExpM1 => run!(16, |x: T| x.exp_m1()),
        Sqrt => run!(2, |x: T| x.sqrt()),
        Cbrt => run!(16, |x: T| x.cbrt()),
        Tan => run!(16, |x: T| x.tan()),
        Tanh => run!(16, |x: T| x.tanh()),
        Recip => run!(2, |x: T| one / x),
        Sigmoid => run!(8, |x: T| sigmoid(x)),
        // NaN stays NaN.
        Relu => run!(1, |x: T| if x <= zero { zero } else { x }),
        Ln => run!(8, |x: T| x.ln()),
        Log2 => run!(8, |x: T| x.log2()),
        Log10 => run!(8, |x: T| x.log10()),
        Ln1p => run!(16, |x: T| x.ln_1p()),
        Sin => run!(8, |x: T| x.sin()),
        Cos => run!(8, |x: T| x.cos()),
        Sinh => run!(16, |x: T| x.sinh()),
        Cosh => run!(16, |x: T| x.cosh()),
        Asin => run!(16, |x: T| x.asin()),
        Acos => run!(16, |x: T| x.acos()),
        Atan => run!(16, |x: T| x.atan()),
        Asinh => run!(16, |x: T| x.asinh()),
        Acosh => run!(16, |x: T| x.acosh()),
        Atanh => run!(16, |x: T| x.atanh()),
        Abs => run!(1, |x: T| x.abs()),
        Fract => run!(1, |x: T| x.fract()),
        Gelu => run!(16, |x: T| gelu(x)),
        GeluTanh => run!(8, |x: T| gelu_tanh(x)),
        Silu => run!(8, |x: T| x * sigmoid(x)),
        Softplus => run!(16, |x: T| x.maximum(zero) + (-x.abs()).exp().ln_1p()),
        Floor => run!(1, |x: T| x.floor()),
        Ceil => run!(1, |x: T| x.ceil()),
        Round => run!(1, |x: T| x.round()),
        Trunc => run!(1, |x: T| x.trunc()),
        Signum => run!(1, |x: T| x.signum()),
        Square => run!(1, |x: T| x * x),
        Powi(n) => run!(2, move |x: T| x.powi(n)),
        Powf(p) => {
            let p = T::lit(p);
            run!(16, move |x: T| x.powf(p))
        }
        Affine(a, b) => {
            let (a, b) = (T::lit(a), T::lit(b));
            run!(1, move |x: T| a * x + b)
        }
        Clamp(lo, hi) => {
            let (lo, hi) = (T::lit(lo), T::lit(hi));
            run!(1, move |x: T| if x < lo {
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
        ($cost:literal, $f:expr) => {{
            let f = $f;
            match (saved, ct, write) {
                (Src::Arg(s), Src::Arg(c), Write::Set) => {
                    map2(out, dims, s, c, $cost, |_, s, c| f(s, c))
                }
                (Src::Arg(s), Src::Arg(c), Write::Add) => {
                    map2(out, dims, s, c, $cost, |o, s, c| o + f(s, c))
                }
                (Src::Arg(s), Src::Output, Write::Set) => map1(out, dims, s, $cost, |o, s| f(s, o)),
                (Src::Output, Src::Arg(c), Write::Set) => map1(out, dims, c, $cost, |o, c| f(o, c)),
                _ => panic!("an operand in place of the output cannot be accumulated into"),
            }
        }};
    }
    let (zero, one, two) = (T::ZERO, T::ONE, T::lit(2.0));
    if op.saves() == Saves::Nothing {
        return match op {
            Neg => linear(out, dims, ct, write, |c| -c),
            Fract => linear(out, dims, ct, write, |c| c),
            Affine(a, _) => {
                let a = T::lit(a);
                linear(out, dims, ct, write, move |c| a * c)
            }
            _ => linear(out, dims, ct, write, |_| zero),
        };
    }
    match op {
        Exp => run!(1, |y: T, c: T| c * y),
        Exp2 => run!(1, |y: T, c: T| c * y * T::lit(LN_2)),
        ExpM1 => run!(1, |y: T, c: T| c * (y + one)),
        Sqrt => run!(2, |y: T, c: T| c / (two * y)),
        Cbrt => run!(2, |y: T, c: T| c / (T::lit(3.0) * y * y)),
        Tan => run!(1, |y: T, c: T| c * (one + y * y)),
        Tanh => run!(1, |y: T, c: T| c * (one - y * y)),
        Recip => run!(1, |y: T, c: T| -c * y * y),
        Sigmoid => run!(1, |y: T, c: T| c * y * (one - y)),
        Relu => run!(1, |y: T, c: T| if y > zero { c } else { zero }),
        Ln => run!(2, |x: T, c: T| c / x),
        Log2 => run!(2, |x: T, c: T| c / (x * T::lit(LN_2))),
        Log10 => run!(2, |x: T, c: T| c / (x * T::lit(LN_10))),
        Ln1p => run!(2, |x: T, c: T| c / (one + x)),
        Sin => run!(8, |x: T, c: T| c * x.cos()),
        Cos => run!(8, |x: T, c: T| -c * x.sin()),
        Sinh => run!(16, |x: T, c: T| c * x.cosh()),
        Cosh => run!(16, |x: T, c: T| c * x.sinh()),
        Asin => run!(2, |x: T, c: T| c / (one - x * x).sqrt()),
        Acos => run!(2, |x: T, c: T| -c / (one - x * x).sqrt()),
        Atan => run!(2, |x: T, c: T| c / (one + x * x)),
        Asinh => run!(2, |x: T, c: T| c / (x * x + one).sqrt()),
        Acosh => run!(2, |x: T, c: T| c / (x * x - one).sqrt()),
        Atanh => run!(2, |x: T, c: T| c / (one - x * x)),
        Abs => run!(1, |x: T, c: T| if x > zero {
            c
        } else if x < zero {
            -c
        } else {
            zero
        }),
        Gelu => run!(32, |x: T, c: T| c * gelu_slope(x)),
        GeluTanh => run!(8, |x: T, c: T| c * gelu_tanh_slope(x)),
        Silu => run!(8, |x: T, c: T| {
            let s = sigmoid(x);
            c * (s + x * s * (one - s))
        }),
        Softplus => run!(8, |x: T, c: T| c * sigmoid(x)),
        Square => run!(1, |x: T, c: T| c * two * x),
        Powi(n) => run!(2, move |x: T, c: T| if n == 0 {
            zero
        } else {
            c * T::lit(f64::from(n)) * x.powi(n - 1)
        }),
        Powf(p) => {
            let (p, q) = (T::lit(p), T::lit(p - 1.0));
            run!(16, move |x: T, c: T| if p == zero {
                zero
            } else {
                c * p * x.powf(q)
            })
        }
        Clamp(lo, hi) => {
            let (lo, hi) = (T::lit(lo), T::lit(hi));
            run!(1, move |x: T, c: T| if x < lo || x > hi { zero } else { c })
        }
        Neg | Fract | Affine(..) | Floor | Ceil | Round | Trunc | Signum => {
            unreachable!("saves nothing")
        }
    }
}

fn linear<T: Float>(
    out: &mut [T],
    dims: &[usize],
    ct: Src<'_, T>,
    write: Write,
    f: impl Fn(T) -> T + Sync,
) {
    match (ct, write) {
        (Src::Arg(c), Write::Set) => map1(out, dims, c, 1, |_, c| f(c)),
        (Src::Arg(c), Write::Add) => map1(out, dims, c, 1, |o, c| o + f(c)),
        (Src::Output, Write::Set) => map0(out, 1, f),
        (Src::Output, Write::Add) => {
            panic!("an operand in place of the output cannot be accumulated into")
        }
    }
}
