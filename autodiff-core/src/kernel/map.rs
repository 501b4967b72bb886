//! Elementwise loops: one dense output, up to three inputs that are strided, broadcast or scalar.
//!
//! The functions are copied, not borrowed, into the vectorised loops: a constant behind a reference
//! would be loaded again after each store.

use super::nest::Nest;
use super::par;
use super::simd::vectorize;
use super::transpose;
use crate::device::{Elem, Layout};

/// Elements handled together; strided inputs are first gathered into a block of this size.
const BLOCK: usize = 256;

/// An input: elements of a slice, already expanded to the output's sizes, or one value.
#[derive(Clone, Copy)]
pub enum Arg<'a, T> {
    /// Elements of a buffer.
    View(&'a [T], Layout),
    /// The same value everywhere.
    Scalar(T),
}

/// `out[i] ← f(out[i])`
pub fn map0<U: Elem>(out: &mut [U], cost: usize, f: impl Fn(U) -> U + Sync + Copy) {
    par::parts(out, cost, |_, part| {
        vectorize::<U, _>(
            #[inline(always)]
            move || {
                for o in part {
                    *o = f(*o);
                }
            },
        );
    });
}

/// `out[i] ← f(out[i], a[i])`
pub fn map1<T: Elem, U: Elem>(
    out: &mut [U],
    dims: &[usize],
    a: Arg<'_, T>,
    cost: usize,
    f: impl Fn(U, T) -> U + Sync + Copy,
) {
    match a {
        Arg::Scalar(a) => map0(out, cost, move |o| f(o, a)),
        Arg::View(a, la) => {
            let nest = Nest::new(dims, [&la]);
            par::parts(out, cost, |start, part| {
                nest.runs(start, start + part.len(), BLOCK, |pos, [at], n| {
                    let o = &mut part[pos - start..][..n];
                    match nest.inner_stride(0) {
                        1 => each1(o, &a[at..at + n], f),
                        0 => {
                            let a = a[at];
                            o.iter_mut().for_each(|o| *o = f(*o, a))
                        }
                        s => {
                            let mut block = [T::default(); BLOCK];
                            gather(&mut block[..n], a, at, s);
                            each1(o, &block[..n], f);
                        }
                    }
                });
            });
        }
    }
}

/// `out[i] ← f(out[i], a[i], b[i])`
pub fn map2<T: Elem, U: Elem>(
    out: &mut [U],
    dims: &[usize],
    a: Arg<'_, T>,
    b: Arg<'_, T>,
    cost: usize,
    f: impl Fn(U, T, T) -> U + Sync + Copy,
) {
    let ((a, la), (b, lb)) = match (a, b) {
        (Arg::Scalar(a), b) => return map1(out, dims, b, cost, move |o, b| f(o, a, b)),
        (a, Arg::Scalar(b)) => return map1(out, dims, a, cost, move |o, a| f(o, a, b)),
        (Arg::View(a, la), Arg::View(b, lb)) => ((a, la), (b, lb)),
    };
    let nest = Nest::new(dims, [&la, &lb]);
    par::parts(out, cost, |start, part| {
        nest.runs(start, start + part.len(), BLOCK, |pos, [ia, ib], n| {
            let o = &mut part[pos - start..][..n];
            match (nest.inner_stride(0), nest.inner_stride(1)) {
                (1, 1) => each2(o, &a[ia..ia + n], &b[ib..ib + n], f),
                (1, 0) => {
                    let b = b[ib];
                    each1(o, &a[ia..ia + n], move |o, a| f(o, a, b))
                }
                (0, 1) => {
                    let a = a[ia];
                    each1(o, &b[ib..ib + n], move |o, b| f(o, a, b))
                }
                (sa, sb) => {
                    let (mut ba, mut bb) = ([T::default(); BLOCK], [T::default(); BLOCK]);
                    gather(&mut ba[..n], a, ia, sa);
                    gather(&mut bb[..n], b, ib, sb);
                    each2(o, &ba[..n], &bb[..n], f);
                }
            }
        });
    });
}

