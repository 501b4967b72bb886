//! Sizes, and the same elements in another shape.

use super::{Call, Results, array, one, size};
use crate::import::fault::Fault;
use crate::import::rules::view::{self, View, reshaped};
use crate::import::value::{Array, Value, axis, sizes};
use autodiff_core::device::{Device, Dims, MAX_RANK};
use autodiff_core::tensor::Raw;

/// The sizes of a tensor, which the host knows on every device.
pub fn shape(call: &mut Call<'_>) -> Results {
    let dims = call.dims(0)?;
    let rank = dims.rank() as i64;
    let end = |name, default| {
        let at = call.attributes.int(name, default);
        let at = if at < 0 { at.saturating_add(rank) } else { at };
        at.clamp(0, rank) as usize
    };
    let (start, end) = (end("start", 0), end("end", rank));
    let all: Vec<i64> = dims.iter().map(|&n| n as i64).collect();
    let part = all.get(start..end).unwrap_or(&[]);
    array(Array::host(&[part.len()], part)?)
}

/// The number of elements.
pub fn count(call: &mut Call<'_>) -> Results {
    array(Array::host(&[], &[call.dims(0)?.numel() as i64])?)
}

pub fn identity(call: &mut Call<'_>) -> Results {
    one(call.take(0)?)
}

/// In inference nothing is dropped.
pub fn dropout(call: &mut Call<'_>) -> Results {
    if call.has(2) && call.number(2)? != 0.0 {
        return Err(Fault::unsupported(
            "dropout with `training_mode`",
            "export the model after `model.eval()`",
        ));
    }
    let x = call.take(0)?;
    let mut out = vec![x];
    if call.outputs > 1 {
        let kept = Array::host(&[], &[true])?.raw.expand(*out[0].dims());
        out.push(Value::Bool(Array::known(kept)));
    }
    Ok(out)
}

pub fn reshape(call: &mut Call<'_>) -> Results {
    let wanted = call.integers(1)?;
    let x = call.operand(0)?;
    let from = *x.dims();
    let copies_zero = !call.attributes.is_on("allowzero");
    let unfit = || Fault::sizes(format!("the sizes {from:?} do not reshape to {wanted:?}"));
    let mut dims = Vec::with_capacity(wanted.len());
    for (i, &n) in wanted.iter().enumerate() {
        dims.push(match n {
            0 if copies_zero => from.get(i).copied().ok_or_else(unfit)?,
            -1 => 1,
            n => size(n).map_err(|_| unfit())?,
        });
    }
    let mut free = wanted.iter().enumerate().filter(|(_, n)| **n == -1);
    if let Some((i, _)) = free.next() {
        sizes(&dims)?;
        // Axes that are copied are on both sides, so that an empty one does not hide the others.
        let others = |dims: &[usize]| -> usize {
            let is_copied = |i: usize| copies_zero && wanted.get(i) == Some(&0);
            let all = dims.iter().enumerate();
            all.filter(|(i, _)| !is_copied(*i))
                .map(|(_, n)| n)
                .product()
        };
        let (all, rest) = (others(&from), others(&dims));
        if free.next().is_some() || rest == 0 || !all.is_multiple_of(rest) {
            return Err(unfit());
        }
        dims[i] = all / rest;
    }
    one(reshaped(call.tape, &x, &dims)?)
}

pub fn flatten(call: &mut Call<'_>) -> Results {
    let x = call.operand(0)?;
    let dims = *x.dims();
    let at = match call.attributes.int("axis", 1) {
        at if at == dims.rank() as i64 => dims.rank(),
        at => axis(at, dims.rank())?,
    };
    let rows = dims[..at].iter().product();
    let columns = dims[at..].iter().product();
    one(reshaped(call.tape, &x, &[rows, columns])?)
}

