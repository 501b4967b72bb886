//! Softmax, log-softmax and cross-entropy: everything that normalises rows (the last axis).

use super::map::{Arg, map1};
use super::nest::Nest;
use super::par;
use super::reduce::{self, Add, Largest, row, same};
use super::simd::vectorize;
use crate::device::{Elem, Float, Layout, SoftmaxOp, Write};

/// The rows of a view: where each begins, and the step inside.
pub(super) struct Rows<'a, T> {
    data: &'a [T],
    heads: Nest<1>,
    step: usize,
    dense: Option<&'a [T]>,
    pub(super) width: usize,
}

impl<'a, T: Elem> Rows<'a, T> {
    pub(super) fn new(data: &'a [T], layout: Layout) -> Self {
        let last = layout.dims().rank() - 1;
        let heads = layout.slice(last, 0, 1);
        let step = layout.strides()[last];
        Rows {
            data,
            heads: Nest::new(heads.dims(), [&heads]),
            step,
            dense: layout
                .is_contiguous()
                .then(|| &data[layout.offset()..][..layout.numel()]),
            width: layout.dims()[last],
        }
    }
    /// All rows, if they follow each other without gaps.
    pub(super) fn dense(&self) -> Option<&'a [T]> {
        self.dense
    }
    /// Calls `f(row number, row)` for `count` rows from `first`.
    #[inline(always)]
    pub(super) fn each(&self, first: usize, count: usize, mut f: impl FnMut(usize, &[T])) {
        let mut copy = if self.step == 1 {
            Vec::new()
        } else {
            vec![T::default(); self.width]
        };
        self.heads.runs(
            first,
            first + count,
            1,
            #[inline(always)]
            |row, [at], _| {
                if self.step == 1 {
                    return f(row, &self.data[at..at + self.width]);
                }
                for (i, c) in copy.iter_mut().enumerate() {
                    *c = self.data[at + i * self.step];
                }
                f(row, &copy);
            },
        );
    }
}

/// The largest element of a row.
#[inline(always)]
fn largest<T: Float>(x: &[T]) -> T {
    row::<T, Largest>(x, same)
}

/// The sum of a row.
#[inline(always)]
fn total<T: Float>(x: &[T]) -> T {
    row::<T, Add>(x, same)
}

/// `ln Σ exp(x)` in two parts that add up to it: a shift and the rest. Differences to `x` keep
/// their digits if the shift is subtracted first.
#[inline(always)]
pub fn log_sum_exp<T: Float>(x: &[T]) -> (T, T) {
    let m = largest(x);
    if m == T::INFINITY || m == -T::INFINITY {
        return (m, T::ZERO);
    }
    let sum = row::<T, Add>(
        x,
        #[inline(always)]
        move |x| (x - m).exp(),
    );
    (m, sum.ln())
}

/// `out ← exp(x)/Σ exp(x)`
#[inline(always)]
fn softmax_row<T: Float>(out: &mut [T], x: &[T]) {
    // A row of −∞ has no finite shift; +∞ and NaN give NaN either way.
    let m = largest(x);
    let m = if m == -T::INFINITY { T::ZERO } else { m };
    for (o, &x) in out.iter_mut().zip(x) {
        *o = (x - m).exp();
    }
    let r = T::ONE / total(out);
    out.iter_mut().for_each(|o| *o = *o * r);
}

/// Normalises each row.
pub fn softmax<T: Float>(op: SoftmaxOp, out: &mut [T], x: &[T], layout: Layout) {
    if out.is_empty() {
        return; // rows of width 0 have no first element
    }
    let rows = Rows::new(x, layout);
    let w = rows.width;
    par::rows(out, w, 16, |first, part| {
        vectorize::<T, _>(
            #[inline(always)]
            || {
                rows.each(
                    first,
                    part.len() / w,
                    #[inline(always)]
                    |row, x| {
                        let o = &mut part[(row - first) * w..][..w];
                        match op {
                            SoftmaxOp::Softmax => softmax_row(o, x),
                            SoftmaxOp::LogSoftmax => {
                                let (m, l) = log_sum_exp(x);
                                // Beside +∞ all are NaN, as the quotient of `Softmax`.
                                let l = if m == T::INFINITY { T::NAN } else { l };
                                for (o, &x) in o.iter_mut().zip(x) {
                                    *o = (x - m) - l;
                                }
                            }
                        }
                    },
                );
            },
        );
    });
}

