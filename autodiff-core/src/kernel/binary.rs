//! Functions of two elements, their pullbacks, comparison and selection.
//!
//! | function | left | right |
//! |---|---|---|
//! | `a^b` | `b·a^(b−1)`; 0 where `b = 0` | `a^b · ln a`; 0 where `a = 0`, `b ≥ 0` |
//! | `atan2(a, b)` | `b/(a²+b²)` | `−a/(a²+b²)` |
//! | `hypot` | `a/hypot`; 0 at the origin | `b/hypot`; 0 at the origin |
//! | `a % b` | 1 | `−trunc(a/b)` |
//! | `max min` | 1 if selected, ½ on a tie | likewise |

use super::drive::{Src, drive};
use super::map::{Arg, map1, map2, map3};
use super::nest::Nest;
use super::simd::vectorize;
use crate::ad::rules::formulas::of_elements as formulas;
use crate::device::{BinaryOp, CompareOp, Elem, Float, Layout, Side, Write};

/// `out ← op(a, b)`.
pub fn apply<T: Float>(
    op: BinaryOp,
    out: &mut [T],
    dims: &[usize],
    a: Src<'_, T>,
    b: Src<'_, T>,
    write: Write,
) {
    use BinaryOp::*;
    macro_rules! run {
        ($cost:literal, |$a:ident, $b:ident| $y:expr) => {
            drive(
                out,
                dims,
                [a, b],
                write,
                $cost,
                &|o: &mut [T], [a, b]: [&[T]; 2]| {
                    vectorize::<T, _>(
                        #[inline(always)]
                        move || {
                            for ((o, &$a), &$b) in o.iter_mut().zip(a).zip(b) {
                                *o = $y;
                            }
                        },
                    )
                },
            )
        };
    }
    // Arithmetic in place is common enough to spare it the copies of the general way.
    if let (Src::Output, Src::Arg(b), Write::Set) = (a, b, write) {
        match op {
            Add => return map1(out, dims, b, 1, |o, b| o + b),
            Sub => return map1(out, dims, b, 1, |o, b| o - b),
            Mul => return map1(out, dims, b, 1, |o, b| o * b),
            Div => return map1(out, dims, b, 2, |o, b| o / b),
            _ => {}
        }
    }
    if let (Src::Arg(a), Src::Arg(b), Mul, Write::Add) = (a, b, op, write) {
        return map2(out, dims, a, b, 1, |o, a, b| o + a * b);
    }
    match op {
        Add => run!(1, |a, b| a + b),
        Sub => run!(1, |a, b| a - b),
        Mul => run!(1, |a, b| a * b),
        Div => run!(2, |a, b| a / b),
        Powf => run!(16, |a, b| a.powf(b)),
        Atan2 => run!(16, |a, b| a.atan2(b)),
        Hypot => run!(8, |a, b| a.hypot(b)),
        Rem => run!(8, |a, b| a.remainder(b)),
        Max => run!(1, |a, b| a.maximum(b)),
        Min => run!(1, |a, b| a.minimum(b)),
    }
}

/// The part of `c` that belongs to `a`, by an order in which `first(a, b)` says that `a` comes first: half on a tie, and a
/// NaN loses. Of two, `a` gets all, as its value is taken.
#[inline(always)]
fn left_share<T: Float>(first: impl Fn(T, T) -> bool, a: T, b: T, c: T) -> T {
    if first(a, b) || b.is_nan() {
        c
    } else if a == b {
        c * T::lit(0.5)
    } else {
        T::ZERO
    }
}

/// The part of `c` that belongs to `b`.
#[inline(always)]
fn right_share<T: Float>(first: impl Fn(T, T) -> bool, a: T, b: T, c: T) -> T {
    if first(b, a) || a.is_nan() && !b.is_nan() {
        c
    } else if a == b {
        c * T::lit(0.5)
    } else {
        T::ZERO
    }
}

