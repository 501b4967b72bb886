//! Runs an operation that is written for dense blocks over operands of any layout.
//!
//! Only this file, compiled once for each element type and number of operands, knows about
//! strides, broadcasting, working in place and accumulating; the operations behind it are one loop
//! each. Operands that are not dense are copied block by block into the first-level cache.

#![allow(
    clippy::needless_range_loop,
    reason = "several small arrays are walked by one index"
)]

use super::map::{self, Arg};
use super::nest::Nest;
use super::par;
use super::pool::Buffer;
use crate::device::{Dims, Float, Layout, Write};

/// The input of an elementwise kernel: an argument, or what the output holds.
#[derive(Clone, Copy)]
pub enum Src<'a, T> {
    /// Elements or a scalar.
    Arg(Arg<'a, T>),
    /// The previous contents of the output.
    Output,
}

/// Elements of a block that goes through the stack.
const BLOCK: usize = 256;

/// Elements from which a transposed operand is copied before.
const TRANSPOSE: usize = 1 << 12;

/// How an operand reaches the operation.
#[derive(Clone, Copy)]
enum Feed<'a, T> {
    Slice(&'a [T]),
    Scalar(T),
    Output,
}

/// An operation on equally long dense blocks: the output, then the operands.
pub type BlockOp<'f, T, const K: usize> = &'f (dyn Fn(&mut [T], [&[T]; K]) + Sync);

/// `out ← op(operands)`, or `+=`.
pub fn drive<T: Float, const K: usize>(
    out: &mut [T],
    dims: &[usize],
    operands: [Src<'_, T>; K],
    write: Write,
    cost: usize,
    op: BlockOp<'_, T, K>,
) {
    // Large transposed operands are copied first: the loop below would read a column at a time.
    let mut copies = [const { None }; K];
    for (copy, src) in copies.iter_mut().zip(&operands) {
        if let Src::Arg(Arg::View(x, layout)) = *src
            && out.len() >= TRANSPOSE
            && Nest::new(dims, [&layout]).transposed().is_some()
        {
            let mut dense = Buffer::unspecified(out.len());
            map::copy(&mut dense, dims, Arg::View(x, layout));
            *copy = Some(dense);
        }
    }
    let mut operands = operands;
    for (src, copy) in operands.iter_mut().zip(&copies) {
        if let Some(dense) = copy {
            *src = Src::Arg(Arg::View(dense, Layout::dense(dims.into())));
        }
    }
    let scalar = Layout::dense(Dims::SCALAR);
    let mut layouts = [scalar.expand(&dims.into()); K];
    let mut feeds = [Feed::Output; K];
    for (k, src) in operands.iter().enumerate() {
        match *src {
            Src::Output => assert!(
                write == Write::Set,
                "an operand in place of the output cannot be accumulated into"
            ),
            Src::Arg(Arg::Scalar(s)) => feeds[k] = Feed::Scalar(s),
            Src::Arg(Arg::View(x, layout)) => {
                feeds[k] = Feed::Slice(x);
                layouts[k] = layout;
            }
        }
    }
    let nest = Nest::new(dims, layouts.each_ref());
    let direct = write == Write::Set
        && (0..K).all(|k| matches!(feeds[k], Feed::Slice(_)) && nest.inner_stride(k) == 1);
    if direct {
        return par::parts(out, cost, |start, part| {
            nest.runs(start, start + part.len(), usize::MAX, |pos, at, n| {
                let o = &mut part[pos - start..][..n];
                op(
                    o,
                    core::array::from_fn(|k| {
                        if let Feed::Slice(x) = feeds[k] {
                            &x[at[k]..at[k] + n]
                        } else {
                            &[]
                        }
                    }),
                );
            });
        });
    }
    par::parts(out, cost, |start, part| {
        let mut blocks = [[T::ZERO; BLOCK]; K];
        for k in 0..K {
            if let Feed::Scalar(s) = feeds[k] {
                blocks[k][..part.len().min(BLOCK)].fill(s);
            }
        }
        nest.runs(start, start + part.len(), BLOCK, |pos, at, n| {
            let o = &mut part[pos - start..][..n];
            for k in 0..K {
                match feeds[k] {
                    Feed::Output => blocks[k][..n].copy_from_slice(o),
                    Feed::Slice(x) => match nest.inner_stride(k) {
                        1 => {}
                        0 => blocks[k][..n].fill(x[at[k]]),
                        step => {
                            for (b, &x) in blocks[k][..n]
                                .iter_mut()
                                .zip(x[at[k]..].iter().step_by(step))
                            {
                                *b = x;
                            }
                        }
                    },
                    Feed::Scalar(_) => {}
                }
            }
            let dense = core::array::from_fn(|k| match feeds[k] {
                Feed::Slice(x) if nest.inner_stride(k) == 1 => &x[at[k]..at[k] + n],
                _ => &blocks[k][..n],
            });
            if write == Write::Set {
                return op(o, dense);
            }
            let mut sum = [T::ZERO; BLOCK];
            op(&mut sum[..n], dense);
            for (o, &s) in o.iter_mut().zip(&sum) {
                *o = *o + s;
            }
        });
    });
}