/// `Softmax`: `y·(ct − Σ y·ct)`. `LogSoftmax`: `ct − exp(y)·Σ ct`.
pub fn softmax_pullback<T: Float>(
    op: SoftmaxOp,
    out: &mut [T],
    y: (&[T], Layout),
    ct: (&[T], Layout),
    write: Write,
) {
    if out.is_empty() {
        return;
    }
    let (ys, cts) = (Rows::new(y.0, y.1), Rows::new(ct.0, ct.1));
    let w = ys.width;
    par::rows(out, w, 8, |first, part| {
        vectorize::<T, _>(
            #[inline(always)]
            || {
                ys.each(
                    first,
                    part.len() / w,
                    #[inline(always)]
                    |row, y| {
                        let o = &mut part[(row - first) * w..][..w];
                        cts.each(
                            row,
                            1,
                            #[inline(always)]
                            |_, c| pull_row(op, &mut *o, y, c, write),
                        );
                    },
                );
            },
        );
    });
}

#[inline(always)]
fn pull_row<T: Float>(op: SoftmaxOp, out: &mut [T], y: &[T], c: &[T], write: Write) {
    match op {
        SoftmaxOp::Softmax => {
            let s = reduce::rows(y, c, |y, c| y * c);
            put(out, y, c, write, |y, c| y * (c - s));
        }
        SoftmaxOp::LogSoftmax => {
            let s = total(c);
            put(
                out,
                y,
                c,
                write,
                #[inline(always)]
                |y, c| c - y.exp() * s,
            );
        }
    }
}

/// `out ← f(a, b)`, or `+=`.
#[inline(always)]
fn put<T: Float>(out: &mut [T], a: &[T], b: &[T], write: Write, f: impl Fn(T, T) -> T) {
    let all = out.iter_mut().zip(a).zip(b);
    match write {
        Write::Set => all.for_each(|((o, &a), &b)| *o = f(a, b)),
        Write::Add => all.for_each(|((o, &a), &b)| *o = *o + f(a, b)),
    }
}

/// The mean over rows of `ln Σ exp(x) − x[target]`; `lse` gets `ln Σ exp(x − max)` alone, which keeps its
/// digits beside a large maximum.
pub fn cross_entropy<T: Float>(x: (&[T], Layout), targets: &[usize], lse: &mut [T], loss: &mut T) {
    let rows = Rows::new(x.0, x.1);
    let n = targets.len();
    let mut losses = vec![T::ZERO; n];
    par::rows2(
        lse,
        &mut losses,
        16 * rows.width.max(1),
        |first, lse, losses| {
            vectorize::<T, _>(
                #[inline(always)]
                || {
                    rows.each(
                        first,
                        lse.len(),
                        #[inline(always)]
                        |row, x| {
                            let (m, l) = log_sum_exp(x);
                            lse[row - first] = l;
                            losses[row - first] = l + (m - x[targets[row]]);
                        },
                    );
                },
            );
        },
    );
    *loss = reduce::sum(&losses) / T::lit(n as f64);
}

/// `ct/rows · (exp((x − max) − lse) − onehot(target))`.
pub fn cross_entropy_pullback<T: Float>(
    out: &mut [T],
    x: (&[T], Layout),
    targets: &[usize],
    lse: (&[T], Layout),
    ct: T,
    write: Write,
) {
    let dims = *x.1.dims();
    let (n, w) = (dims[0], dims[1]);
    let scale = ct / T::lit(n as f64);
    let mut shifts = vec![T::ZERO; n];
    map1(&mut shifts, &[n], Arg::View(lse.0, lse.1), 1, |_, l| l);
    let rows = Rows::new(x.0, x.1);
    par::rows(out, w, 16, |first, part| {
        vectorize::<T, _>(
            #[inline(always)]
            || {
                rows.each(
                    first,
                    part.len() / w,
                    #[inline(always)]
                    |row, x| {
                        let o = &mut part[(row - first) * w..][..w];
                        let (m, l) = (largest(x), shifts[row]);
                        put(o, x, x, write, |x, _| scale * ((x - m) - l).exp());
                        let t = targets[row];
                        o[t] = o[t] - scale;
                    },
                );
            },
        );
    });
}
