//! A region over blocks of elements.
//!
//! Operands are read where they are, arrays of fixed length at a time; results go through arrays on the stack, so that
//! nothing can alias and the loops become vector code however many operands there are. Sines of large arguments take a
//! branch, which would keep the whole region from vector registers: an array in which one occurs is computed by code
//! of its own.

use crate::device::{Float, Region};
use crate::kernel::simd::vectorize;
use core::array::from_fn;

/// Elements of one array: several vector registers.
pub const LANES: usize = 64;

/// The `i`th array, or the only one.
#[inline(always)]
fn array<T>(x: &[T], i: usize) -> &[T; LANES] {
    let x: &[[T; LANES]] = x.as_chunks().0;
    &x[if x.len() == 1 { 0 } else { i }]
}

/// Puts the `i`th of `count` arrays into an output, or adds it to the sum.
#[inline(always)]
fn give<T: Float>(y: &mut [T], i: usize, count: usize, from: &[T; LANES]) {
    let y: &mut [[T; LANES]] = y.as_chunks_mut().0;
    if y.len() == count {
        y[i] = *from;
    } else {
        y[0].iter_mut().zip(from).for_each(|(y, &x)| *y = *y + x);
    }
}

/// Calls `f` on the number of an array of elements, on those of `N` inputs and of `M` outputs. Only the inputs in
/// `reads` are in `x`, the outputs in `writes` in `y`.
#[inline(always)]
fn lanes<T: Float, const N: usize, const M: usize>(
    count: usize,
    (reads, writes): ([bool; N], [bool; M]),
    x: &[&[T]],
    y: &mut [&mut [T]],
    mut f: impl FnMut(usize, &[&[T; LANES]; N], &mut [[T; LANES]; M]),
) {
    let mut from = x.iter();
    let x: [&[T]; N] = from_fn(
        #[inline(always)]
        |k| match reads[k] {
            true => from.next().copied().unwrap_or_default(),
            false => &[],
        },
    );
    let mut to = y.iter_mut();
    let y: [&mut [T]; M] = from_fn(
        #[inline(always)]
        |k| match writes[k] {
            true => to.next().map_or(&mut [][..], |y| &mut y[..]),
            false => &mut [],
        },
    );
    let ones = [T::ONE; LANES];
    let mut b = [[T::ZERO; LANES]; M];
    for i in 0..count {
        let a: [&[T; LANES]; N] = from_fn(
            #[inline(always)]
            |k| if reads[k] { array(x[k], i) } else { &ones },
        );
        f(i, &a, &mut b);
        for k in 0..M {
            if writes[k] {
                give(y[k], i, count, &b[k]);
            }
        }
    }
}

/// Keeps what runs seldom out of the loops.
#[cold]
#[inline(never)]
fn seldom(f: impl FnOnce()) {
    f();
}

/// Calls a function with `NEAR`, and again without where it says that arguments of sines were too large.
macro_rules! near_or_far {
    ($f:ident::<$R:ident, $T:ident, $N:ident>($($arg:expr),*)) => {
        if $f::<$R, $T, $N, true>($($arg),*) {
            seldom(|| {
                $f::<$R, $T, $N, false>($($arg),*);
            });
        }
    };
}

/// Calls `f` on all columns; whether an argument of a sine, cosine or tangent is too large for `NEAR`, which
/// the loop finds out on the way, from what it has computed.
#[inline(always)]
fn columns<R: Region<N>, T: Float, const N: usize, const NEAR: bool>(
    a: &[&[T; LANES]; N],
    mut f: impl FnMut(usize, [T; N]),
) -> bool {
    let mut far = [T::ZERO; LANES];
    for j in 0..LANES {
        let x = column(a, j);
        f(j, x);
        if NEAR && R::TURNS {
            far[j] = R::far(x);
        }
    }
    NEAR && R::TURNS && far.iter().fold(false, |any, x| any | (*x > T::ZERO))
}

/// The `j`th element of each array.
#[inline(always)]
fn column<T: Float, const N: usize>(a: &[&[T; LANES]; N], j: usize) -> [T; N] {
    from_fn(
        #[inline(always)]
        |k| a[k][j],
    )
}

/// The values.
pub fn value<R: Region<N>, T: Float, const N: usize>(n: usize, x: &[&[T]], y: &mut [&mut [T]]) {
    vectorize::<T, _>(
        #[inline(always)]
        || {
            lanes::<T, N, 1>(
                n / LANES,
                ([true; N], [true]),
                x,
                y,
                #[inline(always)]
                |_, a, b| near_or_far!(values::<R, T, N>(a, &mut b[0])),
            );
        },
    );
}

