//! Normalisation of rows to mean 0 and variance 1, with a scale and a shift of each channel.
//!
//! With `x̂ = r·(x − m)`, `r = 1/√(v + ε)` and `y = γ·x̂ + β`, where `m` and `v` are the mean and the variance of
//! the row (Ioffe & Szegedy 2015, Ba et al. 2016), the differential of `x̂` is
//!
//! ```text
//! dx̂ = r·(dx − mean(dx) − x̂·mean(x̂·dx))
//! ```
//!
//! a symmetric map, so that pullback and pushforward share it. Without centring (`RMS` norm, Zhang & Sennrich
//! 2019) `m = 0`, `v` is the mean square and the term `mean(dx)` is absent. Statistics are sums of the deviations
//! from the mean, not of squares, which would cancel.
//!
//! Beside a large mean the rounding of the mean itself is as large as the deviations: of 10⁴ + 10⁻², in `f32`, half a
//! digit is left. So the mean is kept as `m + δ` with `δ = mean(x − m)`, where `x − m` is exact. `δ` is taken only of
//! rows whose mean is several deviations; in others it is below the rounding of the deviations, and 0.

use super::fold::is_large;
use super::par;
use super::reduce::{Add, row, rows, same};
use super::simd::vectorize;
use crate::device::{Float, NormShape};

/// What the derivatives of a row need.
#[derive(Clone, Copy)]
struct Stats<T> {
    /// The mean, rounded, and what rounding took from it.
    mean: T,
    rest: T,
    /// `1/√(v + ε)`
    r: T,
}

impl<T: Float> Stats<T> {
    fn of(s: &[T], row: usize) -> Self {
        let at = row * NormShape::STATS;
        Stats {
            mean: s[at],
            rest: s[at + 1],
            r: s[at + 2],
        }
    }
    /// The normalised entry.
    #[inline(always)]
    fn hat(self, x: T) -> T {
        (x - self.mean - self.rest) * self.r
    }
}

#[inline(always)]
fn moments<T: Float>(s: &NormShape, x: &[T]) -> Stats<T> {
    let n = T::lit(s.width as f64);
    let mean = if s.centred { row_sum(x) / n } else { T::ZERO };
    let variance = row::<T, Add>(
        x,
        #[inline(always)]
        move |x| (x - mean) * (x - mean),
    ) / n;
    let (mut mean, mut rest, mut variance) = (mean, T::ZERO, variance);
    if s.centred && is_large(mean, variance.sqrt()) {
        (mean, rest, variance) = corrected(n, x, mean);
    }
    let r = T::ONE / (variance + T::lit(s.eps)).sqrt();
    Stats { mean, rest, r }
}

/// The mean as a sum of two numbers, and the variance, from an approximate mean.
#[inline(never)]
fn corrected<T: Float>(n: T, x: &[T], mean: T) -> (T, T, T) {
    let about = |mean: T| row::<T, Add>(x, move |x| x - mean) / n;
    let mean = mean + about(mean);
    let rest = about(mean);
    let off = move |x: T| (x - mean - rest) * (x - mean - rest);
    (mean, rest, row::<T, Add>(x, off) / n)
}

/// The parts of a row with one channel each: `f(channel, entries)`.
fn channels(s: &NormShape, row: usize, mut f: impl FnMut(usize, core::ops::Range<usize>)) {
    let first = row % s.groups * s.per_group;
    for c in 0..s.per_group {
        f(first + c, c * s.inner..(c + 1) * s.inner);
    }
}

/// The scale, or shift, of each entry of the rows of a group.
fn spread<T: Float>(s: &NormShape, values: &[T], group: usize, out: &mut [T]) {
    channels(s, group, |c, part| out[part].fill(values[c]));
}

/// `out ← γ·x̂ + β`; `stats` holds the mean, its rest and `r` of each row.
pub fn forward<T: Float>(
    s: &NormShape,
    x: &[T],
    scale: &[T],
    shift: &[T],
    out: &mut [T],
    stats: &mut [T],
) {
    let w = s.width;
    if out.is_empty() {
        return;
    }
    let rows = |first: usize, out: &mut [T], stats: &mut [T]| {
        let (mut gamma, mut beta) = (vec![T::ZERO; w], vec![T::ZERO; w]);
        let mut group = usize::MAX;
        vectorize::<T, _>(
            #[inline(always)]
            || {
                for (i, (out, stats)) in out
                    .chunks_mut(w)
                    .zip(stats.chunks_mut(NormShape::STATS))
                    .enumerate()
                {
                    let row = first + i;
                    if row % s.groups != group {
                        group = row % s.groups;
                        spread(s, scale, group, &mut gamma);
                        spread(s, shift, group, &mut beta);
                    }
                    let x = &x[row * w..][..w];
                    let of = moments(s, x);
                    stats.copy_from_slice(&[of.mean, of.rest, of.r]);
                    for (((o, &x), &g), &b) in out.iter_mut().zip(x).zip(&gamma).zip(&beta) {
                        *o = of.hat(x) * g + b;
                    }
                }
            },
        );
    };
    if !par::worth(out.len() * 4) {
        return rows(0, out, stats);
    }
    let some = rows_in_part(w);
    let parts = out
        .chunks_mut(some * w)
        .zip(stats.chunks_mut(some * NormShape::STATS));
    par::each(parts.enumerate(), |(i, (out, stats))| {
        rows(i * some, out, stats)
    });
}