/// Axes in ascending order, without repetitions.
pub fn axes_of(axes: &[i64], rank: usize) -> Result<Vec<usize>, Fault> {
    let all = axes.iter().map(|&a| axis(a, rank));
    let mut all: Vec<usize> = all.collect::<Result<_, _>>()?;
    all.sort_unstable();
    match all.windows(2).all(|w| w[0] != w[1]) {
        true => Ok(all),
        false => Err(Fault::sizes(format!("the axes {axes:?} name one twice"))),
    }
}

pub fn squeeze(call: &mut Call<'_>) -> Results {
    let axes = call.either("axes", 1)?;
    let x = call.operand(0)?;
    let dims = *x.dims();
    let gone = match axes {
        Some(axes) => axes_of(&axes, dims.rank())?,
        None => (0..dims.rank()).filter(|&i| dims[i] == 1).collect(),
    };
    if let Some(&i) = gone.iter().find(|&&i| dims[i] != 1) {
        return Err(Fault::sizes(format!(
            "axis {i} of the sizes {dims:?} is not 1"
        )));
    }
    let kept = crate::import::rules::reduce::without(&dims, &gone);
    one(reshaped(call.tape, &x, &kept)?)
}

pub fn unsqueeze(call: &mut Call<'_>) -> Results {
    let axes = call.either("axes", 1)?;
    let axes = call.attributes.needed("axes", axes)?;
    let x = call.operand(0)?;
    let rank = x.dims().rank() + axes.len();
    if rank > MAX_RANK {
        return Err(Fault::Rank { found: rank });
    }
    let new = axes_of(&axes, rank)?;
    let mut old = x.dims().iter();
    let dims = (0..rank).map(|i| match new.contains(&i) {
        true => 1,
        false => *old.next().expect("as many axes as there were"),
    });
    let dims: Vec<usize> = dims.collect();
    one(reshaped(call.tape, &x, &dims)?)
}

pub fn transpose(call: &mut Call<'_>) -> Results {
    let x = call.operand(0)?;
    let rank = x.dims().rank();
    let order: Vec<usize> = match call.attributes.integers("perm") {
        None => (0..rank).rev().collect(),
        Some(perm) => {
            let order = perm.iter().map(|&a| axis(a, rank));
            order.collect::<Result<_, _>>()?
        }
    };
    let mut seen = order.clone();
    seen.sort_unstable();
    if seen != (0..rank).collect::<Vec<_>>() {
        return Err(call.attributes.wrong(
            "perm",
            format!("is no order of the axes of the sizes {:?}", x.dims()),
        ));
    }
    one(view::value(call.tape, &x, View::Permute(order)))
}

/// The joint sizes of a tensor and a list of sizes.
pub fn expand(call: &mut Call<'_>) -> Results {
    let wanted = call.integers(1)?;
    let wanted: Vec<usize> = wanted.into_iter().map(size).collect::<Result<_, _>>()?;
    let x = call.operand(0)?;
    let dims = crate::import::rules::elementwise::joint(x.dims(), &sizes(&wanted)?)?;
    one(view::value(call.tape, &x, View::Expand(dims)))
}

/// Entries from `start` on, before `end`, `step` apart.
pub fn entries(
    call: &Call<'_>,
    x: &Value,
    at: usize,
    start: i64,
    end: i64,
    step: i64,
) -> Result<Value, Fault> {
    let n = x.dims()[at] as i64;
    if step == 0 {
        let what = "a slice with a step of 0".into();
        return Err(Fault::Number { what });
    }
    let from_end = |i: i64| if i < 0 { i.saturating_add(n) } else { i };
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    // Before the first entry it begins with that one, backwards too.
    let start = from_end(start).max(0).min(high);
    let end = from_end(end).clamp(low, high);
    if step == 1 {
        let len = (end - start).max(0) as usize;
        if len as i64 == n {
            return Ok(x.clone());
        }
        let start = if len == 0 { 0 } else { start as usize };
        return Ok(view::value(
            call.tape,
            x,
            View::Narrow {
                axis: at,
                start,
                len,
            },
        ));
    }
    let mut index = Vec::new();
    let mut i = start;
    while (step > 0 && i < end) || (step < 0 && i > end) {
        index.push(i);
        i = i.saturating_add(step);
    }
    Ok(view::value(call.tape, x, View::Pick { axis: at, index }))
}