/// `out ← ct · ∂op(a, b)/∂side`.
#[allow(clippy::too_many_arguments)]
pub fn pullback<T: Float>(
    op: BinaryOp,
    side: Side,
    out: &mut [T],
    dims: &[usize],
    a: Src<'_, T>,
    b: Src<'_, T>,
    ct: Src<'_, T>,
    write: Write,
) {
    use BinaryOp::*;
    use Side::*;
    match (op, side) {
        (Add, _) | (Sub, Left) => {
            return apply(Mul, out, dims, Src::Arg(Arg::Scalar(T::ONE)), ct, write);
        }
        (Sub, Right) => return apply(Mul, out, dims, Src::Arg(Arg::Scalar(-T::ONE)), ct, write),
        (Mul, Left) => return apply(Mul, out, dims, ct, b, write),
        (Mul, Right) => return apply(Mul, out, dims, ct, a, write),
        (Div, Left) => return apply(Div, out, dims, ct, b, write),
        _ => {}
    }
    macro_rules! run {
        ($cost:literal, |$a:ident, $b:ident, $c:ident| $y:expr) => {
            drive(
                out,
                dims,
                [a, b, ct],
                write,
                $cost,
                &|o: &mut [T], [a, b, c]: [&[T]; 3]| {
                    vectorize::<T, _>(
                        #[inline(always)]
                        move || {
                            for (((o, &$a), &$b), &$c) in o.iter_mut().zip(a).zip(b).zip(c) {
                                *o = $y;
                            }
                        },
                    )
                },
            )
        };
    }
    match (op, side) {
        (Div, _) => run!(2, |a, b, c| formulas::div_right(c, b, a / b)),
        (Powf, Left) => run!(16, |a, b, c| formulas::powf_base(c, a, b)),
        (Powf, Right) => run!(32, |a, b, c| formulas::powf_exponent(c, a, b, a.powf(b))),
        (Atan2, Left) => run!(2, |a, b, c| formulas::atan2_left(c, a, b)),
        (Atan2, Right) => run!(2, |a, b, c| formulas::atan2_right(c, a, b)),
        (Hypot, Left) => run!(2, |a, b, c| formulas::hypot(c, a, b)),
        (Hypot, Right) => run!(2, |a, b, c| formulas::hypot(c, b, a)),
        (Rem, Left) => run!(1, |_a, _b, c| c),
        (Rem, Right) => run!(8, |a, b, c| formulas::rem_right(c, a, b, a.remainder(b))),
        (Max, Left) => run!(1, |a, b, c| left_share(|a, b| a > b, a, b, c)),
        (Max, Right) => run!(1, |a, b, c| right_share(|a, b| a > b, a, b, c)),
        (Min, Left) => run!(1, |a, b, c| left_share(|a, b| a < b, a, b, c)),
        (Min, Right) => run!(1, |a, b, c| right_share(|a, b| a < b, a, b, c)),
        (Add | Sub | Mul, _) => unreachable!("handled above"),
    }
}

/// `out ← a op b`.
pub fn compare<T: Elem>(
    op: CompareOp,
    out: &mut [bool],
    dims: &[usize],
    a: Arg<'_, T>,
    b: Arg<'_, T>,
) {
    use CompareOp::*;
    match op {
        Eq => map2(out, dims, a, b, 1, |_, a, b| a == b),
        Ne => map2(out, dims, a, b, 1, |_, a, b| a != b),
        Lt => map2(out, dims, a, b, 1, |_, a, b| a < b),
        Le => map2(out, dims, a, b, 1, |_, a, b| a <= b),
        // The same loops, the other way round.
        Gt => compare(Lt, out, dims, b, a),
        Ge => compare(Le, out, dims, b, a),
    }
}

/// `out ← if mask { a } else { b }`.
pub fn select<T: Elem>(
    out: &mut [T],
    dims: &[usize],
    mask: Arg<'_, bool>,
    a: Src<'_, T>,
    b: Src<'_, T>,
) {
    // The unread side is filled with any value.
    let none = Arg::Scalar(T::default());
    match (a, b) {
        (Src::Arg(a), Src::Arg(b)) => {
            map3(out, dims, mask, a, b, 1, |_, m, a, b| if m { a } else { b })
        }
        (Src::Output, Src::Arg(b)) => map3(
            out,
            dims,
            mask,
            none,
            b,
            1,
            |o, m, _, b| if m { o } else { b },
        ),
        (Src::Arg(a), Src::Output) => map3(
            out,
            dims,
            mask,
            a,
            none,
            1,
            |o, m, a, _| if m { a } else { o },
        ),
        (Src::Output, Src::Output) => {}
    }
}

/// `y ← y + alpha·x`.
pub fn add_scaled<T: Float>(alpha: T, y: (&mut [T], Layout), x: (&[T], Layout)) {
    let ((y, to), (x, from)) = (y, x);
    let sum = move |y, x: T| y + alpha * x;
    if to.is_contiguous() {
        let y = &mut y[to.offset()..][..to.numel()];
        return map1(y, to.dims(), Arg::View(x, from), 1, sum);
    }
    let nest = Nest::new(to.dims(), [&from, &to]);
    let steps = [nest.inner_stride(0), nest.inner_stride(1)];
    nest.runs(0, to.numel(), usize::MAX, |_, [a, b], n| {
        if steps == [1, 1] {
            let x = Arg::View(&x[a..a + n], Layout::dense([n][..].into()));
            return map1(&mut y[b..b + n], &[n], x, 1, sum);
        }
        for i in 0..n {
            let to = &mut y[b + i * steps[1]];
            *to = sum(*to, x[a + i * steps[0]]);
        }
    });
}
