//! Convolutions as matrix products of unfolded images.
//!
//! `unfold` writes, for each entry of a window, the entries of the image that it meets: a matrix of
//! `channels · volume` rows and one column for each window (Chellapilla et al. 2006). With it
//!
//! ```text
//! out     = W · unfold(x)
//! d_x     = unfoldᵀ(Wᵀ · d_out)
//! d_W     = Σ d_out · unfold(x)ᵀ        over the images
//! ```
//!
//! One image is unfolded at a time, so that the matrix stays in the cache. Images are divided among
//! threads in a way that does not depend on the number of threads.

use super::matrix::{Matrix, product};
use super::par;
use crate::device::{ConvShape, Float, Windows};
use std::sync::{Mutex, PoisonError};

/// Calls `f(row of the matrix, first entry in the image, first column, count, step in the image)` for
/// each run of columns along the last axis that lies inside the image, and `gap(row, columns)` for the
/// others.
fn runs(
    shape: &ConvShape,
    channels: usize,
    mut f: impl FnMut(usize, usize, usize, usize, usize),
    mut gap: impl FnMut(usize, usize, usize),
) {
    let (w, n, out) = (&shape.windows, shape.input, shape.output);
    let columns = shape.output_len();
    let place = |axis: usize, window: usize, entry: usize| {
        (window * w.stride[axis] + entry * w.dilation[axis])
            .checked_sub(w.pad[axis])
            .filter(|&at| at < n[axis])
    };
    let mut row = 0;
    for c in 0..channels {
        for entry in entries(w) {
            let (first, last) = inside(w, n[2], out[2], entry[2]);
            for i in 0..out[0] {
                for j in 0..out[1] {
                    let column = (i * out[1] + j) * out[2];
                    let (Some(a), Some(b)) = (place(0, i, entry[0]), place(1, j, entry[1])) else {
                        gap(row, column, out[2]);
                        continue;
                    };
                    if first >= last {
                        gap(row, column, out[2]);
                        continue;
                    }
                    gap(row, column, first);
                    gap(row, column + last, out[2] - last);
                    let at = first * w.stride[2] + entry[2] * w.dilation[2] - w.pad[2];
                    let from = ((c * n[0] + a) * n[1] + b) * n[2] + at;
                    f(row, from, column + first, last - first, w.stride[2]);
                }
            }
            debug_assert!(row * columns <= channels * w.volume() * columns);
            row += 1;
        }
    }
}

/// The windows `first..last` along the last axis whose entry lies inside.
fn inside(w: &Windows, n: usize, out: usize, entry: usize) -> (usize, usize) {
    let (at, pad, stride) = (entry * w.dilation[2], w.pad[2], w.stride[2]);
    let first = pad.saturating_sub(at).div_ceil(stride);
    let last = (n + pad).saturating_sub(at).div_ceil(stride);
    (first.min(out), last.min(out))
}

/// The entries of a window, in order.
fn entries(w: &Windows) -> impl Iterator<Item = [usize; 3]> + use<> {
    let [a, b, c] = w.size;
    (0..a).flat_map(move |i| (0..b).flat_map(move |j| (0..c).map(move |k| [i, j, k])))
}

/// One image of `channels`, unfolded.
pub fn unfold_one<T: Float>(shape: &ConvShape, channels: usize, x: &[T], out: &mut [T]) {
    let columns = shape.output_len();
    // Two closures write `out`, one after the other.
    let out = core::cell::RefCell::new(out);
    runs(
        shape,
        channels,
        |row, from, column, n, step| {
            let mut out = out.borrow_mut();
            let to = &mut out[row * columns + column..][..n];
            if step == 1 {
                to.copy_from_slice(&x[from..from + n]);
            } else {
                for (i, o) in to.iter_mut().enumerate() {
                    *o = x[from + i * step];
                }
            }
        },
        |row, column, n| out.borrow_mut()[row * columns + column..][..n].fill(T::ZERO),
    );
}

