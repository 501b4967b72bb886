//! One part of a region's work, block by block.

#![allow(
    clippy::needless_range_loop,
    reason = "several small arrays are walked by one index"
)]

use super::block::LANES;
use super::ladder::Ladder;
use super::run::BlockOp;
use crate::device::Float;
use crate::kernel::Src;
use crate::kernel::map::Arg;
use crate::kernel::nest::Nest;
use crate::kernel::pool::Buffer;
use crate::kernel::reduce::{Add, row, same};
use crate::kernel::simd::vectorize;
use core::array::from_fn;

/// Elements of all rooms together, and of one at least and at most.
const ROOM: usize = 1 << 12;
const LEAST: usize = 512;
const MOST: usize = 1 << 11;
/// Elements that are summed before the sum is added to those of others.
const SUMMED: usize = 1 << 12;

/// What one part of the work writes.
pub(super) enum Piece<'a, T> {
    Dense(&'a mut [T]),
    /// A sum of the part's own.
    Own(Vec<T>),
    Sum(&'a mut [T]),
    /// Sums that no other part has a share in, and the place of the first among those of all parts.
    Rows(&'a mut [T], usize),
}

impl<T> Piece<'_, T> {
    /// The sums, and the place of the first among those of all parts.
    fn sums(&mut self) -> Option<(&mut [T], usize)> {
        match self {
            Piece::Dense(_) => None,
            Piece::Own(to) => Some((to, 0)),
            Piece::Sum(to) => Some((to, 0)),
            Piece::Rows(to, first) => Some((to, *first)),
        }
    }
}

/// The elements `start..end`.
pub(super) fn piece<T: Float, const K: usize>(
    nest: &Nest<K>,
    inputs: &[Src<'_, T>],
    start: usize,
    end: usize,
    pieces: &mut [Piece<'_, T>],
    op: BlockOp<'_, T>,
) {
    let (ni, no) = (inputs.len(), pieces.len());
    let is_sum = |k: usize| matches!(pieces.get(k), Some(p) if !matches!(p, Piece::Dense(_)));
    // What goes through a room of its own: all but dense operands, constants and sums of whole blocks.
    let through = |k: usize| match inputs.get(k) {
        Some(Src::Output) => true,
        Some(Src::Arg(Arg::View(..))) => nest.inner_stride(k) > 1,
        Some(Src::Arg(Arg::Scalar(_))) => false,
        None => is_sum(k - ni) && nest.inner_stride(k) != 0,
    };
    let count = (0..ni + no).filter(|&k| through(k)).count();
    let limit = match count {
        0 if (0..no).any(is_sum) => SUMMED,
        0 => usize::MAX,
        _ => (ROOM / count).clamp(LEAST, MOST),
    }
    .min(end - start);
    let mut scratch = Buffer::unspecified(count * limit);
    let mut slots = scratch.chunks_mut(limit.max(1));
    let mut rooms: [&mut [T]; K] = from_fn(|k| match through(k) {
        true => slots.next().unwrap_or_default(),
        false => &mut [],
    });
    // Constants, and sums that wait to be added up.
    let mut arrays = [[T::ONE; LANES]; K];
    for (k, input) in inputs.iter().enumerate() {
        if let Src::Arg(Arg::Scalar(s)) = input {
            arrays[k].fill(*s);
        }
    }
    let mut tails = [[T::ONE; LANES]; K];
    let mut ladders: [Option<Ladder<T>>; K] = from_fn(|k| {
        let (to, _) = pieces.get_mut(k)?.sums()?;
        Ladder::of(to, end - start)
    });
    nest.runs(start, end, limit, |pos, at, n| {
        let held = pieces.iter().find_map(|p| match p {
            Piece::Dense(o) => Some(&o[pos - start..][..n]),
            _ => None,
        });
        for (k, input) in inputs.iter().enumerate() {
            let step = nest.inner_stride(k);
            match input {
                Src::Arg(Arg::Scalar(_)) => {}
                Src::Arg(Arg::View(x, _)) => gather(&x[at[k]..], step, rooms[k], &mut arrays[k], n),
                Src::Output => rooms[k][..n].copy_from_slice(held.expect("a dense output")),
            }
        }
        let (feeds, results) = rooms.split_at_mut(ni);
        let (constants, sums) = arrays.split_at_mut(ni);
        let ins: [&[T]; K] = from_fn(|k| match inputs.get(k) {
            Some(Src::Arg(Arg::View(x, _))) if nest.inner_stride(k) == 1 => &x[at[k]..at[k] + n],
            Some(_) if feeds[k].is_empty() => &constants[k][..],
            Some(_) => &feeds[k][..n],
            None => &[],
        });
        let mut owned = pieces.iter_mut().zip(&mut *results).zip(&mut *sums);
        let mut outs: [&mut [T]; K] = from_fn(|_| match owned.next() {
            Some(((Piece::Dense(o), _), _)) => &mut o[pos - start..][..n],
            Some(((_, room), _)) if !room.is_empty() => &mut room[..n],
            Some((_, sum)) => {
                sum.fill(T::ZERO);
                &mut sum[..]
            }
            None => &mut [],
        });
        whole(n, &ins[..ni], &mut outs[..no], &mut tails, op);
        for (k, p) in pieces.iter_mut().enumerate() {
            let Some((to, first)) = p.sums() else {
                continue;
            };
            let at = at[ni + k] - first;
            let step = nest.inner_stride(ni + k);
            let to = match &mut ladders[k] {
                Some(ladder) => ladder.step(to, if step == 0 { 1 } else { n }),
                None => to,
            };
            scatter(&mut to[at..], step, results[k], &sums[k], n);
        }
    });
    for (p, ladder) in pieces.iter_mut().zip(ladders) {
        if let (Some((to, _)), Some(ladder)) = (p.sums(), ladder) {
            ladder.end(to);
        }
    }
}

/// `n` elements that do not stand next to each other, side by side in the room; one that is repeated, as a constant.
fn gather<T: Float>(x: &[T], step: usize, room: &mut [T], constant: &mut [T; LANES], n: usize) {
    match step {
        0 => constant.fill(x[0]),
        1 => {}
        _ => {
            let room = room[..n].iter_mut();
            room.zip(x.iter().step_by(step)).for_each(|(b, &x)| *b = x);
        }
    }
}

/// Adds `n` results to sums: those of a whole block are added up already, lane by lane.
fn scatter<T: Float>(to: &mut [T], step: usize, room: &[T], lanes: &[T; LANES], n: usize) {
    match step {
        0 => {
            let sum = vectorize::<T, _>(
                #[inline(always)]
                || row::<T, Add>(lanes, same),
            );
            to[0] = to[0] + sum;
        }
        1 => add(&mut to[..n], &room[..n]),
        _ => {
            let to = to.iter_mut().step_by(step);
            to.zip(&room[..n]).for_each(|(to, &x)| *to = *to + x);
        }
    }
}

/// `op` on `n` elements: what is more than a number of whole arrays goes through `tails`, one for each block.
fn whole<T: Float, const K: usize>(
    n: usize,
    ins: &[&[T]],
    outs: &mut [&mut [T]],
    tails: &mut [[T; LANES]; K],
    op: BlockOp<'_, T>,
) {
    let full = n / LANES * LANES;
    if full == n {
        return op(n, ins, outs);
    }
    let (ni, no) = (ins.len(), outs.len());
    if full > 0 {
        let x: [&[T]; K] = from_fn(|k| match ins.get(k) {
            Some(x) if x.len() == n => &x[..full],
            Some(constant) => constant,
            None => &[],
        });
        let mut each = outs.iter_mut();
        let mut y: [&mut [T]; K] = from_fn(|_| match each.next() {
            Some(y) if y.len() == n => &mut y[..full],
            Some(sum) => sum,
            None => &mut [],
        });
        op(full, &x[..ni], &mut y[..no]);
    }
    let rest = n - full;
    let (x, y) = tails.split_at_mut(ni);
    for (x, from) in x.iter_mut().zip(ins) {
        match from.len() == n {
            true => x[..rest].copy_from_slice(&from[full..]),
            false => x.copy_from_slice(from),
        }
    }
    let x: [&[T]; K] = from_fn(|k| x.get(k).map_or(&[][..], |x| &x[..]));
    let mut each = y.iter_mut();
    let mut to: [&mut [T]; K] = from_fn(|_| each.next().map_or(&mut [][..], |y| &mut y[..]));
    op(LANES, &x[..ni], &mut to[..no]);
    for (to, y) in outs.iter_mut().zip(y) {
        match to.len() == n {
            true => to[full..].copy_from_slice(&y[..rest]),
            false => add(&mut to[..rest], &y[..rest]),
        }
    }
}

/// `to ← to + x`.
pub(super) fn add<T: Float>(to: &mut [T], x: &[T]) {
    vectorize::<T, _>(
        #[inline(always)]
        || to.iter_mut().zip(x).for_each(|(to, &x)| *to = *to + x),
    );
}