pub fn slice(call: &mut Call<'_>) -> Results {
    let (starts, ends) = (call.integers(1)?, call.integers(2)?);
    let axes = match call.has(3) {
        true => call.integers(3)?,
        false => (0..starts.len() as i64).collect(),
    };
    let steps = match call.has(4) {
        true => call.integers(4)?,
        false => vec![1; starts.len()],
    };
    if [ends.len(), axes.len(), steps.len()] != [starts.len(); 3] {
        return Err(Fault::sizes(
            "`starts`, `ends`, `axes` and `steps` have different lengths",
        ));
    }
    let mut x = call.operand(0)?;
    axes_of(&axes, x.dims().rank())?;
    for i in 0..axes.len() {
        let at = axis(axes[i], x.dims().rank())?;
        x = entries(call, &x, at, starts[i], ends[i], steps[i])?;
    }
    one(x)
}

pub fn concat(call: &mut Call<'_>) -> Results {
    let at = call.attributes.integer("axis");
    let at = call.attributes.needed("axis", at)?;
    let at = axis(at, call.dims(0)?.rank())?;
    macro_rules! joined {
        ($join:expr) => {{
            let parts = (0..call.inputs.len()).map(|i| call.array(i));
            let parts: Vec<_> = parts.collect::<Result<_, _>>()?;
            array($join(&parts)?)
        }};
    }
    match call.inputs[0] {
        Some(Value::F32(_)) => joined!(|x: &Vec<Array<f32>>| view::concat(call.tape, x, at)),
        Some(Value::F64(_)) => joined!(|x: &Vec<Array<f64>>| view::concat(call.tape, x, at)),
        Some(Value::I64(_)) => joined!(|x: &Vec<Array<i64>>| view::join(x, at)),
        _ => joined!(|x: &Vec<Array<bool>>| view::join(x, at)),
    }
}

pub fn split(call: &mut Call<'_>) -> Results {
    let parts = call.either("split", 1)?;
    let x = call.operand(0)?;
    let at = axis(call.attributes.int("axis", 0), x.dims().rank())?;
    let n = x.dims()[at];
    let parts: Vec<usize> = match parts {
        Some(parts) => parts.into_iter().map(size).collect::<Result<_, _>>()?,
        None => {
            let count = call.attributes.int("num_outputs", call.declared as i64);
            let count = size(count)?.max(1);
            let each = n.div_ceil(count);
            (0..count)
                .map(|i| each.min(n.saturating_sub(i.saturating_mul(each))))
                .take(call.declared.max(1))
                .collect()
        }
    };
    let total = parts.iter().try_fold(0usize, |n, &p| n.checked_add(p));
    if total != Some(n) || parts.len() < call.outputs {
        return Err(Fault::sizes(format!(
            "parts of the sizes {parts:?} of an axis of {n}, for {} results",
            call.outputs
        )));
    }
    let mut start = 0;
    let mut out = Vec::with_capacity(parts.len());
    for len in parts {
        let how = View::Narrow {
            axis: at,
            start,
            len,
        };
        out.push(view::value(call.tape, &x, how));
        start += len;
    }
    Ok(out)
}

