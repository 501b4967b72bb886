//! Entries that integers name.

use super::elementwise::sum;
use super::view::{View, arranged};
use crate::import::fault::Fault;
use crate::import::tape::Tape;
use crate::import::value::{Array, Entry, Number, Storage, sizes};
use autodiff_core::device::{CompareOp, Dims, IndexError, IntegerOp};
use autodiff_core::tensor::Raw;

/// What the forward pass accepted.
fn accepted<R>(result: Result<R, IndexError>) -> R {
    result.unwrap_or_else(|e| panic!("the forward pass accepted this index: {e}"))
}

/// Positions, where negative ones count from the end of `n` entries.
pub fn positions(index: &Array<i64>, n: usize) -> Array<i64> {
    let raw = &index.raw;
    let number = |x: i64| Raw::scalar(raw.device(), x);
    if index.known && raw.read(|x| x.iter().all(|&i| i >= 0)) {
        return index.clone();
    }
    let negative = Raw::compare(CompareOp::Lt, raw, &number(0));
    let moved = Raw::integer(IntegerOp::Add, raw, &number(n as i64));
    Array::plain(Raw::select(&negative, &moved, raw), index.known)
}

/// Sizes with those of the index in place of `axis`.
fn gathered(x: &Dims, axis: usize, index: &Dims) -> Result<Dims, Fault> {
    let all: Vec<usize> = [&x[..axis], &index[..], &x[axis + 1..]].concat();
    sizes(&all)
}

/// The entries `index` along `axis`, which is replaced by the axes of the index: of whole numbers or truth values.
pub fn pick<T: Entry>(x: &Array<T>, axis: usize, index: &Array<i64>) -> Result<Array<T>, Fault> {
    let dims = gathered(x.dims(), axis, index.dims())?;
    let flat = positions(index, x.dims()[axis])
        .raw
        .reshape([index.dims().numel()]);
    let raw = x.raw.select_axis(axis, &flat)?.into_reshaped(dims);
    Ok(Array::plain(raw, x.known && index.known))
}

/// The same of floats.
pub fn gather<T: Number>(
    tape: &Tape,
    x: &Array<T>,
    axis: usize,
    index: &Array<i64>,
) -> Result<Array<T>, Fault> {
    if x.slot.is_none() {
        return pick(x, axis, index);
    }
    let (from, dims) = (*x.dims(), gathered(x.dims(), axis, index.dims())?);
    let flat = positions(index, from[axis])
        .raw
        .reshape([index.dims().numel()]);
    let made = x.raw.select_axis(axis, &flat)?.into_reshaped(dims);
    let again = flat.clone();
    let rows = from.with(axis, flat.numel());
    Ok(tape.map(
        made,
        x,
        move |ct| {
            let mut out = Raw::zeros(ct.device(), from);
            accepted(out.add_axis(axis, &flat, &ct.reshape(rows)));
            out
        },
        move |t| accepted(t.select_axis(axis, &again)).into_reshaped(dims),
    ))
}

/// Whether an index fits a tensor beside an axis: not larger along any other.
fn fits_beside(x: &Dims, axis: usize, index: &Dims) -> Result<(), Fault> {
    let fits = x.rank() == index.rank() && (0..x.rank()).all(|i| i == axis || index[i] <= x[i]);
    match fits {
        true => Ok(()),
        false => Err(Fault::sizes(format!(
            "an index of sizes {index:?} along axis {axis} of a tensor of sizes {x:?}"
        ))),
    }
}

/// The part of a tensor that an index of these sizes can name: all along `axis`, the first entries along the others.
fn beside(x: &Dims, axis: usize, index: &Dims) -> Vec<View> {
    (0..x.rank())
        .filter(|&i| i != axis && index[i] != x[i])
        .map(|i| View::Narrow {
            axis: i,
            start: 0,
            len: index[i],
        })
        .collect()
}

/// Along `axis`, one entry for each of `index`: of whole numbers or truth values.
pub fn pick_along<T: Entry>(
    x: &Array<T>,
    axis: usize,
    index: &Array<i64>,
) -> Result<Array<T>, Fault> {
    fits_beside(x.dims(), axis, index.dims())?;
    let views = beside(x.dims(), axis, index.dims());
    let part = views.iter().fold(x.clone(), |x, v| arranged(&x, v));
    let at = positions(index, x.dims()[axis]);
    let raw = part.raw.take_along(axis, &at.raw)?;
    Ok(Array::plain(raw, x.known && index.known))
}

