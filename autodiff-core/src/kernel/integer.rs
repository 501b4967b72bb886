//! Arithmetic of integers, which wraps around, and sums.

use super::map::{Arg, map2};
use super::nest::Nest;
use super::{par, simd::vectorize};
use crate::device::{Integer, IntegerOp, Layout};

/// `out ← op(a, b)`.
///
/// # Panics
/// On a division by zero.
pub fn apply<T: Integer>(
    op: IntegerOp,
    out: &mut [T],
    dims: &[usize],
    a: Arg<'_, T>,
    b: Arg<'_, T>,
) {
    use IntegerOp::*;
    match op {
        Add => map2(out, dims, a, b, 1, |_, a: T, b| a.add(b)),
        Sub => map2(out, dims, a, b, 1, |_, a: T, b| a.sub(b)),
        Mul => map2(out, dims, a, b, 1, |_, a: T, b| a.mul(b)),
        Div => map2(out, dims, a, b, 8, |_, a: T, b| a.div(b)),
        Rem => map2(out, dims, a, b, 8, |_, a: T, b| a.rem(b)),
        Max => map2(out, dims, a, b, 1, |_, a, b| if a < b { b } else { a }),
        Min => map2(out, dims, a, b, 1, |_, a, b| if b < a { b } else { a }),
    }
}

/// The sums along the last axis.
pub fn sum(out: &mut [i64], x: &[i64], layout: Layout) {
    if out.is_empty() {
        return;
    }
    let last = layout.dims().rank() - 1;
    let n = layout.dims()[last];
    if n == 0 {
        return out.fill(0);
    }
    let heads = layout.slice(last, 0, 1);
    let step = layout.strides()[last];
    let nest = Nest::new(heads.dims(), [&heads]);
    par::rows(out, 1, n, |start, part| {
        nest.runs(start, start + part.len(), 1, |pos, [at], _| {
            part[pos - start] = vectorize::<i64, _>(
                #[inline(always)]
                || {
                    if step == 1 {
                        let row = x[at..at + n].iter();
                        row.fold(0, |sum: i64, &x| sum.wrapping_add(x))
                    } else {
                        (0..n).fold(0, |sum: i64, i| sum.wrapping_add(x[at + i * step]))
                    }
                },
            );
        });
    });
}
