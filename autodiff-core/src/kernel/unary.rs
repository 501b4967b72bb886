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
    macro_rules! chosen {
        ({}
            [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
        ) => {
            match op {
                $($Op => run!($cost, |x| rules::$name::value(x)),)*
                Sin => trig!(near_sin sin),
                Cos => trig!(near_cos cos),
                Tan => trig!(near_tan tan),
                Neg => run!(1, |x| -x),
                Elu(a) => run!(16, |x| rules::elu::value(x, a)),
                Celu(a) => {
                    let (a, r) = (T::lit(a), T::lit(1.0 / a));
                    run!(16, |x| elu(x, a, r))
                }
                CeluByAlpha(a) => {
                    let r = T::lit(1.0 / a);
                    run!(16, |x| celu_by_alpha(x, r))
                }
                LeakyRelu(s) => run!(1, |x| rules::leaky_relu::value(x, s)),
                Powi(n) => run!(2, |x| rules::powi::value(x, n)),
                Powf(p) => run!(16, |x| rules::powf::value(x, p)),
                Affine(a, b) => {
                    let (a, b) = (T::lit(a), T::lit(b));
                    run!(1, |x| a * x + b)
                }
                Clamp(lo, hi) => run!(1, |x| rules::clamp::value(x, lo, hi)),
            }
        };
    }
    autodiff_vocabulary::functions!(short chosen, {} [numbers shifts activations elements apart flat flat_elements])
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
    let zero = T::ZERO;
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
            [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
            [$($(#[$doc0:meta])* $name0:ident $Op0:tt $Rule0:tt $reads0:ident ($cost0:literal $pull_cost0:literal) $domain0:tt;)*]
        ) => {
            match op {
                // Each takes from what is saved; the other argument is not read.
                $($Op => run!($pull_cost, |s, c| rules::$name::pull(s, s, c)),)*
                Sin => trig!(near_cos cos, |d, c| c * d),
                Cos => trig!(near_sin sin, |d, c| -c * d),
                Tan => run!(1, |y, c| rules::tan::pull::<T, true>(y, y, c)),
                Elu(a) => run!(8, |x, c| rules::elu::pull(x, x, c, a)),
                Celu(a) => {
                    let (a, r) = (T::lit(a), T::lit(1.0 / a));
                    run!(8, |x, c| c * elu_slope(x, a, r))
                }
                LeakyRelu(s) => run!(1, |x, c| rules::leaky_relu::pull(x, x, c, s)),
                CeluByAlpha(_) => unreachable!("it is a derivative itself"),
                Powi(n) => run!(2, |x, c| rules::powi::pull(x, x, c, n)),
                Powf(p) => run!(16, |x, c| rules::powf::pull(x, x, c, p)),
                Clamp(lo, hi) => run!(1, |x, c| rules::clamp::pull(x, x, c, lo, hi)),
                Neg | Affine(..) $(| $Op0)* => unreachable!("saves nothing"),
            }
        };
    }
    autodiff_vocabulary::functions!(short chosen, {} [numbers activations elements apart] [shifts flat flat_elements])
}