/// The same of floats.
pub fn take_along<T: Number>(
    tape: &Tape,
    x: &Array<T>,
    axis: usize,
    index: &Array<i64>,
) -> Result<Array<T>, Fault> {
    fits_beside(x.dims(), axis, index.dims())?;
    let views = beside(x.dims(), axis, index.dims());
    let part = views
        .into_iter()
        .fold(x.clone(), |x, v| super::view::view(tape, &x, v));
    let at = positions(index, x.dims()[axis]).raw;
    let (from, again) = (*part.dims(), at.clone());
    let made = part.raw.take_along(axis, &at)?;
    let known = x.known && index.known;
    if part.slot.is_none() {
        return Ok(Array::plain(made, known));
    }
    Ok(tape.map(
        made,
        &part,
        move |ct| {
            let mut out = Raw::zeros(ct.device(), from);
            accepted(out.add_along(axis, &at, ct));
            out
        },
        move |t| accepted(t.take_along(axis, &again)),
    ))
}

/// What happens to an entry that something is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scatter {
    /// It is replaced; of several, the last stays.
    Set,
    /// It is added to.
    Add,
}

/// `x` with `src` written where `index` says along `axis`: whole numbers or truth values.
pub fn put<T: Entry>(
    x: &Array<T>,
    axis: usize,
    index: &Array<i64>,
    src: &Array<T>,
) -> Result<Array<T>, Fault> {
    let at = positions(index, x.dims()[axis]);
    let mut raw = x.raw.clone();
    raw.put_along(axis, &at.raw, &src.raw)?;
    Ok(Array::plain(raw, x.known && index.known && src.known))
}

/// The same of floats. The other axes of `index` and `src` are those of `x`.
pub fn scatter<T: Number>(
    tape: &Tape,
    how: Scatter,
    x: &Array<T>,
    axis: usize,
    index: &Array<i64>,
    src: &Array<T>,
) -> Result<Array<T>, Fault> {
    let at = positions(index, x.dims()[axis]).raw;
    let write = move |out: &mut Storage<T>, at: &Storage<i64>, src: &Storage<T>| match how {
        Scatter::Set => out.put_along(axis, at, src),
        Scatter::Add => out.add_along(axis, at, src),
    };
    let mut made = x.raw.clone();
    write(&mut made, &at, &src.raw)?;
    let (again, from) = (at.clone(), *x.dims());
    let known = x.known && src.known && index.known;
    if x.slot.is_none() && src.slot.is_none() {
        return Ok(Array::plain(made, known));
    }
    Ok(tape.one(
        made,
        [x, src],
        move |ct, wanted| {
            let kept = wanted[0].then(|| {
                let mut kept = ct.clone();
                if how == Scatter::Set {
                    let zero = Raw::zeros(ct.device(), *at.dims());
                    accepted(kept.put_along(axis, &at, &zero));
                }
                kept
            });
            let picked = wanted[1].then(|| {
                let picked = accepted(ct.take_along(axis, &at));
                match how {
                    Scatter::Add => picked,
                    Scatter::Set => picked.keep_where(&last_of_each(axis, &at, ct.dims()), T::ZERO),
                }
            });
            [kept, picked]
        },
        move |[t, t_src]| {
            let device = again.device();
            let none = Raw::zeros(device, *again.dims());
            let mut out = match t {
                Some(t) => t.clone(),
                None => Raw::zeros(device, from),
            };
            accepted(write(&mut out, &again, t_src.unwrap_or(&none)));
            sum([Some(out)])
        },
    ))
}

/// Which entries of an index are the last that name their place in a tensor of sizes `dims`.
fn last_of_each(axis: usize, index: &Storage<i64>, dims: &Dims) -> Storage<bool> {
    // Each entry writes its number; whoever finds its own there came last.
    let numbers: Vec<i64> = (0..index.numel() as i64).collect();
    let numbers = Raw::from_slice(index.device(), *index.dims(), &numbers);
    let mut written = Raw::zeros(index.device(), *dims);
    accepted(written.put_along(axis, index, &numbers));
    let found = accepted(written.take_along(axis, index));
    Raw::compare(CompareOp::Eq, &found, &numbers)
}
