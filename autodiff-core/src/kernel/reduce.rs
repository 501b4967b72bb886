//! Reductions over any axes.
//!
//! Sums are taken in blocks and the blocks are added pairwise, so that the rounding error grows
//! with the logarithm of the count. The blocks do not depend on the number of threads.

use super::lanes;
use super::map::{Arg, map3};
use super::nest::Nest;
use super::par;
use super::simd::vectorize;
use crate::device::{ArgOp, Dims, Elem, Float, Layout, ReduceOp, Write};

/// Elements added in one go.
pub(super) const BLOCK: usize = 2048;
/// Elements gathered at a time where they are not neighbours.
const GATHER: usize = 512;
/// Elements of one output that one thread reduces at a time.
const PART: usize = 1 << 15;

/// An associative way to make one element of several.
pub(super) trait Fold<T: Float>: Sync {
    const IDENTITY: f64;
    /// Whether [`step`](Fold::step) loses a NaN, so that it has to be looked for.
    const SKIPS_NAN: bool = false;
    fn join(a: T, b: T) -> T;
    /// As `join`, of elements among which is no NaN.
    #[inline(always)]
    fn step(a: T, b: T) -> T {
        Self::join(a, b)
    }
}

pub(super) struct Add;
impl<T: Float> Fold<T> for Add {
    const IDENTITY: f64 = 0.0;
    #[inline(always)]
    fn join(a: T, b: T) -> T {
        a + b
    }
}

pub(super) struct Largest;
impl<T: Float> Fold<T> for Largest {
    const IDENTITY: f64 = f64::NEG_INFINITY;
    const SKIPS_NAN: bool = true;
    #[inline(always)]
    fn join(a: T, b: T) -> T {
        if b > a || b.is_nan() { b } else { a }
    }
    #[inline(always)]
    fn step(a: T, b: T) -> T {
        if b > a { b } else { a }
    }
}

pub(super) struct Product;
impl<T: Float> Fold<T> for Product {
    const IDENTITY: f64 = 1.0;
    #[inline(always)]
    fn join(a: T, b: T) -> T {
        a * b
    }
}

struct Smallest;
impl<T: Float> Fold<T> for Smallest {
    const IDENTITY: f64 = f64::INFINITY;
    const SKIPS_NAN: bool = true;
    #[inline(always)]
    fn join(a: T, b: T) -> T {
        if b < a || b.is_nan() { b } else { a }
    }
    #[inline(always)]
    fn step(a: T, b: T) -> T {
        if b < a { b } else { a }
    }
}

fn fold_block<T: Float, F: Fold<T>>(x: &[T], f: impl Fn(T) -> T + Copy) -> T {
    vectorize::<T, _>(
        #[inline(always)]
        move || lanes::fold::<T, F>(lanes::One(x, f)),
    )
}

/// The fold of a row, for loops over rows that are vectorised as a whole: a short one is a part of
/// the loop.
#[inline(always)]
pub(super) fn row<T: Float, F: Fold<T>>(x: &[T], f: impl Fn(T) -> T + Copy) -> T {
    if x.len() <= BLOCK {
        lanes::fold::<T, F>(lanes::One(x, f))
    } else {
        fold_slice::<T, F>(x, f)
    }
}

/// `Σ f(a, b)` of two rows, as [`row`].
#[inline(always)]
pub(super) fn rows<T: Float>(a: &[T], b: &[T], f: impl Fn(T, T) -> T + Copy) -> T {
    if a.len() <= BLOCK {
        lanes::fold::<T, Add>(lanes::Two(a, b, f))
    } else {
        sum_pairs(a, b, f)
    }
}

fn sum_pairs<T: Float>(a: &[T], b: &[T], f: impl Fn(T, T) -> T + Copy) -> T {
    if a.len() <= BLOCK {
        return vectorize::<T, _>(
            #[inline(always)]
            move || lanes::fold::<T, Add>(lanes::Two(a, b, f)),
        );
    }
    let half = (a.len() / 2).next_multiple_of(BLOCK).min(a.len() - 1);
    let ((a, c), (b, d)) = (a.split_at(half), b.split_at(half));
    sum_pairs(a, b, f) + sum_pairs(c, d, f)
}

