//! Maxima and means over windows.
//!
//! Windows that slide are taken a line of outputs at a time: for each entry of the window, a strided
//! part of a line of the input meets a part of the line of outputs. Windows of other shapes
//! (adaptive pooling) are taken one by one.

use super::par;
use super::reduce::{Fold, Largest};
use super::simd::vectorize;
use crate::device::{Float, PoolOp, PoolShape, Windows};

/// Along one axis, the entries that each window has inside the input.
fn axis(shape: &PoolShape, axis: usize) -> Vec<Vec<usize>> {
    let (n, out) = (shape.input[axis], shape.output[axis]);
    let window = |i: usize| -> Vec<usize> {
        match &shape.windows {
            Some(w) => sliding(w, axis, i, n),
            // Parts as even as whole entries allow; they overlap by one where they must.
            None => (i * n / out..((i + 1) * n).div_ceil(out)).collect(),
        }
    };
    (0..out).map(window).collect()
}

fn sliding(w: &Windows, axis: usize, i: usize, n: usize) -> Vec<usize> {
    (0..w.size[axis])
        .filter_map(|k| (i * w.stride[axis] + k * w.dilation[axis]).checked_sub(w.pad[axis]))
        .filter(|&at| at < n)
        .collect()
}

/// One entry of the windows along the last axis: outputs `from..to` have it inside the input, the
/// first of them at `at`.
struct Tap {
    from: usize,
    to: usize,
    at: usize,
}

fn taps(w: &Windows, n: usize, out: usize) -> Vec<Tap> {
    let (stride, pad) = (w.stride[2], w.pad[2]);
    let tap = |k: usize| {
        let shift = k * w.dilation[2];
        let from = pad.saturating_sub(shift).div_ceil(stride);
        let to = ((n + pad).saturating_sub(shift).div_ceil(stride)).min(out);
        (from < to).then(|| Tap {
            from,
            to,
            at: from * stride + shift - pad,
        })
    };
    (0..w.size[2]).filter_map(tap).collect()
}

/// The windows of one row, and how many entries each counts.
struct Plan {
    axes: [Vec<Vec<usize>>; 3],
    input: [usize; 3],
    /// The taps along the last axis and its stride, of windows that slide.
    sliding: Option<(Vec<Tap>, usize)>,
    /// The divisor of a mean, if it is the same for all.
    volume: Option<usize>,
}

impl Plan {
    fn new(shape: &PoolShape) -> Self {
        let last = |w| (taps(w, shape.input[2], shape.output[2]), w.stride[2]);
        let axes = [axis(shape, 0), axis(shape, 1), axis(shape, 2)];
        assert!(
            axes.iter().flatten().all(|window| !window.is_empty()),
            "a window has an entry inside the input"
        );
        Plan {
            axes,
            input: shape.input,
            sliding: shape.windows.as_ref().map(last),
            volume: shape.windows.as_ref().map(Windows::volume),
        }
    }

    /// Calls `f(number of the window, its entries)` for every window.
    #[inline(always)]
    fn each(&self, mut f: impl FnMut(usize, Region<'_>)) {
        let mut o = 0;
        for a in &self.axes[0] {
            for b in &self.axes[1] {
                for c in &self.axes[2] {
                    let input = self.input;
                    f(o, Region { a, b, c, input });
                    o += 1;
                }
            }
        }
    }

    /// Calls `f(outputs, first input, stride)` for every tap of every line of outputs; outputs and
    /// inputs are given as positions.
    #[inline(always)]
    fn lines(
        &self,
        (taps, stride): &(Vec<Tap>, usize),
        mut f: impl FnMut(core::ops::Range<usize>, usize, usize),
    ) {
        let width = self.axes[2].len();
        let mut o = 0;
        for a in &self.axes[0] {
            for b in &self.axes[1] {
                for &i in a {
                    for &j in b {
                        let line = (i * self.input[1] + j) * self.input[2];
                        for t in taps {
                            f(o + t.from..o + t.to, line + t.at, *stride);
                        }
                    }
                }
                o += width;
            }
        }
    }

    fn divisor<T: Float>(&self, r: Region<'_>) -> T {
        let all = self.volume.unwrap_or(r.a.len() * r.b.len() * r.c.len());
        T::lit(all as f64)
    }
}

/// The entries of one window.
#[derive(Clone, Copy)]
struct Region<'a> {
    a: &'a [usize],
    b: &'a [usize],
    c: &'a [usize],
    input: [usize; 3],
}

