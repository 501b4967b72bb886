//! The same elements in another order, some of them, or each of them several times.

use crate::import::fault::Fault;
use crate::import::tape::Tape;
use crate::import::value::{Array, Entry, Number, Storage, Value, sizes};
use autodiff_core::device::{Device, Dims};
use autodiff_core::tensor::Raw;

/// How the elements are arranged; sizes are checked by who makes it.
#[derive(Clone, Debug)]
pub enum View {
    /// In another shape.
    Reshape(Dims),
    /// Axis `i` of the result is axis `order[i]`.
    Permute(Vec<usize>),
    /// Repeated along missing leading axes and axes of size 1.
    Expand(Dims),
    /// Entries `start .. start + len` along `axis`.
    Narrow {
        axis: usize,
        start: usize,
        len: usize,
    },
    /// The entries `index` along `axis`.
    Pick { axis: usize, index: Vec<i64> },
    /// Surrounded by a number: entries before and behind, for each axis.
    Pad {
        before: Vec<usize>,
        behind: Vec<usize>,
        value: f64,
    },
    /// A triangle of each matrix, zero elsewhere.
    Triangle { upper: bool, k: isize },
    /// The entries of two axes with equal positions, along the first of them.
    Diagonal(usize, usize),
}

impl View {
    /// The elements so arranged.
    fn of<T: Entry>(&self, x: &Storage<T>) -> Storage<T> {
        match self {
            View::Reshape(dims) => x.reshape(*dims),
            View::Permute(order) => x.permute(order),
            View::Expand(dims) => x.expand(*dims),
            View::Narrow { axis, start, len } => x.slice(*axis, *start, *len),
            View::Pick { axis, index } => x.select_known(*axis, index),
            View::Pad {
                before,
                behind,
                value,
            } => {
                let all = x.dims().iter().zip(before.iter().zip(behind));
                let all: Vec<usize> = all.map(|(n, (b, e))| n + b + e).collect();
                let mut out = Raw::full(x.device(), &all[..], T::from_f64(*value));
                place(&mut out, x, before);
                out
            }
            View::Triangle { upper, k } => x.copied().triangle(*upper, *k),
            View::Diagonal(i, j) => x.diagonal(*i, *j),
        }
    }

    /// The transpose: the cotangent of what had the sizes `from`.
    fn back<T: Number>(&self, ct: &Storage<T>, from: &Dims) -> Storage<T> {
        match self {
            View::Reshape(_) => ct.reshape(*from),
            View::Permute(order) => {
                let mut inverse = vec![0; order.len()];
                for (i, &axis) in order.iter().enumerate() {
                    inverse[axis] = i;
                }
                ct.permute(&inverse)
            }
            View::Expand(_) => ct.clone().sum_to(from),
            View::Narrow { axis, start, len } => {
                Raw::placed(ct, *from, |l| l.slice(*axis, *start, *len))
            }
            View::Pick { axis, index } => {
                let mut out = Raw::zeros(ct.device(), *from);
                let index = Raw::from_slice(ct.device(), [index.len()], index);
                out.add_axis(*axis, &index, ct)
                    .unwrap_or_else(|e| panic!("the forward pass accepted this index: {e}"));
                out
            }
            View::Pad { before, .. } => {
                let parts = before.iter().enumerate();
                parts.fold(ct.clone(), |ct, (axis, &start)| {
                    ct.slice(axis, start, from[axis])
                })
            }
            View::Triangle { upper, k } => ct.copied().triangle(*upper, *k),
            View::Diagonal(i, j) => Raw::placed(ct, *from, |l| l.diagonal(*i, *j)),
        }
    }

    /// That of a tangent: what is put around it is zero.
    fn tangent(&self) -> View {
        match self.clone() {
            View::Pad { before, behind, .. } => View::Pad {
                before,
                behind,
                value: 0.0,
            },
            view => view,
        }
    }
}

/// Writes `x` into `out`, from `start` on.
fn place<T: Entry>(out: &mut Storage<T>, x: &Storage<T>, start: &[usize]) {
    let device: Device = out.device().clone();
    let mut view = out.view_mut();
    for (axis, &start) in start.iter().enumerate() {
        view.layout = view.layout.slice(axis, start, x.dims()[axis]);
    }
    autodiff_core::device::Backend::copy(&device, x.view(), view);
}