fn fold_slice<T: Float, F: Fold<T>>(x: &[T], f: impl Fn(T) -> T + Copy) -> T {
    if x.len() <= BLOCK {
        return fold_block::<T, F>(x, f);
    }
    let half = (x.len() / 2).next_multiple_of(BLOCK);
    let (a, b) = x.split_at(half.min(x.len() - 1));
    F::join(fold_slice::<T, F>(a, f), fold_slice::<T, F>(b, f))
}

/// The sum of a slice.
pub fn sum<T: Float>(x: &[T]) -> T {
    fold_slice::<T, Add>(x, same)
}

/// The largest element of a slice; NaN if there is one, −∞ if there is nothing.
pub fn max<T: Float>(x: &[T]) -> T {
    fold_slice::<T, Largest>(x, same)
}

/// Adds block results pairwise, like a binary counter: partial results of equal weight join.
struct Pairwise<T> {
    stack: [T; usize::BITS as usize],
    count: usize,
}

impl<T: Float> Pairwise<T> {
    fn new() -> Self {
        Pairwise {
            stack: [T::ZERO; usize::BITS as usize],
            count: 0,
        }
    }
    fn push<F: Fold<T>>(&mut self, mut x: T) {
        let depth = self.count.count_ones() as usize;
        let joins = self.count.trailing_ones() as usize;
        for i in 0..joins {
            x = F::join(self.stack[depth - 1 - i], x);
        }
        self.stack[depth - joins] = x;
        self.count += 1;
    }
    fn finish<F: Fold<T>>(&self) -> T {
        let depth = self.count.count_ones() as usize;
        self.stack[..depth]
            .iter()
            .rev()
            .copied()
            .reduce(|a, b| F::join(b, a))
            .unwrap_or(T::lit(F::IDENTITY))
    }
}

/// The axes of `x` in two groups: those that `out` keeps and those it reduces (size 1 there).
fn split(x: &Layout, out: &Dims) -> (Layout, Layout) {
    assert_eq!(x.dims().rank(), out.rank(), "a reduction keeps the rank");
    let (mut kept, mut reduced) = (*x, *x);
    for axis in 0..out.rank() {
        if out[axis] == x.dims()[axis] {
            reduced = reduced.slice(axis, 0, out[axis].min(1));
            if out[axis] == 0 {
                // Nothing is kept, so nothing is read.
                reduced = Layout::dense(reduced.dims().with(axis, 1));
            }
        } else {
            assert_eq!(out[axis], 1, "reducing {:?} to {out:?}", x.dims());
            if x.dims()[axis] > 0 {
                kept = kept.slice(axis, 0, 1);
            } else {
                kept = Layout::dense(kept.dims().with(axis, 1));
            }
        }
    }
    (kept, reduced)
}

/// Reduces `x` to the sizes `dims` of `out`.
pub fn reduce<T: Float>(
    op: ReduceOp,
    out: &mut [T],
    dims: &Dims,
    x: &[T],
    layout: Layout,
    write: Write,
) {
    let count = layout.numel().checked_div(out.len()).unwrap_or(0);
    let n = T::lit(count as f64);
    let put: Option<Put<'_, T>> = match (op, write) {
        (ReduceOp::Sum, Write::Add) => Some(&|o, s| o + s),
        (ReduceOp::Mean, Write::Add) => Some(&move |o, s| o + s / n),
        (ReduceOp::Mean, Write::Set) => Some(&move |_, s| s / n),
        (ReduceOp::Max | ReduceOp::Min, Write::Add) => {
            panic!("an extreme cannot be accumulated")
        }
        _ => None,
    };
    match op {
        ReduceOp::Sum | ReduceOp::Mean => fold::<T, Add>(out, dims, x, layout, &[], plain, put),
        ReduceOp::Max => fold::<T, Largest>(out, dims, x, layout, &[], plain, put),
        ReduceOp::Min => fold::<T, Smallest>(out, dims, x, layout, &[], plain, put),
    }
}

