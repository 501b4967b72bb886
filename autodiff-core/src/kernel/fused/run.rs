//! Runs a block operation over operands of any layout, with several outputs.
//!
//! An output is dense, or it is a sum over leading axes: the cotangent of an operand that was
//! broadcast is reduced in the same pass. Not generic in the operation: compiled once.

use super::piece::{Piece, add, piece};
use crate::device::{Dims, Float, Layout};
use crate::kernel::Src;
use crate::kernel::map::Arg;
use crate::kernel::nest::Nest;
use crate::kernel::par;

/// Elements of a part at least.
const LEAST: usize = 512;
/// Work, in units of one cheap element, from which it is divided.
const CUT: usize = 1 << 17;
/// The number of parts is limited where each has sums of its own.
const PARTS: usize = 8;

/// Where a result goes.
pub enum Output<'a, T> {
    /// One element for each of the output's.
    Dense(&'a mut [T]),
    /// Summed: the layout, of the sizes of all elements, has stride 0 along the axes that are summed over.
    Sum(&'a mut [T], Layout),
}

/// `op(n, inputs, outputs)` on blocks of `n` elements, a multiple of [`LANES`](super::block::LANES). Where an input has
/// that many elements and no more it is repeated; an output of so many has all of its arrays added to it.
pub type BlockOp<'f, T> = &'f (dyn Fn(usize, &[&[T]], &mut [&mut [T]]) + Sync);

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

fn walk<T: Float, const K: usize>(
    dims: &[usize],
    inputs: &[Src<'_, T>],
    outputs: &mut [Output<'_, T>],
    cost: usize,
    op: BlockOp<'_, T>,
) {
    let mut sums = false;
    for output in &mut *outputs {
        if let Output::Sum(to, _) = output {
            to.fill(T::ZERO);
            sums = true;
        }
    }
    let nest: Nest<K> = line(dims, inputs, outputs).unwrap_or_else(|| loops(dims, inputs, outputs));
    let total: usize = dims.iter().product();
    // The division does not depend on the number of threads, so neither do sums.
    let size = (CUT / 4 / cost).clamp(LEAST, 1 << 14);
    // Elements that are summed among themselves, if no others are summed with them.
    let apart = match outputs {
        [Output::Sum(_, layout)] => total / rows(dims, layout).max(1),
        _ => total,
    };
    let part = match total * cost >= CUT {
        true if apart < total => (size / apart).max(1) * apart,
        true if sums => size.max(total.div_ceil(own_sums(total, outputs))),
        true => size,
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
            Output::Sum(o, _) if apart == total => {
                let len = o.len();
                for task in &mut tasks {
                    task.push(Piece::Own(vec![T::ZERO; len]));
                }
            }
            Output::Sum(o, _) => {
                let chunk = part / apart * (o.len() * apart / total);
                for (i, (task, o)) in tasks.iter_mut().zip(o.chunks_mut(chunk)).enumerate() {
                    task.push(Piece::Rows(o, i * chunk));
                }
            }
        }
    }
    let each = |(i, pieces): (usize, &mut Vec<Piece<'_, T>>)| {
        let start = i * part;
        piece(&nest, inputs, start, (start + part).min(total), pieces, op);
    };
    if rayon::current_num_threads() > 1 {
        par::each(tasks.iter_mut().enumerate(), each);
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

/// How many parts are to have sums of their own: few, where these are large beside what is summed.
fn own_sums<T>(total: usize, outputs: &[Output<'_, T>]) -> usize {
    let largest = outputs.iter().map(|o| match o {
        Output::Dense(_) => 0,
        Output::Sum(to, _) => to.len(),
    });
    let largest = largest.max().unwrap_or(0);
    (total / (16 * largest.max(1))).clamp(1, PARTS)
}

/// How many leading entries a summed output has of its own: those of the axes before the first that is summed over.
fn rows(dims: &[usize], layout: &Layout) -> usize {
    let axes = dims.iter().zip(layout.strides());
    let own = axes.take_while(|(n, step)| **n == 1 || **step != 0);
    own.map(|(n, _)| n).product()
}

/// One loop, if inputs and outputs are dense or of one element: the usual case, told quickly.
fn line<T: Float, const K: usize>(
    dims: &[usize],
    inputs: &[Src<'_, T>],
    outputs: &[Output<'_, T>],
) -> Option<Nest<K>> {
    let mut steps = [(0, 0); K];
    for (step, input) in steps.iter_mut().zip(inputs) {
        match input {
            Src::Arg(Arg::View(_, l)) if l.is_contiguous() => *step = (l.offset(), 1),
            Src::Arg(Arg::View(..)) => return None,
            Src::Arg(Arg::Scalar(_)) | Src::Output => {}
        }
    }
    let dense = outputs.iter().all(|o| match o {
        Output::Dense(_) => true,
        Output::Sum(to, _) => to.len() == 1,
    });
    dense.then(|| Nest::line(dims.iter().product(), steps))
}

/// The loops over operands of any layout.
fn loops<T: Float, const K: usize>(
    dims: &[usize],
    inputs: &[Src<'_, T>],
    outputs: &[Output<'_, T>],
) -> Nest<K> {
    let scalar = Layout::dense(Dims::SCALAR).expand(&dims.into());
    let mut layouts = [scalar; K];
    for (layout, input) in layouts.iter_mut().zip(inputs) {
        if let Src::Arg(Arg::View(_, l)) = input {
            *layout = *l;
        }
    }
    for (layout, output) in layouts[inputs.len()..].iter_mut().zip(outputs) {
        if let Output::Sum(_, l) = output {
            *layout = *l;
        }
    }
    Nest::new(dims, layouts.each_ref())
}
