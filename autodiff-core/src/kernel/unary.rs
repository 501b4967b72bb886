//! Functions of one element and their pullbacks.
//!
//! The functions are those of the table in the crate `autodiff-vocabulary`, and those with numbers as parameters.
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
    let (zero, one) = (T::ZERO, T::ONE);
    macro_rules! chosen {
        ({}
            [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt
                |$x:ident| $value:expr; |$t:ident, $v:ident| $pull:expr;)*]
        ) => {
            match op {
                $($Op => run!($cost, |x| rules::$name::value(x)),)*
                Sin => trig!(near_sin sin),
                Cos => trig!(near_cos cos),
                Tan => trig!(near_tan tan),
                Neg => run!(1, |x| -x),
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
        };
    }
    autodiff_vocabulary::functions!(chosen, {} [numbers shifts activations elements apart flat flat_elements])
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
    macro_rules! chosen {
        ({}
            [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt
                |$x:ident| $value:expr; |$t:ident, $v:ident| $pull:expr;)*]
            [$($(#[$doc0:meta])* $name0:ident $Op0:tt $Rule0:tt $reads0:ident ($cost0:literal $pull_cost0:literal) $domain0:tt
                |$x0:ident| $value0:expr; |$t0:ident, $v0:ident| $pull0:expr;)*]
        ) => {
            match op {
                // Each takes from what is saved; the other argument is not read.
                $($Op => run!($pull_cost, |s, c| rules::$name::pull(s, s, c)),)*
                Sin => trig!(near_cos cos, |d, c| c * d),
                Cos => trig!(near_sin sin, |d, c| -c * d),
                Tan => run!(1, |y, c| rules::tan::pull::<T, true>(y, y, c)),
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
                Neg | Affine(..) $(| $Op0)* => unreachable!("saves nothing"),
            }
        };
    }
    autodiff_vocabulary::functions!(chosen, {} [numbers activations elements apart] [shifts flat flat_elements])
}
