//! A region over blocks of elements.
//!
//! Elements go through arrays of fixed length on the stack: nothing can alias, so the loops over
//! them become vector code however many operands there are.

use crate::device::{Float, Region};
use crate::kernel::simd::vectorize;
use core::array::from_fn;

/// Elements of one array: several vector registers.
const LANES: usize = 64;

/// Calls `f` on arrays of [`LANES`] elements of `N` inputs and `M` outputs; what is beyond the end
/// is computed on ones and dropped.
#[inline(always)]
fn lanes<T: Float, const N: usize, const M: usize>(
    x: &[&[T]],
    y: &mut [&mut [T]],
    mut f: impl FnMut(&[[T; LANES]; N], &mut [[T; LANES]; M]),
) {
    let n = y.first().map_or(0, |y| y.len());
    let x: [&[T]; N] = from_fn(
        #[inline(always)]
        |k| &x[k][..n],
    );
    let mut a = [[T::ONE; LANES]; N];
    let mut b = [[T::ZERO; LANES]; M];
    let mut i = 0;
    while i < n {
        let m = (n - i).min(LANES);
        if m == LANES {
            for k in 0..N {
                a[k].copy_from_slice(&x[k][i..i + LANES]);
            }
            f(&a, &mut b);
            for (y, b) in y.iter_mut().zip(&b) {
                y[i..i + LANES].copy_from_slice(b);
            }
        } else {
            for k in 0..N {
                a[k][..m].copy_from_slice(&x[k][i..]);
            }
            f(&a, &mut b);
            for (y, b) in y.iter_mut().zip(&b) {
                y[i..].copy_from_slice(&b[..m]);
            }
        }
        i += LANES;
    }
}

/// The values.
pub fn value<R: Region<N>, T: Float, const N: usize>(x: &[&[T]], y: &mut [&mut [T]]) {
    vectorize(
        #[inline(always)]
        || {
            lanes::<T, N, 1>(
                x,
                y,
                #[inline(always)]
                |a, b| {
                    for j in 0..LANES {
                        b[0][j] = R::value(from_fn(
                            #[inline(always)]
                            |k| a[k][j],
                        ));
                    }
                },
            );
        },
    );
}

/// The cotangents of the active inputs; the last input is the cotangent of the value.
pub fn pullback<R: Region<N>, T: Float, const N: usize>(x: &[&[T]], y: &mut [&mut [T]]) {
    let ct = x[N];
    vectorize(
        #[inline(always)]
        || {
            let mut at = 0;
            lanes::<T, N, N>(
                &x[..N],
                y,
                #[inline(always)]
                |a, b| {
                    let mut c = [T::ZERO; LANES];
                    let m = (ct.len() - at).min(LANES);
                    if m == LANES {
                        c.copy_from_slice(&ct[at..at + LANES]);
                    } else {
                        c[..m].copy_from_slice(&ct[at..]);
                    }
                    at += LANES;
                    for j in 0..LANES {
                        let d = R::pullback(
                            from_fn(
                                #[inline(always)]
                                |k| a[k][j],
                            ),
                            c[j],
                        );
                        let mut to = 0;
                        for k in 0..N {
                            if R::ACTIVE[k] {
                                b[to][j] = d[k];
                                to += 1;
                            }
                        }
                    }
                },
            );
        },
    );
}

/// The values, then their derivatives by the active inputs.
pub fn value_and_slopes<R: Region<N>, T: Float, const N: usize>(x: &[&[T]], y: &mut [&mut [T]]) {
    let (values, slopes) = y.split_at_mut(1);
    let values = &mut *values[0];
    vectorize(
        #[inline(always)]
        || {
            let mut at = 0;
            lanes::<T, N, N>(
                x,
                slopes,
                #[inline(always)]
                |a, b| {
                    let mut v = [T::ZERO; LANES];
                    for j in 0..LANES {
                        let x = from_fn(
                            #[inline(always)]
                            |k| a[k][j],
                        );
                        v[j] = R::value(x);
                        let d = R::pullback(x, T::ONE);
                        let mut to = 0;
                        for k in 0..N {
                            if R::ACTIVE[k] {
                                b[to][j] = d[k];
                                to += 1;
                            }
                        }
                    }
                    let m = (values.len() - at).min(LANES);
                    values[at..at + m].copy_from_slice(&v[..m]);
                    at += LANES;
                },
            );
        },
    );
}

/// The tangents; after the inputs come their tangents.
pub fn pushforward<R: Region<N>, T: Float, const N: usize>(x: &[&[T]], y: &mut [&mut [T]]) {
    let (x, t) = x.split_at(N);
    vectorize(
        #[inline(always)]
        || {
            let mut at = 0;
            lanes::<T, N, 1>(
                x,
                y,
                #[inline(always)]
                |a, b| {
                    let mut s = [[T::ZERO; LANES]; N];
                    for k in 0..N {
                        let m = (t[k].len() - at).min(LANES);
                        s[k][..m].copy_from_slice(&t[k][at..at + m]);
                    }
                    at += LANES;
                    for j in 0..LANES {
                        b[0][j] = R::pushforward(
                            from_fn(
                                #[inline(always)]
                                |k| a[k][j],
                            ),
                            from_fn(
                                #[inline(always)]
                                |k| s[k][j],
                            ),
                        );
                    }
                },
            );
        },
    );
}
