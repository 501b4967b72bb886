//! Softmax, log-softmax and cross-entropy: everything that normalises rows (the last axis).

use super::map::{Arg, map1};
use super::nest::Nest;
use super::simd::vectorize;
use super::{par, reduce};
use crate::device::{Elem, Float, Layout, SoftmaxOp, Write};

/// The rows of a view: where each begins, and the step inside.
pub(super) struct Rows<'a, T> {
    data: &'a [T],
    heads: Nest<1>,
    step: usize,
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
            width: layout.dims()[last],
        }
    }
    /// Calls `f(row number, row)` for `count` rows from `first`.
    pub(super) fn each(&self, first: usize, count: usize, mut f: impl FnMut(usize, &[T])) {
        let mut copy = if self.step == 1 {
            Vec::new()
        } else {
            vec![T::default(); self.width]
        };
        self.heads.runs(first, first + count, 1, |row, [at], _| {
            if self.step == 1 {
                return f(row, &self.data[at..at + self.width]);
            }
            for (i, c) in copy.iter_mut().enumerate() {
                *c = self.data[at + i * self.step];
            }
            f(row, &copy);
        });
    }
}

/// The shift that keeps `exp` in range: the maximum, or 0 where that is infinite.
#[inline]
fn shift<T: Float>(x: &[T]) -> T {
    let m = reduce::max(x);
    // A row of −∞ has no finite shift; +∞ and NaN give NaN either way.
    if m == -T::INFINITY { T::ZERO } else { m }
}

/// `ln Σ exp(x)` in two parts that add up to it: a shift and the rest. Differences to `x` keep
/// their digits if the shift is subtracted first.
pub fn log_sum_exp<T: Float>(x: &[T]) -> (T, T) {
    let m = reduce::max(x);
    if m == T::INFINITY || m == -T::INFINITY {
        return (m, T::ZERO);
    }
    let (mut sum, mut exps) = (T::ZERO, [T::ZERO; 256]);
    for block in x.chunks(256) {
        shifted_exp(&mut exps[..block.len()], block, m);
        sum = sum + reduce::sum(&exps[..block.len()]);
    }
    (m, sum.ln())
}

/// `out ← exp(x − shift)`.
fn shifted_exp<T: Float>(out: &mut [T], x: &[T], shift: T) {
    vectorize(
        #[inline(always)]
        move || {
            for (o, &x) in out.iter_mut().zip(x) {
                *o = (x - shift).exp();
            }
        },
    );
}

/// Normalises each row.
pub fn softmax<T: Float>(op: SoftmaxOp, out: &mut [T], x: &[T], layout: Layout) {
    if out.is_empty() {
        return; // rows of width 0 have no first element
    }
    let rows = Rows::new(x, layout);
    let w = rows.width;
    par::rows(out, w, 16, |first, part| {
        rows.each(first, part.len() / w, |row, x| {
            let o = &mut part[(row - first) * w..][..w];
            match op {
                SoftmaxOp::Softmax => {
                    let m = shift(x);
                    shifted_exp(o, x, m);
                    let r = T::ONE / reduce::sum(o);
                    vectorize(
                        #[inline(always)]
                        move || o.iter_mut().for_each(|o| *o = *o * r),
                    );
                }
                SoftmaxOp::LogSoftmax => {
                    let (m, l) = log_sum_exp(x);
                    for (o, &x) in o.iter_mut().zip(x) {
                        *o = (x - m) - l;
                    }
                }
            }
        });
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
        let mut work = vec![T::ZERO; w];
        ys.each(first, part.len() / w, |row, y| {
            let o = &mut part[(row - first) * w..][..w];
            cts.each(row, 1, |_, c| {
                match op {
                    SoftmaxOp::Softmax => {
                        for ((t, &y), &c) in work.iter_mut().zip(y).zip(c) {
                            *t = y * c;
                        }
                        let s = reduce::sum(&work);
                        for ((t, &y), &c) in work.iter_mut().zip(y).zip(c) {
                            *t = y * (c - s);
                        }
                    }
                    SoftmaxOp::LogSoftmax => {
                        let s = reduce::sum(c);
                        let work = &mut work[..];
                        vectorize(
                            #[inline(always)]
                            move || {
                                work.iter_mut()
                                    .zip(y)
                                    .zip(c)
                                    .for_each(|((t, &y), &c)| *t = c - y.exp() * s)
                            },
                        );
                    }
                }
                match write {
                    Write::Set => o.copy_from_slice(&work),
                    Write::Add => o.iter_mut().zip(&work).for_each(|(o, &t)| *o = *o + t),
                }
            });
        });
    });
}

/// The mean of `lse − x[target]` over rows.
pub fn cross_entropy<T: Float>(x: (&[T], Layout), targets: &[usize], lse: &mut [T], loss: &mut T) {
    let rows = Rows::new(x.0, x.1);
    let n = targets.len();
    let mut losses = vec![T::ZERO; n];
    par::rows2(
        lse,
        &mut losses,
        16 * rows.width.max(1),
        |first, lse, losses| {
            rows.each(first, lse.len(), |row, x| {
                let (m, l) = log_sum_exp(x);
                lse[row - first] = m + l;
                losses[row - first] = l + (m - x[targets[row]]);
            });
        },
    );
    *loss = reduce::sum(&losses) / T::lit(n as f64);
}

/// `ct/rows · (exp(x − lse) − onehot(target))`.
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
        rows.each(first, part.len() / w, |row, x| {
            let o = &mut part[(row - first) * w..][..w];
            let l = shifts[row];
            match write {
                Write::Set => o
                    .iter_mut()
                    .zip(x)
                    .for_each(|(o, &x)| *o = scale * (x - l).exp()),
                Write::Add => o
                    .iter_mut()
                    .zip(x)
                    .for_each(|(o, &x)| *o = *o + scale * (x - l).exp()),
            }
            let t = targets[row];
            o[t] = o[t] - scale;
        });
    });
}