impl Region<'_> {
    #[inline(always)]
    fn for_each(self, mut f: impl FnMut(usize)) {
        for &i in self.a {
            for &j in self.b {
                let line = (i * self.input[1] + j) * self.input[2];
                self.c.iter().for_each(|&k| f(line + k));
            }
        }
    }

    /// The position of the first largest entry; a NaN counts as largest.
    #[inline(always)]
    fn largest<T: Float>(self, x: &[T]) -> usize {
        let mut best = usize::MAX;
        self.for_each(|at| {
            let nan = |v: T| v.partial_cmp(&v).is_none();
            if best == usize::MAX || x[at] > x[best] || nan(x[at]) && !nan(x[best]) {
                best = at;
            }
        });
        assert!(best < usize::MAX, "a window has an entry inside the input");
        best
    }
}

/// Calls `f(number of the row, the windows, output of the row)` for every row.
fn rows<T: Float>(
    shape: &PoolShape,
    width: usize,
    out: &mut [T],
    f: impl Fn(usize, &Plan, &mut [T]) + Sync,
) {
    if out.is_empty() {
        return;
    }
    let plan = Plan::new(shape);
    let volume = plan.volume.unwrap_or(4);
    par::rows(out, width, 2 * volume, |first, part| {
        for (row, out) in part.chunks_mut(width).enumerate() {
            f(first + row, &plan, out);
        }
    });
}

/// `f(a, b)` of each output and every `stride`-th input.
#[inline(always)]
fn strided<A, B>(a: &mut [A], b: &[B], stride: usize, mut f: impl FnMut(&mut A, &B)) {
    match stride {
        1 => a.iter_mut().zip(b).for_each(|(a, b)| f(a, b)),
        2 => {
            let (pairs, rest) = b.as_chunks::<2>();
            let n = a.len().min(pairs.len());
            let (body, end) = a.split_at_mut(n);
            body.iter_mut().zip(pairs).for_each(|(a, b)| f(a, &b[0]));
            end.iter_mut().zip(rest).for_each(|(a, b)| f(a, b));
        }
        _ => a
            .iter_mut()
            .zip(b.iter().step_by(stride))
            .for_each(|(a, b)| f(a, b)),
    }
}

/// For each window that slides, the largest entry in `values` and where it was in `places`.
#[inline(always)]
fn maxima<T: Float>(
    plan: &Plan,
    sliding: &(Vec<Tap>, usize),
    x: &[T],
    values: &mut [T],
    places: &mut [u32],
) {
    assert!(u32::try_from(x.len()).is_ok(), "an image of 2³² entries");
    values.fill(-T::INFINITY);
    places.fill(u32::MAX);
    plan.lines(
        sliding,
        #[inline(always)]
        |o, at, stride| {
            let mut place = at as u32;
            let best = values[o.clone()].iter_mut().zip(&mut places[o]);
            for ((v, p), &x) in best.zip(x[at..].iter().step_by(stride)) {
                // The first of equal ones; a NaN counts as largest.
                let better = x > *v || *p == u32::MAX || x.is_nan() && !v.is_nan();
                (*v, *p) = if better { (x, place) } else { (*v, *p) };
                place += stride as u32;
            }
        },
    );
}

/// Both lengths of a row: of the input and of the output.
fn lens(shape: &PoolShape) -> (usize, usize) {
    (shape.input.iter().product(), shape.output.iter().product())
}

