//! Entries that integers name, and the positions of extremes.

use super::{Call, Results, array, one, size};
use crate::import::fault::Fault;
use crate::import::rules::index::{
    Scatter, gather, pick, pick_along, positions, put, scatter, take_along,
};
use crate::import::rules::view::{self, View, reshaped};
use crate::import::value::{Array, Value, axis, sizes};
use autodiff_core::device::{ArgOp, Dims, IntegerOp, SortOrder};
use autodiff_core::tensor::Raw;

pub fn gather_axis(call: &mut Call<'_>) -> Results {
    let x = call.operand(0)?;
    let index = call.array::<i64>(1)?;
    let at = axis(call.attributes.int("axis", 0), x.dims().rank())?;
    one(rows(call, &x, at, &index)?)
}

fn rows(call: &Call<'_>, x: &Value, at: usize, index: &Array<i64>) -> Result<Value, Fault> {
    Ok(match x {
        Value::F32(x) => Value::F32(gather(call.tape, x, at, index)?),
        Value::F64(x) => Value::F64(gather(call.tape, x, at, index)?),
        Value::I64(x) => Value::I64(pick(x, at, index)?),
        Value::Bool(x) => Value::Bool(pick(x, at, index)?),
    })
}

fn along(call: &Call<'_>, x: &Value, at: usize, index: &Array<i64>) -> Result<Value, Fault> {
    Ok(match x {
        Value::F32(x) => Value::F32(take_along(call.tape, x, at, index)?),
        Value::F64(x) => Value::F64(take_along(call.tape, x, at, index)?),
        Value::I64(x) => Value::I64(pick_along(x, at, index)?),
        Value::Bool(x) => Value::Bool(pick_along(x, at, index)?),
    })
}

pub fn gather_elements(call: &mut Call<'_>) -> Results {
    let x = call.operand(0)?;
    let index = call.array::<i64>(1)?;
    let at = axis(call.attributes.int("axis", 0), x.dims().rank())?;
    one(along(call, &x, at, &index)?)
}

/// The numbers, in row-major order, of the entries that tuples of positions name: of `index` with the sizes `[.., k]` in
/// a tensor with the first sizes `dims`.
fn numbers(index: &Array<i64>, dims: &[usize]) -> Result<Array<i64>, Fault> {
    let last = index.dims().rank() - 1;
    let device = index.raw.device();
    let count = index.dims().numel() / dims.len().max(1);
    let zeros = Raw::zeros(device, sizes(&[count])?);
    let mut sum = Array::plain(zeros, index.known);
    for (i, &n) in dims.iter().enumerate() {
        let part = index.raw.slice(last, i, 1).reshape([count]);
        let part = positions(&Array::plain(part, index.known), n);
        let number = |x: usize| Raw::scalar(device, x as i64);
        // A position outside of its axis must not name an entry of another row.
        let outside = [
            Raw::compare(autodiff_core::device::CompareOp::Ge, &part.raw, &number(n)),
            Raw::compare(autodiff_core::device::CompareOp::Lt, &part.raw, &number(0)),
        ];
        let outside = outside[0].or(&outside[1]);
        let far = Raw::scalar(device, i64::from(i32::MAX) * i64::from(i32::MAX));
        let part = Raw::select(&outside, &far, &part.raw);
        let scaled = Raw::integer(IntegerOp::Mul, &sum.raw, &number(n));
        let next = Raw::integer(IntegerOp::Add, &scaled, &part);
        // Once outside, always outside.
        let kept = Raw::select(
            &Raw::compare(autodiff_core::device::CompareOp::Ge, &sum.raw, &far),
            &far,
            &next,
        );
        sum = Array::plain(Raw::select(&outside, &far, &kept), index.known);
    }
    Ok(sum)
}

/// The sizes of an index of tuples for a tensor: those before, `k`, the entries, and the sizes behind.
struct Tuples {
    before: Vec<usize>,
    entries: usize,
    behind: Vec<usize>,
    named: Vec<usize>,
}

