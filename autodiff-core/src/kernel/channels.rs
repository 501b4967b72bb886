//! One centre, scale and shift for each channel: `y = (x − m)·a + b`.
//!
//! Sizes are images, channels, entries of a channel.

use super::{par, reduce, simd::vectorize};
use crate::device::Float;

/// `out ← (x − centre)·scale + shift`; `of_channels` are these three.
pub fn affine<T: Float>(
    [_, channels, inner]: [usize; 3],
    x: &[T],
    of_channels: [&[T]; 3],
    out: &mut [T],
) {
    let [centre, scale, shift] = of_channels;
    par::rows(out, inner, 2, |first, part| {
        for (k, out) in part.chunks_mut(inner).enumerate() {
            let row = first + k;
            let c = row % channels;
            let (m, a, b) = (centre[c], scale[c], shift[c]);
            let x = &x[row * inner..][..inner];
            vectorize::<T, _>(
                #[inline(always)]
                || {
                    for (o, &x) in out.iter_mut().zip(x) {
                        *o = (x - m) * a + b;
                    }
                },
            );
        }
    });
}

/// `out ← Σ ct·(x − centre)` over all entries of each channel.
pub fn moments<T: Float>(
    [images, channels, inner]: [usize; 3],
    x: &[T],
    centre: &[T],
    ct: &[T],
    out: &mut [T],
) {
    par::parts(out, (2 * images * inner).max(1), |first, part| {
        for (k, out) in part.iter_mut().enumerate() {
            let c = first + k;
            let m = centre[c];
            let mut total = T::ZERO;
            for image in 0..images {
                let at = (image * channels + c) * inner;
                let (x, ct) = (&x[at..][..inner], &ct[at..][..inner]);
                let sum = vectorize::<T, _>(
                    #[inline(always)]
                    || {
                        reduce::rows(
                            x,
                            ct,
                            #[inline(always)]
                            move |x, c| (x - m) * c,
                        )
                    },
                );
                total = total + sum;
            }
            *out = total;
        }
    });
}