/// `out ←` the largest, or the mean, of each window.
pub fn pool<T: Float>(op: PoolOp, shape: &PoolShape, x: &[T], out: &mut [T]) {
    let (n, m) = lens(shape);
    rows(shape, m, out, |row, plan, out| {
        let x = &x[row * n..][..n];
        let Some(sliding) = &plan.sliding else {
            return match op {
                PoolOp::Max => plan.each(|o, r| out[o] = x[r.largest(x)]),
                PoolOp::Mean => plan.each(|o, r| {
                    let mut sum = T::ZERO;
                    r.for_each(|at| sum = sum + x[at]);
                    out[o] = sum / plan.divisor(r);
                }),
            };
        };
        vectorize::<T, _>(
            #[inline(always)]
            || match op {
                PoolOp::Max => {
                    out.fill(-T::INFINITY);
                    plan.lines(
                        sliding,
                        #[inline(always)]
                        |o, at, stride| {
                            strided(&mut out[o], &x[at..], stride, |o, &x| {
                                *o = <Largest as Fold<T>>::join(*o, x);
                            });
                        },
                    );
                }
                PoolOp::Mean => {
                    out.fill(T::ZERO);
                    plan.lines(
                        sliding,
                        #[inline(always)]
                        |o, at, stride| {
                            strided(&mut out[o], &x[at..], stride, |o, &x| *o = *o + x);
                        },
                    );
                    let n = T::lit(plan.volume.unwrap_or(1) as f64);
                    out.iter_mut().for_each(|o| *o = *o / n);
                }
            },
        );
    });
}

/// `out ←` the cotangent of the input of [`pool`], from that of its output.
pub fn pullback<T: Float>(op: PoolOp, shape: &PoolShape, x: &[T], ct: &[T], out: &mut [T]) {
    let (n, m) = lens(shape);
    rows(shape, n, out, |row, plan, out| {
        let ct = &ct[row * m..][..m];
        out.fill(T::ZERO);
        match (op, &plan.sliding) {
            (PoolOp::Max, Some(sliding)) => {
                let (mut values, mut places) = (vec![T::ZERO; m], vec![0; m]);
                let x = &x[row * n..][..n];
                vectorize::<T, _>(
                    #[inline(always)]
                    || maxima(plan, sliding, x, &mut values, &mut places),
                );
                for (&at, &ct) in places.iter().zip(ct) {
                    out[at as usize] = out[at as usize] + ct;
                }
            }
            (PoolOp::Max, None) => {
                let x = &x[row * n..][..n];
                plan.each(|o, r| {
                    let at = r.largest(x);
                    out[at] = out[at] + ct[o];
                });
            }
            (PoolOp::Mean, Some(sliding)) => {
                let n = T::lit(plan.volume.unwrap_or(1) as f64);
                plan.lines(sliding, |o, at, stride| {
                    let inputs = out[at..].iter_mut().step_by(stride);
                    inputs.zip(&ct[o]).for_each(|(d, &ct)| *d = *d + ct / n);
                });
            }
            (PoolOp::Mean, None) => plan.each(|o, r| {
                let share = ct[o] / plan.divisor(r);
                r.for_each(|at| out[at] = out[at] + share);
            }),
        }
    });
}

/// `out ←` the tangent of the largest entry of each window.
pub fn pushforward<T: Float>(shape: &PoolShape, x: &[T], t: &[T], out: &mut [T]) {
    let (n, m) = lens(shape);
    rows(shape, m, out, |row, plan, out| {
        let (x, t) = (&x[row * n..][..n], &t[row * n..][..n]);
        let Some(sliding) = &plan.sliding else {
            return plan.each(|o, r| out[o] = t[r.largest(x)]);
        };
        let mut places = vec![0; m];
        vectorize::<T, _>(
            #[inline(always)]
            || maxima(plan, sliding, x, out, &mut places),
        );
        for (o, &at) in out.iter_mut().zip(&places) {
            *o = t[at as usize];
        }
    });
}