fn tuples(x: &Dims, index: &Dims) -> Result<Tuples, Fault> {
    let unfit = || {
        Fault::sizes(format!(
            "an index of tuples of sizes {index:?} in a tensor of sizes {x:?}"
        ))
    };
    let (&k, before) = index.split_last().ok_or_else(unfit)?;
    if k == 0 || k > x.rank() {
        return Err(unfit());
    }
    Ok(Tuples {
        before: before.to_vec(),
        entries: x[..k].iter().product(),
        behind: x[k..].to_vec(),
        named: x[..k].to_vec(),
    })
}

pub fn gather_nd(call: &mut Call<'_>) -> Results {
    if call.attributes.int("batch_dims", 0) != 0 {
        return Err(Fault::unsupported("`batch_dims`", ""));
    }
    let x = call.operand(0)?;
    let index = call.array::<i64>(1)?;
    let t = tuples(x.dims(), index.dims())?;
    let width: usize = t.behind.iter().product();
    let flat = reshaped(call.tape, &x, &[t.entries, width])?;
    let at = numbers(&index, &t.named)?;
    let picked = rows(call, &flat, 0, &at)?;
    let dims: Vec<usize> = t.before.iter().chain(&t.behind).copied().collect();
    one(reshaped(call.tape, &picked, &dims)?)
}

fn reduction(call: &Call<'_>) -> Result<Scatter, Fault> {
    match call.attributes.text("reduction", "none") {
        "none" => Ok(Scatter::Set),
        "add" => Ok(Scatter::Add),
        other => Err(Fault::unsupported(format!("`reduction = {other}`"), "")),
    }
}

fn written(
    call: &mut Call<'_>,
    x: &Value,
    at: usize,
    index: &Array<i64>,
    source: Value,
) -> Result<Value, Fault> {
    let how = reduction(call)?;
    if source.kind() != x.kind() {
        return Err(call.wrong(2, x.kind(), &source));
    }
    Ok(match (x, source) {
        (Value::F32(x), Value::F32(s)) => Value::F32(scatter(call.tape, how, x, at, index, &s)?),
        (Value::F64(x), Value::F64(s)) => Value::F64(scatter(call.tape, how, x, at, index, &s)?),
        (Value::I64(x), Value::I64(s)) if how == Scatter::Set => Value::I64(put(x, at, index, &s)?),
        (Value::Bool(x), Value::Bool(s)) if how == Scatter::Set => {
            Value::Bool(put(x, at, index, &s)?)
        }
        (x, _) => {
            let what = format!("`reduction = add` for {}", x.kind());
            return Err(Fault::unsupported(what, ""));
        }
    })
}

pub fn scatter_elements(call: &mut Call<'_>) -> Results {
    let x = call.operand(0)?;
    let index = call.array::<i64>(1)?;
    let source = call.operand(2)?;
    let at = axis(call.attributes.int("axis", 0), x.dims().rank())?;
    if source.dims() != index.dims()
        || index.dims().rank() != x.dims().rank()
        || index.dims().with(at, 0) != x.dims().with(at, 0)
    {
        return Err(Fault::sizes(format!(
            "an index of sizes {:?} and updates of sizes {:?} along axis {at} of a tensor of sizes {:?}",
            index.dims(),
            source.dims(),
            x.dims()
        )));
    }
    one(written(call, &x, at, &index, source)?)
}

pub fn scatter_nd(call: &mut Call<'_>) -> Results {
    let x = call.operand(0)?;
    let index = call.array::<i64>(1)?;
    let source = call.operand(2)?;
    let dims = *x.dims();
    let t = tuples(&dims, index.dims())?;
    let width: usize = t.behind.iter().product();
    let count: usize = t.before.iter().product();
    let expected: Vec<usize> = t.before.iter().chain(&t.behind).copied().collect();
    if source.dims().as_slice() != &expected[..] {
        return Err(Fault::sizes(format!(
            "updates of sizes {:?}, expected {expected:?}",
            source.dims()
        )));
    }
    let flat = reshaped(call.tape, &x, &[t.entries, width])?;
    let source = reshaped(call.tape, &source, &[count, width])?;
    let at = numbers(&index, &t.named)?;
    let wide = at.raw.reshape([count, 1]).expand(sizes(&[count, width])?);
    let at = Array::plain(wide.contiguous(), at.known);
    let out = written(call, &flat, 0, &at, source)?;
    one(reshaped(call.tape, &out, &dims)?)
}