/// What an element of the output becomes, of itself and the fold.
///
/// Not a type parameter: the loops of a fold are many, and do not depend on it.
pub(super) type Put<'a, T> = &'a (dyn Fn(T, T) -> T + Sync);

/// The element without a shift. A function, because closures of different functions are different types, and the loops
/// would be compiled for each.
#[inline(always)]
pub(super) fn plain<T>(x: T, _shift: T) -> T {
    x
}

/// As [`plain`].
#[inline(always)]
pub(super) fn same<T>(x: T) -> T {
    x
}

/// `f` with a shift; one type, so that the ways to fold share their loops.
#[inline(always)]
fn shifted<T: Copy, F: Fn(T, T) -> T + Copy>(f: F, shift: T) -> impl Fn(T) -> T + Copy + use<T, F> {
    #[inline(always)]
    move |x| f(x, shift)
}

/// Puts folds where they belong.
fn put_all<T: Copy>(out: &mut [T], folds: &[T], put: Option<Put<'_, T>>) {
    match put {
        None => out.copy_from_slice(folds),
        Some(put) => out
            .iter_mut()
            .zip(folds)
            .for_each(|(o, &s)| *o = put(*o, s)),
    }
}

/// `out ← put(out, fold of f(x, shift))`, where each element of `out` has its own shift; without
/// shifts they are 0. Without `put`, `out` becomes the folds.
pub(super) fn fold<T: Float, F: Fold<T>>(
    out: &mut [T],
    dims: &Dims,
    x: &[T],
    layout: Layout,
    shifts: &[T],
    f: impl Fn(T, T) -> T + Sync + Copy,
    put: Option<Put<'_, T>>,
) {
    let (kept, reduced) = split(&layout, dims);
    let count = reduced.numel();
    let rows = Nest::new(dims, [&kept]);
    let offset = reduced.offset();
    let inside = Nest::new(reduced.dims(), [&reduced]);
    if rows.inner_stride(0) == 1 && inside.inner_stride(0) != 1 && out.len() > 1 {
        return columns::<T, F>(out, x, &rows, &inside, offset, count, shifts, f, put);
    }
    // Whatever the number of threads, so that it does not matter.
    if out.len() == 1 && count > PART {
        let first = kept.offset() - offset;
        let g = shifted(f, shifts.first().copied().unwrap_or(T::ZERO));
        let folded = fold_parallel::<T, F>(x, &inside, count, first, g);
        return put_all(out, &[folded], put);
    }
    if inside.is_line() && (1..=BLOCK).contains(&count) {
        return lines::<T, F>(out, x, &rows, count, shifts, f, put);
    }
    par::rows(out, 1, count.max(1), |start, part| {
        rows.runs(start, start + part.len(), usize::MAX, |pos, [at], n| {
            let step = rows.inner_stride(0);
            for i in 0..n {
                let g = shifted(f, shifts.get(pos + i).copied().unwrap_or(T::ZERO));
                let from = at + i * step - offset;
                let folded = fold_range::<T, F>(x, &inside, 0, count, from, g);
                put_all(&mut part[pos - start + i..][..1], &[folded], put);
            }
        });
    });
}

/// Each output is the fold of one short run of neighbours.
#[allow(clippy::too_many_arguments)]
fn lines<T: Float, F: Fold<T>>(
    out: &mut [T],
    x: &[T],
    rows: &Nest<1>,
    count: usize,
    shifts: &[T],
    f: impl Fn(T, T) -> T + Sync + Copy,
    put: Option<Put<'_, T>>,
) {
    const FOLDS: usize = 64;
    let step = rows.inner_stride(0);
    // Folds that are not put as they are wait in an array.
    let limit = if put.is_some() { FOLDS } else { usize::MAX };
    par::rows(out, 1, count, |start, part| {
        rows.runs(start, start + part.len(), limit, |pos, [at], n| {
            let part = &mut part[pos - start..][..n];
            let shifts = shifts.get(pos..pos + n).unwrap_or_default();
            if put.is_none() {
                return line_each::<T, F>(part, &x[at..], step, count, shifts, f);
            }
            let mut folds = [T::ZERO; FOLDS];
            line_each::<T, F>(&mut folds[..n], &x[at..], step, count, shifts, f);
            put_all(part, &folds[..n], put);
        });
    });
}