/// Arranges whole numbers or truth values.
pub fn arranged<T: Entry>(x: &Array<T>, view: &View) -> Array<T> {
    Array::plain(view.of(&x.raw), x.known)
}

/// Arranges floats.
pub fn view<T: Number>(tape: &Tape, x: &Array<T>, view: View) -> Array<T> {
    if x.slot.is_none() {
        return arranged(x, &view);
    }
    let (from, tangent) = (*x.dims(), view.tangent());
    tape.map(
        view.of(&x.raw),
        x,
        move |ct| view.back(ct, &from),
        move |t| tangent.of(t),
    )
}

/// Arranges the elements of any value.
pub fn value(tape: &Tape, x: &Value, how: View) -> Value {
    match x {
        Value::F32(x) => Value::F32(view(tape, x, how)),
        Value::F64(x) => Value::F64(view(tape, x, how)),
        Value::I64(x) => Value::I64(arranged(x, &how)),
        Value::Bool(x) => Value::Bool(arranged(x, &how)),
    }
}

/// In another shape.
///
/// # Errors
/// If that has another number of elements.
pub fn reshaped(tape: &Tape, x: &Value, dims: &[usize]) -> Result<Value, Fault> {
    let (dims, from) = (sizes(dims)?, x.dims());
    if dims.numel() != from.numel() {
        return Err(Fault::sizes(format!(
            "the sizes {from:?} do not reshape to {dims:?}"
        )));
    }
    Ok(value(tape, x, View::Reshape(dims)))
}

/// Reshapes floats to sizes of as many elements.
pub fn reshape<T: Number>(tape: &Tape, x: &Array<T>, dims: &[usize]) -> Array<T> {
    view(tape, x, View::Reshape(Dims::new(dims)))
}

/// The sizes of arrays that are joined along `axis`.
fn joined(dims: &[Dims], axis: usize) -> Result<Dims, Fault> {
    let first = dims.first().ok_or(Fault::Missing { input: 0 })?;
    let fits = |d: &&Dims| d.rank() == first.rank() && d.with(axis, 0) == first.with(axis, 0);
    if let Some(other) = dims.iter().find(|d| !fits(d)) {
        return Err(Fault::sizes(format!(
            "the sizes {first:?} and {other:?} do not concatenate along axis {axis}"
        )));
    }
    let total = dims
        .iter()
        .try_fold(0usize, |n, d| n.checked_add(d[axis]))
        .ok_or_else(|| Fault::sizes("the sizes do not add up"))?;
    sizes(&first.with(axis, total))
}

/// Whole numbers or truth values joined along `axis`.
pub fn join<T: Entry>(parts: &[Array<T>], axis: usize) -> Result<Array<T>, Fault> {
    let dims: Vec<Dims> = parts.iter().map(|x| *x.dims()).collect();
    joined(&dims, axis)?;
    let raws: Vec<&Storage<T>> = parts.iter().map(|x| &x.raw).collect();
    let known = parts.iter().all(|x| x.known);
    Ok(Array::plain(Raw::concat(axis, &raws), known))
}

/// Floats joined along `axis`: the sum of the parts, each in its place.
pub fn concat<T: Number>(tape: &Tape, parts: &[Array<T>], axis: usize) -> Result<Array<T>, Fault> {
    if parts.iter().all(|x| x.slot.is_none()) {
        return join(parts, axis);
    }
    // One step for each part: it writes its part into what the steps before made.
    let dims: Vec<Dims> = parts.iter().map(|x| *x.dims()).collect();
    let all = joined(&dims, axis)?;
    let device = parts[0].raw.device();
    let mut out = Array::plain(Raw::<T, Device>::zeros(device, all), false);
    let mut start = 0;
    for part in parts {
        let len = part.dims()[axis];
        let mut made = core::mem::replace(&mut out.raw, Raw::unspecified(device, [0]));
        made.assign_slice(axis, start, &part.raw);
        let from = start;
        out = tape.one(
            made,
            [&out, part],
            move |ct, wanted| {
                let part = wanted[1].then(|| ct.slice(axis, from, len));
                // Of the rest the parts before read their own places alone.
                let rest = wanted[0].then(|| ct.clone());
                [rest, part]
            },
            move |[rest, part]| {
                let part = part.map(|t| Raw::placed(t, all, |l| l.slice(axis, from, len)));
                super::elementwise::sum([rest.cloned(), part])
            },
        );
        start += len;
    }
    Ok(out)
}