/// The transpose of [`unfold_one`]: adds each entry of the matrix to that of the image.
pub fn fold_one<T: Float>(shape: &ConvShape, channels: usize, matrix: &[T], image: &mut [T]) {
    let columns = shape.output_len();
    runs(
        shape,
        channels,
        |row, to, column, n, step| {
            let from = &matrix[row * columns + column..][..n];
            if step == 1 {
                for (o, &x) in image[to..to + n].iter_mut().zip(from) {
                    *o = *o + x;
                }
            } else {
                for (i, &x) in from.iter().enumerate() {
                    image[to + i * step] = image[to + i * step] + x;
                }
            }
        },
        |_, _, _| {},
    );
}

/// The sizes of the products of one group.
struct Group {
    /// Rows of the unfolded image.
    inner: usize,
    out_channels: usize,
    columns: usize,
}

impl Group {
    fn of(s: &ConvShape) -> Self {
        Group {
            inner: s.channels / s.groups * s.windows.volume(),
            out_channels: s.out_channels / s.groups,
            columns: s.output_len(),
        }
    }
    /// Entries of an unfolded group, of its outputs, and of its weights.
    fn lens(&self) -> [usize; 3] {
        [
            self.inner * self.columns,
            self.out_channels * self.columns,
            self.out_channels * self.inner,
        ]
    }
}

/// Threads inside the products, if there are too few images to divide.
fn inner_threads(s: &ConvShape) -> bool {
    s.images == 1
}

/// Whether the images are divided among threads.
fn divided(s: &ConvShape) -> bool {
    let g = Group::of(s);
    // The work for one image, in the units of `par`.
    let work = (s.groups * g.lens()[2] * g.columns / 8).max(1);
    s.images > 1 && par::worth(s.images * work)
}

/// Calls `f(number of the image, its part of out, a buffer)` for each image.
fn each_image<T: Float>(
    s: &ConvShape,
    out: &mut [T],
    len: usize,
    f: impl Fn(usize, &mut [T], &mut Vec<T>) + Sync,
) {
    if divided(s) {
        let buffers = Mutex::new(Vec::new());
        let lock = || buffers.lock().unwrap_or_else(PoisonError::into_inner);
        par::each(out.chunks_mut(len).enumerate(), |(n, out)| {
            let mut buffer = lock().pop().unwrap_or_default();
            f(n, out, &mut buffer);
            lock().push(buffer);
        });
    } else {
        let mut buffer = Vec::new();
        for (n, out) in out.chunks_mut(len).enumerate() {
            f(n, out, &mut buffer);
        }
    }
}

/// `out ← W · unfold(x)`
pub fn forward<T: Float>(s: &ConvShape, x: &[T], w: &[T], out: &mut [T]) {
    let g = Group::of(s);
    let [unfolded, outputs, weights] = g.lens();
    let (image, result) = (s.channels * s.input_len(), s.out_channels * g.columns);
    if result == 0 || image == 0 {
        // Without channels, empty sums.
        return out.fill(T::ZERO);
    }
    let one = |n: usize, out: &mut [T], buffer: &mut Vec<T>| {
        let x = &x[n * image..][..image];
        let matrix = unfolded_or_same(s, x, buffer);
        for k in 0..s.groups {
            product(
                inner_threads(s),
                T::ONE,
                Matrix::rows(&w[k * weights..][..weights], g.inner),
                Matrix::rows(&matrix[k * unfolded..][..unfolded], g.columns),
                T::ZERO,
                &mut out[k * outputs..][..outputs],
            );
        }
    };
    each_image(s, out, result, one);
}

/// The image unfolded into the buffer, or itself where that changes nothing.
fn unfolded_or_same<'a, T: Float>(s: &ConvShape, x: &'a [T], buffer: &'a mut Vec<T>) -> &'a [T] {
    if s.windows.is_identity() {
        return x;
    }
    buffer.resize(s.channels * s.windows.volume() * s.output_len(), T::ZERO);
    unfold_one(s, s.channels, x, buffer);
    buffer
}