/// Repeated along each axis.
pub fn tile(call: &mut Call<'_>) -> Results {
    let repeats = call.integers(1)?;
    let mut x = call.operand(0)?;
    let rank = x.dims().rank();
    if repeats.len() != rank {
        return Err(Fault::sizes(format!(
            "{} repetitions for a tensor of {rank} axes",
            repeats.len()
        )));
    }
    for (at, &times) in repeats.iter().enumerate() {
        let times = size(times)?;
        let dims = x.dims().to_vec();
        if times == 1 {
            continue;
        }
        let before: usize = dims[..at].iter().product();
        let rest: usize = dims[at..].iter().product();
        let mut all = dims.clone();
        all[at] = dims[at]
            .checked_mul(times)
            .ok_or_else(|| Fault::sizes("too many"))?;
        sizes(&all)?;
        let flat = reshaped(call.tape, &x, &[before, 1, rest])?;
        let wide = View::Expand(Dims::new(&[before, times, rest]));
        x = reshaped(call.tape, &view::value(call.tape, &flat, wide), &all)?;
    }
    one(x)
}

/// Positions that continue an axis of `n` entries over its ends.
fn beyond(mode: &str, n: usize, before: i64, behind: i64) -> Result<Vec<i64>, Fault> {
    let n = n as i64;
    let fits = match mode {
        "reflect" => before < n && behind < n,
        _ => n > 0 || before + behind == 0,
    };
    if !fits {
        return Err(Fault::sizes(format!(
            "{before} and {behind} entries around an axis of {n} by `{mode}`"
        )));
    }
    Ok((-before..n + behind)
        .map(|i| match mode {
            "reflect" if i < 0 => -i,
            "reflect" if i >= n => 2 * (n - 1) - i,
            "wrap" => i.rem_euclid(n),
            _ => i.clamp(0, n - 1),
        })
        .collect())
}

pub fn pad(call: &mut Call<'_>) -> Results {
    let pads = call.integers(1)?;
    let value = match call.has(2) {
        true => call.number(2)?,
        false => 0.0,
    };
    let axes = match call.has(3) {
        true => Some(call.integers(3)?),
        false => None,
    };
    let mut x = call.operand(0)?;
    let rank = x.dims().rank();
    let axes: Vec<usize> = match axes {
        Some(axes) => {
            axes_of(&axes, rank)?;
            let all = axes.iter().map(|&a| axis(a, rank));
            all.collect::<Result<_, _>>()?
        }
        None => (0..rank).collect(),
    };
    if pads.len() != 2 * axes.len() {
        return Err(Fault::sizes(format!(
            "{} pads for {} axes",
            pads.len(),
            axes.len()
        )));
    }
    let mode = call.attributes.text("mode", "constant").to_owned();
    if !["constant", "reflect", "edge", "wrap"].contains(&&mode[..]) {
        return Err(call.attributes.wrong("mode", format!("is `{mode}`")));
    }
    let (mut before, mut behind) = (vec![0; rank], vec![0; rank]);
    for (i, &at) in axes.iter().enumerate() {
        let (b, e) = (pads[i], pads[i + axes.len()]);
        // Negative pads take entries away.
        let n = x.dims()[at] as i64;
        if b.min(0)
            .checked_add(e.min(0))
            .is_none_or(|less| n + less < 0)
        {
            return Err(Fault::sizes(format!(
                "the pads {b} and {e} for an axis of {n}"
            )));
        }
        if b < 0 || e < 0 {
            let less = View::Narrow {
                axis: at,
                start: (-b).max(0) as usize,
                len: (n + b.min(0) + e.min(0)) as usize,
            };
            x = view::value(call.tape, &x, less);
        }
        before[at] = b.max(0) as usize;
        behind[at] = e.max(0) as usize;
    }
    let all = x.dims().iter().zip(before.iter().zip(&behind));
    let all: Option<Vec<usize>> = all
        .map(|(n, (b, e))| n.checked_add(*b)?.checked_add(*e))
        .collect();
    let all = all.ok_or_else(|| Fault::sizes("pads larger than any tensor"))?;
    sizes(&all)?;
    if mode == "constant" {
        let how = View::Pad {
            before,
            behind,
            value,
        };
        return one(view::value(call.tape, &x, how));
    }
    for at in 0..rank {
        let (b, e) = (before[at] as i64, behind[at] as i64);
        if b + e > 0 {
            let index = beyond(&mode, x.dims()[at], b, e)?;
            x = view::value(call.tape, &x, View::Pick { axis: at, index });
        }
    }
    one(x)
}