/// The folds of runs of `count` elements, from one to the next of which there are `step` elements.
#[inline(never)]
fn line_each<T: Float, F: Fold<T>>(
    out: &mut [T],
    x: &[T],
    step: usize,
    count: usize,
    shifts: &[T],
    f: impl Fn(T, T) -> T + Sync + Copy,
) {
    vectorize::<T, _>(
        #[inline(always)]
        || {
            for (i, o) in out.iter_mut().enumerate() {
                let shift = shifts.get(i).copied().unwrap_or(T::ZERO);
                let line = &x[i * step..][..count];
                *o = lanes::fold::<T, F>(lanes::One(line, shifted(f, shift)));
            }
        },
    );
}

/// The reduction of elements `start..end` of the reduced axes; `shift` is where the row begins.
fn fold_range<T: Float, F: Fold<T>>(
    x: &[T],
    inside: &Nest<1>,
    start: usize,
    end: usize,
    shift: usize,
    f: impl Fn(T) -> T + Copy,
) -> T {
    let mut acc = Pairwise::new();
    let step = inside.inner_stride(0);
    let limit = if step == 1 { usize::MAX } else { GATHER };
    inside.runs(start, end, limit, |_, [at], n| {
        let at = at + shift;
        if step == 1 {
            acc.push::<F>(fold_slice::<T, F>(&x[at..at + n], f));
        } else {
            let mut block = [T::ZERO; GATHER];
            for (i, b) in block[..n].iter_mut().enumerate() {
                *b = x[at + i * step];
            }
            acc.push::<F>(fold_block::<T, F>(&block[..n], f));
        }
    });
    acc.finish::<F>()
}

fn fold_parallel<T: Float, F: Fold<T>>(
    x: &[T],
    inside: &Nest<1>,
    count: usize,
    shift: usize,
    f: impl Fn(T) -> T + Sync + Copy,
) -> T {
    let mut partial = vec![T::ZERO; count.div_ceil(PART)];
    par::rows(&mut partial, 1, PART, |first, parts| {
        for (i, p) in parts.iter_mut().enumerate() {
            let start = (first + i) * PART;
            *p = fold_range::<T, F>(x, inside, start, (start + PART).min(count), shift, f);
        }
    });
    fold_slice::<T, F>(&partial, same)
}

/// Neighbouring outputs come from neighbouring inputs: whole rows are added to rows.
#[allow(clippy::too_many_arguments)]
fn columns<T: Float, F: Fold<T>>(
    out: &mut [T],
    x: &[T],
    rows: &Nest<1>,
    inside: &Nest<1>,
    offset: usize,
    count: usize,
    shifts: &[T],
    f: impl Fn(T, T) -> T + Sync + Copy,
    put: Option<Put<'_, T>>,
) {
    const WIDTH: usize = 512;
    /// Rows added to one partial sum, and partial sums to the next, to bound the rounding error.
    const TALL: usize = 64;
    par::rows(out, 1, count.max(1), |start, part| {
        rows.runs(start, start + part.len(), WIDTH, |pos, [at], n| {
            let id = T::lit(F::IDENTITY);
            let (mut total, mut middle, mut acc, mut held) =
                ([id; WIDTH], [id; WIDTH], [id; WIDTH], 0);
            let mut shift = [T::ZERO; WIDTH];
            if !shifts.is_empty() {
                shift[..n].copy_from_slice(&shifts[pos..pos + n]);
            }
            let step = inside.inner_stride(0);
            inside.runs(0, count, usize::MAX, |_, [from], len| {
                vectorize::<T, _>(
                    #[inline(always)]
                    || {
                        for i in 0..len {
                            let from = from + i * step + at - offset;
                            let row = x[from..from + n].iter().zip(&shift[..n]);
                            for (a, (&x, &s)) in acc[..n].iter_mut().zip(row) {
                                *a = F::join(*a, f(x, s));
                            }
                            held += 1;
                            if held % TALL == 0 {
                                carry::<T, F>(&mut middle[..n], &mut acc[..n], id);
                            }
                            if held % (TALL * TALL) == 0 {
                                carry::<T, F>(&mut total[..n], &mut middle[..n], id);
                            }
                        }
                    },
                );
            });
            carry::<T, F>(&mut middle[..n], &mut acc[..n], id);
            carry::<T, F>(&mut total[..n], &mut middle[..n], id);
            put_all(&mut part[pos - start..][..n], &total[..n], put);
        });
    });
}