fn extreme(call: &mut Call<'_>, op: ArgOp) -> Results {
    if call.attributes.is_on("select_last_index") {
        return Err(Fault::unsupported("`select_last_index`", ""));
    }
    let x = call.operand(0)?;
    let at = axis(call.attributes.int("axis", 0), x.dims().rank())?;
    if x.dims()[at] == 0 {
        return Err(Fault::sizes("the position of an extreme of no elements"));
    }
    let known = x.is_known();
    let raw = crate::import::value::each!(x, x => x.raw.arg_reduce(op, at));
    let raw = match call.attributes.int("keepdims", 1) != 0 {
        true => raw.unsqueeze(at),
        false => raw,
    };
    array(Array::plain(raw, known))
}

pub fn arg_max(call: &mut Call<'_>) -> Results {
    extreme(call, ArgOp::Max)
}

pub fn arg_min(call: &mut Call<'_>) -> Results {
    extreme(call, ArgOp::Min)
}

/// The first `k` entries in order, and their positions.
pub fn top_k(call: &mut Call<'_>) -> Results {
    let k = call.integers(1)?;
    let x = call.operand(0)?;
    let at = axis(call.attributes.int("axis", -1), x.dims().rank())?;
    let n = x.dims()[at];
    let k = match k[..] {
        [k] if (0..=n as i64).contains(&k) => k as usize,
        _ => return Err(Fault::sizes(format!("the first {k:?} of {n} entries"))),
    };
    let order = match call.attributes.int("largest", 1) != 0 {
        true => SortOrder::Descending,
        false => SortOrder::Ascending,
    };
    let known = x.is_known();
    let raw = crate::import::value::each!(&x, x => x.raw.argsort(order, at, k));
    let index = Array::plain(raw, known);
    let values = along(call, &x, at, &index)?;
    Ok(vec![values, Value::I64(index)])
}

/// Rows of two numbers, the second where the index says.
pub fn one_hot(call: &mut Call<'_>) -> Results {
    let depth = call.numbers(1)?;
    let depth = match depth[..] {
        [d] if (1.0..1e15).contains(&d) => size(d as i64)?,
        _ => return Err(Fault::sizes(format!("a depth of {depth:?}"))),
    };
    let values = call.operand(2)?;
    let index = match call.operand(0)? {
        Value::I64(index) => index,
        other => return Err(call.wrong(0, "i64", &other)),
    };
    let rank = index.dims().rank();
    let at = axis(call.attributes.int("axis", -1), rank + 1)?;
    sizes(&[&index.dims()[..], &[depth]].concat())?;
    let at_index = positions(&index, depth);
    // Outside of the range all entries are the first number: compared with each position, none is equal.
    let steps: Vec<i64> = (0..depth as i64).collect();
    let steps = Raw::from_slice(index.raw.device(), [depth], &steps);
    let hot = Raw::compare(
        autodiff_core::device::CompareOp::Eq,
        &at_index.raw.unsqueeze(rank),
        &steps,
    );
    let mut order: Vec<usize> = (0..rank).collect();
    order.insert(at, rank);
    let hot = Array::plain(hot.permute(&order), index.known);
    if values.dims().as_slice() != [2] {
        return Err(Fault::sizes(format!(
            "values of sizes {:?}, expected two",
            values.dims()
        )));
    }
    let number = |i| {
        let how = View::Narrow {
            axis: 0,
            start: i,
            len: 1,
        };
        view::value(call.tape, &values, how)
    };
    let (off, on) = (number(0), number(1));
    use crate::import::rules::elementwise::{choose, select};
    one(match (on, off) {
        (Value::F32(a), Value::F32(b)) => Value::F32(select(call.tape, &hot, &a, &b)?),
        (Value::F64(a), Value::F64(b)) => Value::F64(select(call.tape, &hot, &a, &b)?),
        (Value::I64(a), Value::I64(b)) => Value::I64(choose(&hot, &a, &b)?),
        (Value::Bool(a), Value::Bool(b)) => Value::Bool(choose(&hot, &a, &b)?),
        (other, _) => return Err(call.wrong(2, "values of one type", &other)),
    })
}