/// `out ← unfoldᵀ(Wᵀ · ct)`
pub fn input<T: Float>(s: &ConvShape, w: &[T], ct: &[T], out: &mut [T]) {
    let g = Group::of(s);
    let [unfolded, outputs, weights] = g.lens();
    let (image, result) = (s.channels * s.input_len(), s.out_channels * g.columns);
    if image == 0 {
        return;
    }
    let one = |n: usize, out: &mut [T], buffer: &mut Vec<T>| {
        let ct = &ct[n * result..][..result];
        buffer.resize(s.groups * unfolded, T::ZERO);
        let same = s.windows.is_identity();
        let matrix = if same { &mut *out } else { &mut buffer[..] };
        for k in 0..s.groups {
            product(
                inner_threads(s),
                T::ONE,
                Matrix::rows(&w[k * weights..][..weights], g.inner).t(),
                Matrix::rows(&ct[k * outputs..][..outputs], g.columns),
                T::ZERO,
                &mut matrix[k * unfolded..][..unfolded],
            );
        }
        if !same {
            out.fill(T::ZERO);
            fold_one(s, s.channels, buffer, out);
        }
    };
    each_image(s, out, image, one);
}

/// Sums of weights' gradients that are added up at the end.
const PARTS: usize = 8;

/// `out ← Σ ct · unfold(x)ᵀ`
pub fn weight<T: Float>(s: &ConvShape, x: &[T], ct: &[T], out: &mut [T]) {
    let g = Group::of(s);
    let [unfolded, outputs, weights] = g.lens();
    let (image, result) = (s.channels * s.input_len(), s.out_channels * g.columns);
    if out.is_empty() {
        return;
    }
    let some = |images: core::ops::Range<usize>, out: &mut [T]| {
        out.fill(T::ZERO);
        let mut buffer = Vec::new();
        for n in images {
            let matrix = unfolded_or_same(s, &x[n * image..][..image], &mut buffer);
            let ct = &ct[n * result..][..result];
            for k in 0..s.groups {
                product(
                    inner_threads(s),
                    T::ONE,
                    Matrix::rows(&ct[k * outputs..][..outputs], g.columns),
                    Matrix::rows(&matrix[k * unfolded..][..unfolded], g.columns).t(),
                    T::ONE,
                    &mut out[k * weights..][..weights],
                );
            }
        }
    };
    if !divided(s) {
        return some(0..s.images, out);
    }
    // The parts are the same for every number of threads, and so is the order of the sum.
    let part = s.images.div_ceil(PARTS);
    let mut parts = vec![T::ZERO; out.len() * s.images.div_ceil(part)];
    par::each(parts.chunks_mut(out.len()).enumerate(), |(i, sum)| {
        some(i * part..((i + 1) * part).min(s.images), sum)
    });
    out.fill(T::ZERO);
    for sum in parts.chunks(out.len()) {
        for (o, &x) in out.iter_mut().zip(sum) {
            *o = *o + x;
        }
    }
}

/// Every image, unfolded.
pub fn unfold<T: Float>(s: &ConvShape, x: &[T], out: &mut [T]) {
    let image = s.channels * s.input_len();
    let matrix = s.channels * s.windows.volume() * s.output_len();
    if matrix == 0 {
        return;
    }
    for (out, n) in out.chunks_mut(matrix).zip(0..) {
        unfold_one(s, s.channels, &x[n * image..][..image], out);
    }
}

/// The transpose of [`unfold`].
pub fn fold<T: Float>(s: &ConvShape, matrix: &[T], out: &mut [T]) {
    let image = s.channels * s.input_len();
    let len = s.channels * s.windows.volume() * s.output_len();
    out.fill(T::ZERO);
    if image == 0 {
        return;
    }
    for (out, n) in out.chunks_mut(image).zip(0..) {
        fold_one(s, s.channels, &matrix[n * len..][..len], out);
    }
}