/// Moves partial results up one level.
#[inline(always)]
fn carry<T: Float, F: Fold<T>>(to: &mut [T], from: &mut [T], id: T) {
    for (t, f) in to.iter_mut().zip(from) {
        *t = F::join(*t, core::mem::replace(f, id));
    }
}

/// The pullback of `Max` and `Min`.
pub fn extreme_pullback<T: Float>(
    out: &mut [T],
    x: (&[T], Layout),
    y: (&[T], Layout),
    ct: (&[T], Layout),
    write: Write,
) {
    let dims = *x.1.dims();
    let kept = *y.1.dims();
    // ct divided by the number of elements that share it; NaN where there is none.
    let mut hits = vec![T::ZERO; kept.numel()];
    let mut equal = super::pool::Buffer::<T>::unspecified(dims.numel());
    let all = y.1.expand(&dims);
    super::map::map2(
        &mut equal,
        &dims,
        Arg::View(x.0, x.1),
        Arg::View(y.0, all),
        1,
        |_, x, y| {
            if x == y { T::ONE } else { T::ZERO }
        },
    );
    reduce(
        ReduceOp::Sum,
        &mut hits,
        &kept,
        &equal,
        Layout::dense(dims),
        Write::Set,
    );
    super::map::map1(&mut hits, &kept, Arg::View(ct.0, ct.1), 1, |n, c| {
        if n == T::ZERO { T::NAN } else { c / n }
    });
    let share = Arg::View(&hits, Layout::dense(kept).expand(&dims));
    let (x, y) = (Arg::View(x.0, x.1), Arg::View(y.0, all));
    let pick = |x: T, y: T, s: T| {
        if x == y || s.is_nan() { s } else { T::ZERO }
    };
    match write {
        Write::Set => map3(out, &dims, x, y, share, 1, move |_, x, y, s| pick(x, y, s)),
        Write::Add => map3(out, &dims, x, y, share, 1, move |o, x, y, s| {
            o + pick(x, y, s)
        }),
    }
}

/// The first extreme position along the last axis.
pub fn arg<T: Elem>(op: ArgOp, out: &mut [i64], x: &[T], layout: Layout) {
    let dims = *layout.dims();
    let last = dims.rank() - 1;
    let n = dims[last];
    if out.is_empty() {
        return;
    }
    assert!(n > 0, "no extreme element along an axis of size 0");
    let heads = layout.slice(last, 0, 1);
    let step = layout.strides()[last];
    let nest = Nest::new(heads.dims(), [&heads]);
    par::rows(out, 1, n, |start, part| {
        nest.runs(start, start + part.len(), 1, |pos, [at], _| {
            let mut best = (0, x[at]);
            for i in 1..n {
                let v = x[at + i * step];
                let better = match op {
                    ArgOp::Max => v > best.1,
                    ArgOp::Min => v < best.1,
                };
                // Only NaN differs from itself; the first one wins.
                #[allow(clippy::eq_op)]
                if best.1 == best.1 && (better || v != v) {
                    best = (i, v);
                }
            }
            part[pos - start] = best.0 as i64;
        });
    });
}