#[inline(always)]
fn values<R: Region<N>, T: Float, const N: usize, const NEAR: bool>(
    a: &[&[T; LANES]; N],
    b: &mut [T; LANES],
) -> bool {
    columns::<R, T, N, NEAR>(
        a,
        #[inline(always)]
        |j, x| b[j] = R::value::<T, NEAR>(x),
    )
}

/// The cotangents of the inputs that are wanted. The inputs are those that the pullback reads, the value if it reads that,
/// and the cotangent of the value.
pub fn pullback<R: Region<N>, T: Float, const N: usize>(
    wanted: [bool; N],
    n: usize,
    x: &[&[T]],
    y: &mut [&mut [T]],
) {
    let (x, ct) = x.split_at(x.len() - 1);
    let (x, result) = x.split_at(x.len() - usize::from(R::READS_VALUE));
    let ct = ct[0];
    vectorize::<T, _>(
        #[inline(always)]
        || {
            lanes::<T, N, N>(
                n / LANES,
                (R::READS, wanted),
                x,
                y,
                #[inline(always)]
                |i, a, b| {
                    let c = array(ct, i);
                    let v = if R::READS_VALUE {
                        array(result[0], i)
                    } else {
                        c
                    };
                    near_or_far!(cotangents::<R, T, N>(a, v, c, b));
                },
            );
        },
    );
}

#[inline(always)]
fn cotangents<R: Region<N>, T: Float, const N: usize, const NEAR: bool>(
    a: &[&[T; LANES]; N],
    v: &[T; LANES],
    c: &[T; LANES],
    b: &mut [[T; LANES]; N],
) -> bool {
    columns::<R, T, N, NEAR>(
        a,
        #[inline(always)]
        |j, x| put::<R, T, N>(R::pullback::<T, NEAR>(x, v[j], c[j]), j, b),
    )
}

/// The cotangents of the active inputs as the `j`th elements.
#[inline(always)]
fn put<R: Region<N>, T: Float, const N: usize>(d: [T; N], j: usize, b: &mut [[T; LANES]; N]) {
    for k in 0..N {
        if R::ACTIVE[k] {
            b[k][j] = d[k];
        }
    }
}

/// The values, then their derivatives by the inputs that are wanted.
pub fn value_and_slopes<R: Region<N>, T: Float, const N: usize>(
    wanted: [bool; N],
    n: usize,
    x: &[&[T]],
    y: &mut [&mut [T]],
) {
    let (values, slopes) = y.split_at_mut(1);
    let values = &mut *values[0];
    vectorize::<T, _>(
        #[inline(always)]
        || {
            lanes::<T, N, N>(
                n / LANES,
                ([true; N], wanted),
                x,
                slopes,
                #[inline(always)]
                |i, a, b| {
                    let mut v = [T::ZERO; LANES];
                    near_or_far!(both::<R, T, N>(a, &mut v, b));
                    give(values, i, n / LANES, &v);
                },
            );
        },
    );
}

#[inline(always)]
fn both<R: Region<N>, T: Float, const N: usize, const NEAR: bool>(
    a: &[&[T; LANES]; N],
    v: &mut [T; LANES],
    b: &mut [[T; LANES]; N],
) -> bool {
    columns::<R, T, N, NEAR>(
        a,
        #[inline(always)]
        |j, x| {
            v[j] = R::value::<T, NEAR>(x);
            put::<R, T, N>(R::pullback::<T, NEAR>(x, v[j], T::ONE), j, b);
        },
    )
}

/// The tangents; after the inputs come their tangents.
pub fn pushforward<R: Region<N>, T: Float, const N: usize>(
    n: usize,
    x: &[&[T]],
    y: &mut [&mut [T]],
) {
    let (x, t) = x.split_at(N);
    vectorize::<T, _>(
        #[inline(always)]
        || {
            lanes::<T, N, 1>(
                n / LANES,
                ([true; N], [true]),
                x,
                y,
                #[inline(always)]
                |i, a, b| {
                    let s: [&[T; LANES]; N] = from_fn(
                        #[inline(always)]
                        |k| array(t[k], i),
                    );
                    near_or_far!(tangents::<R, T, N>(a, &s, &mut b[0]));
                },
            );
        },
    );
}

#[inline(always)]
fn tangents<R: Region<N>, T: Float, const N: usize, const NEAR: bool>(
    a: &[&[T; LANES]; N],
    s: &[&[T; LANES]; N],
    b: &mut [T; LANES],
) -> bool {
    columns::<R, T, N, NEAR>(
        a,
        #[inline(always)]
        |j, x| b[j] = R::pushforward::<T, NEAR>(x, column(s, j)),
    )
}
