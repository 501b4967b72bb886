//! Runs a block operation over operands of any layout, with several outputs.
//!
//! An output is dense, or it is a sum over leading axes: the cotangent of an operand that was
//! broadcast is reduced in the same pass. Not generic in the operation: compiled once.

#![allow(
    clippy::needless_range_loop,
    reason = "several small arrays are walked by one index"
)]

use crate::device::{Dims, Float, Layout};
use crate::kernel::Src;
use crate::kernel::map::Arg;
use crate::kernel::nest::Nest;
use crate::kernel::reduce::{Add, row};
use crate::kernel::simd::vectorize;
use rayon::prelude::*;

/// Elements handled together.
pub const BLOCK: usize = 512;
/// Work, in units of one cheap element, from which it is divided.
const CUT: usize = 1 << 17;
/// The number of parts is limited where each has sums of its own.
const PARTS: usize = 8;

/// Where a result goes.
pub enum Output<'a, T> {
    /// One element for each of the output's.
    Dense(&'a mut [T]),
    /// Summed over the leading axes that it lacks.
    Sum(&'a mut [T], Dims),
}

/// `op(inputs, outputs)` on blocks of equal length.
pub type BlockOp<'f, T> = &'f (dyn Fn(&[&[T]], &mut [&mut [T]]) + Sync);

/// Runs `op` over all elements of `dims`. An input that is the output is what the first dense output holds.
///
/// # Panics
/// With more than 16 inputs and outputs.
pub fn run<T: Float>(
    dims: &[usize],
    inputs: &[Src<'_, T>],
    outputs: &mut [Output<'_, T>],
    cost: usize,
    op: BlockOp<'_, T>,
) {
    match inputs.len() + outputs.len() {
        0..=4 => walk::<T, 4>(dims, inputs, outputs, cost, op),
        5..=8 => walk::<T, 8>(dims, inputs, outputs, cost, op),
        9..=16 => walk::<T, 16>(dims, inputs, outputs, cost, op),
        n => panic!("a region of {n} inputs and outputs"),
    }
}

/// What one part of the work writes.
enum Piece<'a, T> {
    Dense(&'a mut [T]),
    /// A sum of the part's own.
    Own(Vec<T>),
    Sum(&'a mut [T]),
}

fn walk<T: Float, const K: usize>(
    dims: &[usize],
    inputs: &[Src<'_, T>],
    outputs: &mut [Output<'_, T>],
    cost: usize,
    op: BlockOp<'_, T>,
) {
    let scalar = Layout::dense(Dims::SCALAR).expand(&dims.into());
    let mut layouts = [scalar; K];
    for (layout, input) in layouts.iter_mut().zip(inputs) {
        if let Src::Arg(Arg::View(_, l)) = input {
            *layout = *l;
        }
    }
    let mut sums = false;
    for (layout, output) in layouts[inputs.len()..].iter_mut().zip(&mut *outputs) {
        if let Output::Sum(to, shape) = output {
            *layout = Layout::dense(*shape).expand(&dims.into());
            to.fill(T::ZERO);
            sums = true;
        }
    }
    let nest = Nest::<K>::new(dims, layouts.each_ref());
    let total: usize = dims.iter().product();
    // The division does not depend on the number of threads, so neither do sums.
    let part = match total * cost >= CUT {
        true => {
            (CUT / 4 / cost)
                .clamp(BLOCK, 1 << 14)
                .max(if sums { total.div_ceil(PARTS) } else { 0 })
        }
        false => total,
    };
    let count = total.div_ceil(part.max(1));
    if count <= 1 {
        let mut pieces: Vec<_> = outputs
            .iter_mut()
            .map(|o| match o {
                Output::Dense(o) => Piece::Dense(o),
                Output::Sum(o, _) => Piece::Sum(o),
            })
            .collect();
        return piece(&nest, inputs, 0, total, &mut pieces, op);
    }
    let mut tasks: Vec<Vec<Piece<'_, T>>> = (0..count)
        .map(|_| Vec::with_capacity(outputs.len()))
        .collect();
    for output in &mut *outputs {
        match output {
            Output::Dense(o) => {
                for (task, o) in tasks.iter_mut().zip(o.chunks_mut(part)) {
                    task.push(Piece::Dense(o));
                }
            }
            Output::Sum(o, _) => {
                for task in &mut tasks {
                    task.push(Piece::Own(vec![T::ZERO; o.len()]));
                }
            }
        }
    }
    let each = |(i, pieces): (usize, &mut Vec<Piece<'_, T>>)| {
        let start = i * part;
        piece(&nest, inputs, start, (start + part).min(total), pieces, op);
    };
    if rayon::current_num_threads() > 1 {
        tasks.par_iter_mut().enumerate().for_each(each);
    } else {
        tasks.iter_mut().enumerate().for_each(each);
    }
    let own: Vec<Vec<Vec<T>>> = tasks
        .into_iter()
        .map(|task| {
            let own = task.into_iter().map(|p| match p {
                Piece::Own(sum) => sum,
                _ => Vec::new(),
            });
            own.collect()
        })
        .collect();
    for (k, output) in outputs.iter_mut().enumerate() {
        if let Output::Sum(to, _) = output {
            for task in &own {
                add(to, &task[k]);
            }
        }
    }
}

/// The part `start..end`.
fn piece<T: Float, const K: usize>(
    nest: &Nest<K>,
    inputs: &[Src<'_, T>],
    start: usize,
    end: usize,
    pieces: &mut [Piece<'_, T>],
    op: BlockOp<'_, T>,
) {
    let (ni, no) = (inputs.len(), pieces.len());
    // Room for what is neither dense nor in place, once for all blocks.
    let limit = (end - start).min(BLOCK);
    let mut scratch = vec![T::ZERO; K * limit];
    let mut slots = scratch.chunks_mut(limit.max(1));
    let mut blocks: [&mut [T]; K] = core::array::from_fn(|_| slots.next().unwrap_or_default());
    for (k, input) in inputs.iter().enumerate() {
        if let Src::Arg(Arg::Scalar(s)) = input {
            blocks[k].fill(*s);
        }
    }
    nest.runs(start, end, limit, |pos, at, n| {
        let (feeds, rooms) = blocks.split_at_mut(ni);
        for (k, input) in inputs.iter().enumerate() {
            let x = match input {
                Src::Arg(Arg::View(x, _)) => x,
                Src::Arg(Arg::Scalar(_)) => continue,
                Src::Output => {
                    let held = pieces.iter().find_map(|p| match p {
                        Piece::Dense(o) => Some(&o[pos - start..][..n]),
                        _ => None,
                    });
                    feeds[k][..n].copy_from_slice(held.expect("a dense output"));
                    continue;
                }
            };
            match nest.inner_stride(k) {
                1 => {}
                0 => feeds[k][..n].fill(x[at[k]]),
                step => {
                    let from = x[at[k]..].iter().step_by(step);
                    feeds[k][..n]
                        .iter_mut()
                        .zip(from)
                        .for_each(|(b, &x)| *b = x);
                }
            }
        }
        let ins: [&[T]; K] = core::array::from_fn(|k| match inputs.get(k) {
            Some(Src::Arg(Arg::View(x, _))) if nest.inner_stride(k) == 1 => &x[at[k]..at[k] + n],
            Some(_) => &feeds[k][..n],
            None => &[],
        });
        {
            let mut rooms = rooms.iter_mut();
            let mut each = pieces.iter_mut();
            let mut outs: [&mut [T]; K] = core::array::from_fn(|_| {
                let room = rooms.next();
                match (each.next(), room) {
                    (Some(Piece::Dense(o)), _) => &mut o[pos - start..][..n],
                    (Some(_), Some(room)) => &mut room[..n],
                    _ => &mut [],
                }
            });
            op(&ins[..ni], &mut outs[..no]);
        }
        for (k, p) in pieces.iter_mut().enumerate() {
            let to: &mut [T] = match p {
                Piece::Dense(_) => continue,
                Piece::Own(to) => to,
                Piece::Sum(to) => to,
            };
            let (at, part) = (at[ni + k], &rooms[k][..n]);
            match nest.inner_stride(ni + k) {
                1 => add(&mut to[at..at + n], part),
                0 => {
                    let sum = vectorize(
                        #[inline(always)]
                        || row::<T, Add>(part, |x| x),
                    );
                    to[at] = to[at] + sum;
                }
                step => {
                    for (i, &x) in part.iter().enumerate() {
                        let to = &mut to[at + i * step];
                        *to = *to + x;
                    }
                }
            }
        }
    });
}

fn add<T: Float>(to: &mut [T], x: &[T]) {
    vectorize(
        #[inline(always)]
        || to.iter_mut().zip(x).for_each(|(to, &x)| *to = *to + x),
    );
}