/// Rows that one thread takes at a time.
fn rows_in_part(width: usize) -> usize {
    ((1 << 14) / width).max(1)
}

/// Sums over rows are made of at most this many parts.
const PARTS: usize = 16;

/// `d_x ←` the cotangent of `x`; `d_scale` and `d_shift` those of the channels.
#[allow(clippy::too_many_arguments)]
pub fn pullback<T: Float>(
    s: &NormShape,
    x: &[T],
    stats: &[T],
    scale: &[T],
    ct: &[T],
    d_x: &mut [T],
    d_scale: &mut [T],
    d_shift: &mut [T],
) {
    let (w, c) = (s.width, scale.len());
    d_scale.fill(T::ZERO);
    d_shift.fill(T::ZERO);
    if d_x.is_empty() {
        return;
    }
    let rows = |first: usize, d_x: &mut [T], sums: &mut [T]| {
        let (d_scale, d_shift) = sums.split_at_mut(c);
        let mut gamma = vec![T::ZERO; w];
        let (mut hat, mut g) = (vec![T::ZERO; w], vec![T::ZERO; w]);
        let mut group = usize::MAX;
        vectorize::<T, _>(
            #[inline(always)]
            || {
                for (i, d_x) in d_x.chunks_mut(w).enumerate() {
                    let row = first + i;
                    if row % s.groups != group {
                        group = row % s.groups;
                        spread(s, scale, group, &mut gamma);
                    }
                    let (x, ct) = (&x[row * w..][..w], &ct[row * w..][..w]);
                    let of = Stats::of(stats, row);
                    normalised(x, of, &mut hat);
                    if s.inner == 1 {
                        let first = group * s.per_group;
                        let sums = d_scale[first..].iter_mut().zip(&mut d_shift[first..]);
                        for (((a, b), &h), &ct) in sums.zip(&hat).zip(ct) {
                            *a = *a + h * ct;
                            *b = *b + ct;
                        }
                    } else {
                        channels(s, row, |c, part| {
                            let (hat, ct) = (&hat[part.clone()], &ct[part]);
                            d_scale[c] = d_scale[c] + dot(hat, ct);
                            d_shift[c] = d_shift[c] + row_sum(ct);
                        });
                    }
                    for ((g, &ct), &gamma) in g.iter_mut().zip(ct).zip(&gamma) {
                        *g = ct * gamma;
                    }
                    differential(s, &hat, of.r, &g, d_x);
                }
            },
        );
    };
    // The parts are the same for every number of threads, and so is the order of the sums.
    let some = s.rows.div_ceil(PARTS).max(rows_in_part(w).min(s.rows));
    let mut sums = vec![T::ZERO; s.rows.div_ceil(some) * 2 * c];
    let worth = par::worth(d_x.len() * 8);
    let parts = d_x.chunks_mut(some * w).zip(sums.chunks_mut(2 * c));
    let part = |(i, (d_x, sums)): (usize, (&mut [T], &mut [T]))| rows(i * some, d_x, sums);
    if worth {
        par::each(parts.enumerate(), part);
    } else {
        parts.enumerate().for_each(part);
    }
    for part in sums.chunks(2 * c) {
        let (a, b) = part.split_at(c);
        for ((o, p), (&a, &b)) in d_scale
            .iter_mut()
            .zip(d_shift.iter_mut())
            .zip(a.iter().zip(b))
        {
            (*o, *p) = (*o + a, *p + b);
        }
    }
}

/// `out ← dx̂` of the tangent `t`.
pub fn pushforward<T: Float>(s: &NormShape, x: &[T], stats: &[T], t: &[T], out: &mut [T]) {
    let w = s.width;
    par::rows(out, w, 8, |first, part| {
        let mut hat = vec![T::ZERO; w];
        vectorize::<T, _>(
            #[inline(always)]
            || {
                for (i, out) in part.chunks_mut(w).enumerate() {
                    let row = first + i;
                    let of = Stats::of(stats, row);
                    normalised(&x[row * w..][..w], of, &mut hat);
                    differential(s, &hat, of.r, &t[row * w..][..w], out);
                }
            },
        );
    });
}

#[inline(always)]
fn normalised<T: Float>(x: &[T], of: Stats<T>, out: &mut [T]) {
    for (o, &x) in out.iter_mut().zip(x) {
        *o = of.hat(x);
    }
}

/// `out ← r·(t − mean(t) − x̂·mean(x̂·t))`
#[inline(always)]
fn differential<T: Float>(s: &NormShape, hat: &[T], r: T, t: &[T], out: &mut [T]) {
    let n = T::lit(s.width as f64);
    let mean = if s.centred { row_sum(t) / n } else { T::ZERO };
    let along = dot(hat, t) / n;
    for ((o, &t), &h) in out.iter_mut().zip(t).zip(hat) {
        *o = r * (t - mean - h * along);
    }
}

#[inline(always)]
fn row_sum<T: Float>(x: &[T]) -> T {
    row::<T, Add>(x, same)
}

#[inline(always)]
fn dot<T: Float>(a: &[T], b: &[T]) -> T {
    rows(a, b, |a, b| a * b)
}