/// `out[i] ← f(out[i], a[i], b[i], c[i])`
pub fn map3<S: Elem, T: Elem>(
    out: &mut [T],
    dims: &[usize],
    a: Arg<'_, S>,
    b: Arg<'_, T>,
    c: Arg<'_, T>,
    cost: usize,
    f: impl Fn(T, S, T, T) -> T + Sync + Copy,
) {
    let scalar = Layout::dense(crate::device::Dims::SCALAR).expand(&dims.into());
    // A scalar is a buffer of one element with strides 0.
    let (one_a, one_b, one_c);
    let (a, la) = match a {
        Arg::View(a, l) => (a, l),
        Arg::Scalar(v) => {
            one_a = [v];
            (&one_a[..], scalar)
        }
    };
    let (b, lb) = match b {
        Arg::View(b, l) => (b, l),
        Arg::Scalar(v) => {
            one_b = [v];
            (&one_b[..], scalar)
        }
    };
    let (c, lc) = match c {
        Arg::View(c, l) => (c, l),
        Arg::Scalar(v) => {
            one_c = [v];
            (&one_c[..], scalar)
        }
    };
    let nest = Nest::new(dims, [&la, &lb, &lc]);
    par::parts(out, cost, |start, part| {
        nest.runs(start, start + part.len(), BLOCK, |pos, [ia, ib, ic], n| {
            let o = &mut part[pos - start..][..n];
            let (mut ba, mut bb, mut bc);
            let a = match nest.inner_stride(0) {
                1 => &a[ia..ia + n],
                s => {
                    ba = [S::default(); BLOCK];
                    gather(&mut ba[..n], a, ia, s);
                    &ba[..n]
                }
            };
            let b = match nest.inner_stride(1) {
                1 => &b[ib..ib + n],
                s => {
                    bb = [T::default(); BLOCK];
                    gather(&mut bb[..n], b, ib, s);
                    &bb[..n]
                }
            };
            let c = match nest.inner_stride(2) {
                1 => &c[ic..ic + n],
                s => {
                    bc = [T::default(); BLOCK];
                    gather(&mut bc[..n], c, ic, s);
                    &bc[..n]
                }
            };
            vectorize::<T, _>(
                #[inline(always)]
                move || {
                    for (((o, &a), &b), &c) in o.iter_mut().zip(a).zip(b).zip(c) {
                        *o = f(*o, a, b, c);
                    }
                },
            );
        });
    });
}

#[inline(always)]
fn each1<T: Elem, U: Elem>(o: &mut [U], a: &[T], f: impl Fn(U, T) -> U + Copy) {
    vectorize::<T, _>(
        #[inline(always)]
        move || {
            for (o, &a) in o.iter_mut().zip(a) {
                *o = f(*o, a);
            }
        },
    );
}

#[inline(always)]
fn each2<T: Elem, U: Elem>(o: &mut [U], a: &[T], b: &[T], f: impl Fn(U, T, T) -> U + Copy) {
    vectorize::<T, _>(
        #[inline(always)]
        move || {
            for ((o, &a), &b) in o.iter_mut().zip(a).zip(b) {
                *o = f(*o, a, b);
            }
        },
    );
}

#[inline(always)]
fn gather<T: Copy>(block: &mut [T], x: &[T], at: usize, stride: usize) {
    for (i, b) in block.iter_mut().enumerate() {
        *b = x[at + i * stride];
    }
}

/// `out ← x`.
pub fn copy<T: Elem>(out: &mut [T], dims: &[usize], x: Arg<'_, T>) {
    if let Arg::View(x, layout) = x
        && transpose::copy(out, x, &Nest::new(dims, [&layout]))
    {
        return;
    }
    map1(out, dims, x, 1, |_, x| x);
}
