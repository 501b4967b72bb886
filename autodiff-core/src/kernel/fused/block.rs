//! A region over blocks of elements.
//!
//! Elements go through arrays of fixed length on the stack: nothing can alias, so the loops over
//! them become vector code however many operands there are.

use crate::device::{Float, Region};
use crate::kernel::simd::vectorize;
use core::array::from_fn;

/// Elements of one array: several vector registers.
const LANES: usize = 64;

/// The elements from `i` on, as many as there are up to [`LANES`]; the others stay.
#[inline(always)]
fn load<T: Float>(to: &mut [T; LANES], x: &[T], i: usize) {
    let x = &x[i..];
    match x.first_chunk() {
        Some(all) => *to = *all,
        None => to[..x.len()].copy_from_slice(x),
    }
}

/// The reverse of [`load`].
#[inline(always)]
fn store<T: Float>(y: &mut [T], i: usize, from: &[T; LANES]) {
    let y = &mut y[i..];
    match y.first_chunk_mut() {
        Some(all) => *all = *from,
        None => y.copy_from_slice(&from[..y.len()]),
    }
}

/// Calls `f` on where arrays of [`LANES`] elements begin, on those of `N` inputs and of `M` outputs; what
/// is beyond the end is computed and dropped. Only the inputs in `reads` are in `x`.
#[inline(always)]
fn lanes<T: Float, const N: usize, const M: usize>(
    reads: [bool; N],
    x: &[&[T]],
    y: &mut [&mut [T]],
    mut f: impl FnMut(usize, &[[T; LANES]; N], &mut [[T; LANES]; M]),
) {
    let n = y.first().map_or(0, |y| y.len());
    let mut from = x.iter();
    let x: [&[T]; N] = from_fn(
        #[inline(always)]
        |k| match reads[k] {
            true => from.next().map_or(&[][..], |x| &x[..n]),
            false => &[],
        },
    );
    let mut a = [[T::ONE; LANES]; N];
    let mut b = [[T::ZERO; LANES]; M];
    let mut i = 0;
    while i < n {
        for k in 0..N {
            if reads[k] {
                load(&mut a[k], x[k], i);
            }
        }
        f(i, &a, &mut b);
        for (y, b) in y.iter_mut().zip(&b) {
            store(y, i, b);
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
                [true; N],
                x,
                y,
                #[inline(always)]
                |_, a, b| {
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

/// The cotangents of the active inputs. The inputs are those that the pullback reads, the value if it reads that,
/// and the cotangent of the value.
pub fn pullback<R: Region<N>, T: Float, const N: usize>(x: &[&[T]], y: &mut [&mut [T]]) {
    let (x, ct) = x.split_at(x.len() - 1);
    let (x, result) = x.split_at(x.len() - usize::from(R::READS_VALUE));
    let ct = ct[0];
    vectorize(
        #[inline(always)]
        || {
            lanes::<T, N, N>(
                R::READS,
                x,
                y,
                #[inline(always)]
                |i, a, b| {
                    let (mut c, mut v) = ([T::ZERO; LANES], [T::ZERO; LANES]);
                    load(&mut c, ct, i);
                    if R::READS_VALUE {
                        load(&mut v, result[0], i);
                    }
                    for j in 0..LANES {
                        let d = R::pullback(
                            from_fn(
                                #[inline(always)]
                                |k| a[k][j],
                            ),
                            v[j],
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
            lanes::<T, N, N>(
                [true; N],
                x,
                slopes,
                #[inline(always)]
                |i, a, b| {
                    let mut v = [T::ZERO; LANES];
                    for j in 0..LANES {
                        let x = from_fn(
                            #[inline(always)]
                            |k| a[k][j],
                        );
                        v[j] = R::value(x);
                        let d = R::pullback(x, v[j], T::ONE);
                        let mut to = 0;
                        for k in 0..N {
                            if R::ACTIVE[k] {
                                b[to][j] = d[k];
                                to += 1;
                            }
                        }
                    }
                    store(values, i, &v);
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
            lanes::<T, N, 1>(
                [true; N],
                x,
                y,
                #[inline(always)]
                |i, a, b| {
                    let mut s = [[T::ZERO; LANES]; N];
                    for k in 0..N {
                        load(&mut s[k], t[k], i);
                    }
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
