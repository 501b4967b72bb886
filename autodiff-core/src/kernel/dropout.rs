//! Dropout with a counter-based generator: Philox4x32-10, as in [`random`](super::random).
//!
//! Element `i` takes word `i mod 4` of block `i/4` and is kept if that is at least `p·2³²`. So the
//! mask need not be stored: the pullback draws it again.

use super::par;
use super::random::{LANES, philox};
use super::simd::vectorize;
use crate::device::Float;

/// Keeps the draws apart from those of [`random`](super::random) with the same seed.
const STREAM: u64 = 0x6d61_736b;

/// `out ← dropout(x)`, in place without an `x`.
pub fn apply<T: Float>(p: f64, seed: u64, x: Option<&[T]>, out: &mut [T]) {
    let limit = (p * 4_294_967_296.0).round() as u64;
    let scale = T::lit(1.0 / (1.0 - p));
    // Parts start at multiples of 4.
    par::parts(out, 4, |start, part| {
        if let Some(x) = x {
            part.copy_from_slice(&x[start..start + part.len()]);
        }
        vectorize::<T, _>(
            #[inline(always)]
            || {
                for (g, group) in part.chunks_mut(4 * LANES).enumerate() {
                    let words = philox((start / 4 + g * LANES) as u64, seed, STREAM);
                    let mut factors = [T::ZERO; 4 * LANES];
                    for (i, f) in factors.iter_mut().enumerate() {
                        let kept = u64::from(words[i % 4][i / 4]) >= limit;
                        *f = if kept { scale } else { T::ZERO };
                    }
                    for (x, &f) in group.iter_mut().zip(&factors) {
                        // A dropped infinity or NaN is 0 as well.
                        *x = if f == T::ZERO { T::ZERO } else { *x * f };
                    }
                }
            },
        );
    });
}

/// What [`apply`] multiplies the elements from `start` on by: 0, or `1/(1 − p)`.
pub fn factors<T: Float>(p: f64, seed: u64, start: usize, out: &mut [T]) {
    let limit = (p * 4_294_967_296.0).round() as u64;
    let scale = T::lit(1.0 / (1.0 - p));
    vectorize::<T, _>(
        #[inline(always)]
        move || {
            let (mut done, mut block, mut skip) = (0, (start / 4) as u64, start % 4);
            while done < out.len() {
                let words = philox(block, seed, STREAM);
                let mut group = [T::ZERO; 4 * LANES];
                for (i, f) in group.iter_mut().enumerate() {
                    let kept = u64::from(words[i % 4][i / 4]) >= limit;
                    *f = if kept { scale } else { T::ZERO };
                }
                let n = (4 * LANES - skip).min(out.len() - done);
                out[done..done + n].copy_from_slice(&group[skip..skip + n]);
                (done, block, skip) = (done + n, block + LANES as u64, 0);
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_from_anywhere_are_those_of_all() {
        let ones = vec![1.0_f64; 500];
        let mut all = ones.clone();
        apply(0.3, 9, Some(&ones), &mut all);
        for (start, len) in [(0, 500), (1, 3), (7, 64), (130, 201), (499, 1), (5, 0)] {
            let mut part = vec![0.0; len];
            factors(0.3, 9, start, &mut part);
            assert_eq!(part, all[start..start + len]);
        }
    }
}
