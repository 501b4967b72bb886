//! Images of another size: each entry is a weighted mean of at most two by two entries.
//!
//! With weights `u` along the height and `v` along the width, `y[i, j] = Σ u[i, a]·v[j, b]·x[a, b]`. A row of
//! the result mixes two rows of the input, which is a vector operation, and then the neighbours in that
//! mixture. The pullback runs the same steps backwards: `d[a, b] = Σ u[i, a]·v[j, b]·c[i, j]`. What has the
//! weight 0 is not read, so that an infinite neighbour does no harm.

use super::par;
use super::simd::vectorize;
use crate::device::{Float, Resample};

/// The entries `at` and `at + 1`, and the weight of the second.
#[derive(Clone, Copy, PartialEq)]
struct Tap<T> {
    at: usize,
    weight: T,
}

/// What makes each entry along one axis.
fn taps<T: Float>(shape: &Resample, axis: usize) -> Vec<Tap<T>> {
    let (n, m) = (shape.input[axis], shape.output[axis]);
    assert!(
        n > 0 || m == 0,
        "an image without entries cannot be made larger"
    );
    let tap = |i| {
        let (at, weight) = shape.by.neighbours(i, n, m);
        let weight = T::lit(weight);
        Tap { at, weight }
    };
    (0..m).map(tap).collect()
}

/// `(1 − w)·a + w·b`
#[inline(always)]
fn mix<T: Float>(a: T, b: T, w: T) -> T {
    a * (T::ONE - w) + b * w
}

/// `out ←` the row of the input that `tap` mixes.
#[inline(always)]
fn mix_rows<T: Float>(tap: Tap<T>, x: &[T], width: usize, out: &mut [T]) {
    let first = &x[tap.at * width..][..width];
    if tap.weight == T::ZERO {
        return out.copy_from_slice(first);
    }
    let second = &x[(tap.at + 1) * width..][..width];
    for ((o, &a), &b) in out.iter_mut().zip(first).zip(second) {
        *o = mix(a, b, tap.weight);
    }
}

/// `out ←` the neighbours in `line` that each tap mixes.
#[inline(always)]
fn mix_neighbours<T: Float>(taps: &[Tap<T>], line: &[T], out: &mut [T]) {
    for (o, t) in out.iter_mut().zip(taps) {
        *o = if t.weight == T::ZERO {
            line[t.at]
        } else {
            mix(line[t.at], line[t.at + 1], t.weight)
        };
    }
}

/// `out ←` the images in their new size.
pub fn forward<T: Float>(shape: &Resample, x: &[T], out: &mut [T]) {
    let ([h, w], [height, width]) = (shape.input, shape.output);
    let (down, along) = (taps::<T>(shape, 0), taps::<T>(shape, 1));
    par::rows(out, width, 4, |first, part| {
        vectorize::<T, _>(
            #[inline(always)]
            || {
                let mut line = vec![T::ZERO; w];
                let mut before = None;
                for (k, out) in part.chunks_mut(width).enumerate() {
                    let (image, row) = ((first + k) / height, (first + k) % height);
                    // Rows of one image that are made alike are mixed once.
                    if before != Some((image, down[row])) {
                        mix_rows(down[row], &x[image * h * w..][..h * w], w, &mut line);
                        before = Some((image, down[row]));
                    }
                    mix_neighbours(&along, &line, out);
                }
            },
        );
    });
}

/// `out ←` the cotangent of the images, from that of [`forward`]'s result.
pub fn pullback<T: Float>(shape: &Resample, ct: &[T], out: &mut [T]) {
    let ([h, w], [height, width]) = (shape.input, shape.output);
    let (down, along) = (taps::<T>(shape, 0), taps::<T>(shape, 1));
    let cost = 4 * (height * width).div_ceil((h * w).max(1));
    par::rows(out, h * w, cost.max(1), |first, part| {
        vectorize::<T, _>(
            #[inline(always)]
            || {
                let mut line = vec![T::ZERO; w];
                for (k, out) in part.chunks_mut(h * w).enumerate() {
                    let ct = &ct[(first + k) * height * width..][..height * width];
                    out.fill(T::ZERO);
                    for (tap, ct) in down.iter().zip(ct.chunks(width.max(1))) {
                        line.fill(T::ZERO);
                        spread(&along, ct, &mut line);
                        add_rows(*tap, &line, w, out);
                    }
                }
            },
        );
    });
}

/// The transpose of [`mix_neighbours`].
#[inline(always)]
fn spread<T: Float>(taps: &[Tap<T>], ct: &[T], line: &mut [T]) {
    for (t, &ct) in taps.iter().zip(ct) {
        if t.weight == T::ZERO {
            line[t.at] = line[t.at] + ct;
        } else {
            line[t.at] = line[t.at] + ct * (T::ONE - t.weight);
            line[t.at + 1] = line[t.at + 1] + ct * t.weight;
        }
    }
}

/// The transpose of [`mix_rows`], added.
#[inline(always)]
fn add_rows<T: Float>(tap: Tap<T>, line: &[T], width: usize, out: &mut [T]) {
    let add = |out: &mut [T], factor: T| {
        for (o, &l) in out.iter_mut().zip(line) {
            *o = *o + l * factor;
        }
    };
    if tap.weight == T::ZERO {
        return add(&mut out[tap.at * width..][..width], T::ONE);
    }
    add(&mut out[tap.at * width..][..width], T::ONE - tap.weight);
    add(&mut out[(tap.at + 1) * width..][..width], tap.weight);
}
