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

/// A part of an operand: neighbours, or one value for all elements.
#[derive(Clone, Copy)]
enum Run<'a, T> {
    Slice(&'a [T]),
    Same(T),
}

/// An operand that is walked through: a scalar is a buffer of one element, with steps of 0.
struct Walked<'a, T> {
    x: &'a [T],
    layout: Layout,
}

impl<'a, T> Walked<'a, T> {
    fn new(arg: &'a Arg<'_, T>, dims: &[usize]) -> Self {
        match arg {
            Arg::View(x, layout) => Walked { x, layout: *layout },
            Arg::Scalar(x) => Walked {
                x: core::slice::from_ref(x),
                layout: Layout::dense(crate::device::Dims::SCALAR).expand(&dims.into()),
            },
        }
    }
}

/// Elements that are handled together: all that there are, unless an operand with such a step has to be gathered.
fn limit<const K: usize>(nest: &Nest<K>, gathered: impl Fn(usize) -> bool) -> usize {
    match (0..K).any(|k| gathered(nest.inner_stride(k))) {
        true => BLOCK,
        false => usize::MAX,
    }
}

/// Room for the elements of a strided operand. It is made when it is first needed: most operands are contiguous.
struct Block<T>(Option<[T; BLOCK]>);

impl<T: Elem> Block<T> {
    const NONE: Self = Block(None);

    fn room(&mut self, n: usize) -> &mut [T] {
        &mut self.0.get_or_insert_with(|| [T::default(); BLOCK])[..n]
    }
}

/// `n` elements of an operand; those that are not neighbours are copied to a block.
#[inline]
fn run<'a, T: Elem>(
    x: &'a [T],
    at: usize,
    step: usize,
    n: usize,
    block: &'a mut Block<T>,
) -> Run<'a, T> {
    match step {
        0 => Run::Same(x[at]),
        _ => Run::Slice(slice(x, at, step, n, block)),
    }
}

/// As [`run`], with a copy of the value for each element.
#[inline]
fn slice<'a, T: Elem>(
    x: &'a [T],
    at: usize,
    step: usize,
    n: usize,
    block: &'a mut Block<T>,
) -> &'a [T] {
    if step == 1 {
        return &x[at..at + n];
    }
    let room = block.room(n);
    gather(room, x, at, step);
    room
}

/// An operation on a part of the output and of one operand.
type Op1<'f, U, T> = &'f (dyn Fn(&mut [U], Run<'_, T>) + Sync);
/// An operation on a part of the output and of two operands, of which not both are the same value for all.
type Op2<'f, U, T> = &'f (dyn Fn(&mut [U], Run<'_, T>, Run<'_, T>) + Sync);
/// An operation on equally long parts of the output and of three operands.
type Op3<'f, T, S> = &'f (dyn Fn(&mut [T], &[S], &[T], &[T]) + Sync);

// The walks know about strides, and are compiled once for each type of element. What is compiled for each operation is
// its loops over neighbours.

#[inline(never)]
fn walk1<T: Elem, U: Elem>(
    out: &mut [U],
    dims: &[usize],
    a: Arg<'_, T>,
    cost: usize,
    op: Op1<'_, U, T>,
) {
    if let Arg::Scalar(a) = a {
        return par::parts(out, cost, |_, part| op(part, Run::Same(a)));
    }
    let a = Walked::new(&a, dims);
    let nest = Nest::new(dims, [&a.layout]);
    let limit = limit(&nest, |step| step > 1);
    par::parts(out, cost, |start, part| {
        let mut block = Block::NONE;
        nest.runs(start, start + part.len(), limit, |pos, [at], n| {
            let o = &mut part[pos - start..][..n];
            op(o, run(a.x, at, nest.inner_stride(0), n, &mut block));
        });
    });
}

#[inline(never)]
fn walk2<T: Elem, U: Elem>(
    out: &mut [U],
    dims: &[usize],
    a: Arg<'_, T>,
    b: Arg<'_, T>,
    cost: usize,
    op: Op2<'_, U, T>,
) {
    let (a, b) = (Walked::new(&a, dims), Walked::new(&b, dims));
    let nest = Nest::new(dims, [&a.layout, &b.layout]);
    let steps = [nest.inner_stride(0), nest.inner_stride(1)];
    let same = steps == [0, 0];
    let limit = limit(&nest, |step| same || step > 1);
    par::parts(out, cost, |start, part| {
        let (mut ba, mut bb) = (Block::NONE, Block::NONE);
        nest.runs(start, start + part.len(), limit, |pos, [ia, ib], n| {
            let o = &mut part[pos - start..][..n];
            let b = run(b.x, ib, steps[1], n, &mut bb);
            if same {
                return op(o, Run::Slice(slice(a.x, ia, 0, n, &mut ba)), b);
            }
            op(o, run(a.x, ia, steps[0], n, &mut ba), b);
        });
    });
}

#[inline(never)]
fn walk3<S: Elem, T: Elem>(
    out: &mut [T],
    dims: &[usize],
    a: Arg<'_, S>,
    b: Arg<'_, T>,
    c: Arg<'_, T>,
    cost: usize,
    op: Op3<'_, T, S>,
) {
    let a = Walked::new(&a, dims);
    let (b, c) = (Walked::new(&b, dims), Walked::new(&c, dims));
    let nest = Nest::new(dims, [&a.layout, &b.layout, &c.layout]);
    let limit = limit(&nest, |step| step != 1);
    par::parts(out, cost, |start, part| {
        let mut ba = Block::NONE;
        let (mut bb, mut bc) = (Block::NONE, Block::NONE);
        nest.runs(start, start + part.len(), limit, |pos, [ia, ib, ic], n| {
            let o = &mut part[pos - start..][..n];
            let a = slice(a.x, ia, nest.inner_stride(0), n, &mut ba);
            let b = slice(b.x, ib, nest.inner_stride(1), n, &mut bb);
            op(o, a, b, slice(c.x, ic, nest.inner_stride(2), n, &mut bc));
        });
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
    walk1(out, dims, a, cost, &move |o, a| match a {
        Run::Slice(a) => each1(o, a, f),
        Run::Same(a) => vectorize::<U, _>(
            #[inline(always)]
            move || {
                for o in o {
                    *o = f(*o, a);
                }
            },
        ),
    });
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
    walk2(out, dims, a, b, cost, &move |o, a, b| match (a, b) {
        (Run::Slice(a), Run::Slice(b)) => each2(o, a, b, f),
        (Run::Slice(a), Run::Same(b)) => each1(
            o,
            a,
            #[inline(always)]
            move |o, a| f(o, a, b),
        ),
        (Run::Same(a), Run::Slice(b)) => each1(
            o,
            b,
            #[inline(always)]
            move |o, b| f(o, a, b),
        ),
        (Run::Same(_), Run::Same(_)) => unreachable!("one of them is in a block"),
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
    walk3(out, dims, a, b, c, cost, &move |o, a, b, c| {
        vectorize::<T, _>(
            #[inline(always)]
            move || {
                for (((o, &a), &b), &c) in o.iter_mut().zip(a).zip(b).zip(c) {
                    *o = f(*o, a, b, c);
                }
            },
        );
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
