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
//! The formulas are those that fused regions use, in [`rules`]; activation functions have a module of
//! their own, [`activation`](super::activation).

use super::activation::*;
use super::drive::{Src, drive};
use super::fused::rules;
use super::simd::vectorize;
use crate::device::{Float, Saves, UnaryOp, Write};

/// Calls `again` with the place of each element too far out for the vectorised sine.
#[inline(always)]
fn each_far<T: Float>(x: &[T], mut again: impl FnMut(usize)) {
    let far = |x: &T| x.abs() > T::NEAR;
    let any = vectorize::<T, _>(
        #[inline(always)]
        || x.iter().fold(false, |any, x| any | far(x)),
    );
    if any {
        x.iter()
            .enumerate()
            .filter(|(_, x)| far(x))
            .for_each(|(i, _)| again(i));
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
                    vectorize::<T, _>(
                        #[inline(always)]
                        move || {
                            for (o, &$x) in o.iter_mut().zip(x) {
                                *o = $y;
                            }
                        },
                    )
                },
            )
        };
    }
    macro_rules! trig {
        ($near:ident $far:ident) => {
            drive(
                out,
                dims,
                [x],
                Write::Set,
                8,
                &|o: &mut [T], [x]: [&[T]; 1]| {
                    vectorize::<T, _>(
                        #[inline(always)]
                        || {
                            for (o, x) in o.iter_mut().zip(x) {
                                *o = x.$near();
                            }
                        },
                    );
                    each_far(x, |i| o[i] = x[i].$far());
                },
            )
        };
    }
    macro_rules! rule {
        ($cost:literal, $name:ident) => {
            run!($cost, |x| rules::$name::value(x))
        };
    }
    let (zero, one) = (T::ZERO, T::ONE);
    match op {
        Neg => run!(1, |x| -x),
        Exp => rule!(8, exp),
        Exp2 => rule!(8, exp2),
        ExpM1 => rule!(16, exp_m1),
        Sqrt => rule!(2, sqrt),
        Cbrt => rule!(16, cbrt),
        Tan => trig!(near_tan tan),
        Tanh => rule!(16, tanh),
        Recip => rule!(2, recip),
        Rsqrt => rule!(4, rsqrt),
        Sigmoid => rule!(8, sigmoid),
        Relu => rule!(1, relu),
        Ln => rule!(8, ln),
        Log2 => rule!(8, log2),
        Log10 => rule!(8, log10),
        Ln1p => rule!(16, ln_1p),
        Sin => trig!(near_sin sin),
        Cos => trig!(near_cos cos),
        Sinh => rule!(16, sinh),
        Cosh => rule!(16, cosh),
        Asin => rule!(16, asin),
        Acos => rule!(16, acos),
        Atan => rule!(16, atan),
        Asinh => rule!(16, asinh),
        Acosh => rule!(16, acosh),
        Atanh => rule!(16, atanh),
        Abs => rule!(1, abs),
        Fract => run!(1, |x| x.fract()),
        Gelu => rule!(16, gelu),
        GeluTanh => rule!(8, gelu_tanh),
        Silu => rule!(8, silu),
        Softplus => rule!(16, softplus),
        Floor => run!(1, |x| x.floor()),
        Ceil => run!(1, |x| x.ceil()),
        Round => run!(1, |x| x.round()),
        Trunc => run!(1, |x| x.trunc()),
        Signum => run!(1, |x| x.signum()),
        // A zero keeps its sign, NaN stays NaN; neither has a slope.
        Sign => run!(1, |x| if x > zero {
            one
        } else if x < zero {
            -one
        } else {
            x * zero
        }),
        Square => rule!(1, square),
        Erf => rule!(32, erf),
        Erfc => rule!(16, erfc),
        Lgamma => run!(64, |x| x.ln_gamma()),
        Digamma => run!(64, |x| x.digamma()),
        Mish => rule!(16, mish),
        Hardswish => rule!(1, hardswish),
        Hardsigmoid => rule!(1, hardsigmoid),
        Softsign => rule!(2, softsign),
        LogSigmoid => rule!(16, log_sigmoid),
        Selu => rule!(16, selu),
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
                    vectorize::<T, _>(
                        #[inline(always)]
                        move || {
                            for ((o, &$s), &$c) in o.iter_mut().zip(s).zip(c) {
                                *o = $y;
                            }
                        },
                    )
                },
            )
        };
    }
    // Each takes from what is saved; the other argument is not read.
    macro_rules! rule {
        ($cost:literal, $name:ident) => {
            run!($cost, |s, c| rules::$name::pull(s, s, c))
        };
    }
    macro_rules! linear {
        (|$c:ident| $y:expr) => {
            drive(out, dims, [ct], write, 1, &|o: &mut [T], [c]: [&[T]; 1]| {
                vectorize::<T, _>(
                    #[inline(always)]
                    move || {
                        for (o, &$c) in o.iter_mut().zip(c) {
                            *o = $y;
                        }
                    },
                )
            })
        };
    }
    macro_rules! trig {
        ($near:ident $far:ident, |$d:ident, $c:ident| $y:expr) => {
            drive(
                out,
                dims,
                [saved, ct],
                write,
                8,
                &|o: &mut [T], [s, c]: [&[T]; 2]| {
                    vectorize::<T, _>(
                        #[inline(always)]
                        || {
                            for ((o, s), &$c) in o.iter_mut().zip(s).zip(c) {
                                let $d = s.$near();
                                *o = $y;
                            }
                        },
                    );
                    each_far(s, |i| {
                        let ($d, $c) = (s[i].$far(), c[i]);
                        o[i] = $y;
                    });
                },
            )
        };
    }
    let (zero, one) = (T::ZERO, T::ONE);
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
        Exp => rule!(1, exp),
        Exp2 => rule!(1, exp2),
        ExpM1 => rule!(1, exp_m1),
        Sqrt => rule!(2, sqrt),
        Cbrt => rule!(2, cbrt),
        Tan => run!(1, |y, c| rules::tan::pull::<T, true>(y, y, c)),
        Tanh => rule!(1, tanh),
        Recip => rule!(1, recip),
        Rsqrt => rule!(1, rsqrt),
        Sigmoid => rule!(1, sigmoid),
        Relu => rule!(1, relu),
        Ln => rule!(2, ln),
        Log2 => rule!(2, log2),
        Log10 => rule!(2, log10),
        Ln1p => rule!(2, ln_1p),
        Sin => trig!(near_cos cos, |d, c| c * d),
        Cos => trig!(near_sin sin, |d, c| -c * d),
        Sinh => rule!(16, sinh),
        Cosh => rule!(16, cosh),
        Asin => rule!(2, asin),
        Acos => rule!(2, acos),
        Atan => rule!(2, atan),
        Asinh => rule!(2, asinh),
        Acosh => rule!(2, acosh),
        Atanh => rule!(2, atanh),
        Abs => rule!(1, abs),
        Gelu => rule!(32, gelu),
        GeluTanh => rule!(8, gelu_tanh),
        Silu => rule!(8, silu),
        Softplus => rule!(8, softplus),
        Square => rule!(1, square),
        Erf => rule!(8, erf),
        Erfc => rule!(8, erfc),
        Lgamma => run!(64, |x, c| c * x.digamma()),
        Digamma => run!(64, |x, c| c * x.trigamma()),
        Mish => rule!(16, mish),
        Hardswish => rule!(1, hardswish),
        Hardsigmoid => rule!(1, hardsigmoid),
        Softsign => rule!(2, softsign),
        LogSigmoid => rule!(8, log_sigmoid),
        Selu => rule!(8, selu),
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
        Powi(n) => run!(2, |x, c| rules::powi::pull(x, x, c, n)),
        Powf(p) => run!(16, |x, c| rules::powf::pull(x, x, c, p)),
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