/// Blocks of channels as blocks of pixels, and back.
fn blocks(call: &mut Call<'_>, to_space: bool) -> Results {
    let b = call.attributes.integer("blocksize");
    let b = size(call.attributes.needed("blocksize", b)?)?;
    let x = call.operand(0)?;
    let [n, c, h, w] = x.dims().as_slice()[..] else {
        return Err(Fault::sizes(format!(
            "the sizes {:?}, expected four",
            x.dims()
        )));
    };
    let area = b.checked_mul(b).filter(|b| *b > 0);
    let area = area.ok_or_else(|| call.attributes.wrong("blocksize", format!("is {b}")))?;
    let fits = match to_space {
        true => c.is_multiple_of(area),
        false => h.is_multiple_of(b) && w.is_multiple_of(b),
    };
    if !fits {
        return Err(Fault::sizes(format!(
            "blocks of {b} by {b} in the sizes {:?}",
            x.dims()
        )));
    }
    let mode = call.attributes.text("mode", "DCR");
    let (apart, order, dims): (_, [usize; 6], _) = match (to_space, mode) {
        (true, "DCR") => (
            [n, b, b, c / area, h, w],
            [0, 3, 4, 1, 5, 2],
            [n, c / area, h * b, w * b],
        ),
        (true, "CRD") => (
            [n, c / area, b, b, h, w],
            [0, 1, 4, 2, 5, 3],
            [n, c / area, h * b, w * b],
        ),
        (true, mode) => return Err(call.attributes.wrong("mode", format!("is `{mode}`"))),
        (false, _) => (
            [n, c, h / b, b, w / b, b],
            [0, 3, 5, 1, 2, 4],
            [n, c * area, h / b, w / b],
        ),
    };
    let x = reshaped(call.tape, &x, &apart)?;
    let x = view::value(call.tape, &x, View::Permute(order.to_vec()));
    one(reshaped(call.tape, &x, &dims)?)
}

pub fn depth_to_space(call: &mut Call<'_>) -> Results {
    blocks(call, true)
}

pub fn space_to_depth(call: &mut Call<'_>) -> Results {
    blocks(call, false)
}

/// The upper or lower triangle of each matrix.
pub fn trilu(call: &mut Call<'_>) -> Results {
    let k = match call.has(1) {
        true => call.integer(1)?,
        false => 0,
    };
    let x = call.operand(0)?;
    let rank = x.dims().rank();
    if rank < 2 {
        return Err(Fault::sizes(format!(
            "the sizes {:?}, expected matrices",
            x.dims()
        )));
    }
    // Beyond the corners the triangles stay as they are.
    let far = (x.dims()[rank - 2] + x.dims()[rank - 1]) as i64;
    let how = View::Triangle {
        upper: call.attributes.int("upper", 1) != 0,
        k: k.clamp(-far, far) as isize,
    };
    one(view::value(call.tape, &x, how))
}

/// The positions of elements that are not zero, which the host must know.
pub fn non_zero(call: &mut Call<'_>) -> Results {
    let dims = call.dims(0)?;
    let x = call.numbers(0)?;
    let found: Vec<usize> = (0..x.len()).filter(|&i| x[i] != 0.0).collect();
    let rank = dims.rank().max(1);
    let mut out = Vec::with_capacity(rank * found.len());
    for at in 0..rank {
        let step: usize = dims.iter().skip(at + 1).product();
        let n = dims.get(at).copied().unwrap_or(1);
        out.extend(found.iter().map(|i| ((i / step) % n) as i64));
    }
    array(Array::known(Raw::from_slice(
        &Device::Cpu,
        sizes(&[rank, found.len()])?,
        &out,
    )))
}
