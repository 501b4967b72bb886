//! Functions of one and two numbers, comparisons and choices.

use crate::import::fault::Fault;
use crate::import::tape::Tape;
use crate::import::value::{Array, Entry, Number, Storage, sizes};
use autodiff_core::device::{BinaryOp, CompareOp, Dims, IntegerOp, Saves, Side, UnaryOp};
use autodiff_core::tensor::Raw;

/// The sizes of a result whose operands are broadcast.
pub fn joint(a: &Dims, b: &Dims) -> Result<Dims, Fault> {
    match a.broadcast(b) {
        Some(dims) => sizes(&dims),
        None => Err(Fault::sizes(format!(
            "the sizes {a:?} and {b:?} do not broadcast"
        ))),
    }
}

/// `op(x)`.
pub fn unary<T: Number>(tape: &Tape, op: UnaryOp, x: Array<T>) -> Array<T> {
    if x.slot.is_none() {
        return Array::plain(x.raw.unary(op), x.known);
    }
    let made = x.raw.clone().unary(op);
    let saved = match op.saves() {
        Saves::Input => x.raw.clone(),
        Saves::Output | Saves::Nothing => made.clone(),
    };
    let again = saved.clone();
    // The derivative is diagonal: one kernel serves both ways.
    tape.map(
        made,
        &x,
        move |ct| Raw::unary_pullback(op, &saved, ct.clone()),
        move |t| Raw::unary_pullback(op, &again, t.clone()),
    )
}

/// `op(a, b)`, broadcast.
pub fn binary<T: Number>(
    tape: &Tape,
    op: BinaryOp,
    a: Array<T>,
    b: Array<T>,
) -> Result<Array<T>, Fault> {
    joint(a.dims(), b.dims())?;
    if a.slot.is_none() && b.slot.is_none() {
        let known = a.known && b.known;
        return Ok(Array::plain(Raw::binary(op, a.raw, b.raw), known));
    }
    let made = Raw::binary_ref(op, &a.raw, &b.raw);
    let slope = move |side: Side, a: &Storage<T>, b: &Storage<T>, t: Storage<T>| match op {
        // Nothing is to be computed.
        BinaryOp::Add => t,
        BinaryOp::Sub if side == Side::Left => t,
        _ => {
            let dims = *t.dims();
            Raw::binary_pullback(op, side, &a.expand(dims), &b.expand(dims), t)
        }
    };
    let (x, y) = (a.raw.clone(), b.raw.clone());
    let (x2, y2, dims) = (a.raw.clone(), b.raw.clone(), *made.dims());
    Ok(tape.one(
        made,
        [&a, &b],
        move |ct, wanted| {
            let part = |side, of: &Storage<T>| slope(side, &x, &y, ct.clone()).sum_to(of.dims());
            [
                wanted[0].then(|| part(Side::Left, &x)),
                wanted[1].then(|| part(Side::Right, &y)),
            ]
        },
        move |[s, t]| {
            let left = s.map(|s| slope(Side::Left, &x2, &y2, s.expand(dims)));
            let right = t.map(|t| slope(Side::Right, &x2, &y2, t.expand(dims)));
            sum([left, right])
        },
    ))
}

/// The sum of what there is.
///
/// # Panics
/// If there is nothing.
pub fn sum<T: Number, const N: usize>(parts: [Option<Storage<T>>; N]) -> Storage<T> {
    let mut parts = parts.into_iter().flatten();
    let first = parts.next().expect("a tangent of an operand");
    parts.fold(first, |mut sum, part| {
        sum.add_assign(&part);
        sum
    })
}

/// One number, on the device of another operand.
pub fn number<T: Entry, U: Entry>(x: T, beside: &Array<U>) -> Array<T> {
    Array::plain(Raw::scalar(beside.raw.device(), x), beside.known)
}

/// `op(x, y)` with a number.
pub fn scalar<T: Number>(tape: &Tape, op: BinaryOp, x: Array<T>, y: f64) -> Array<T> {
    let y = number(T::lit(y), &x);
    binary(tape, op, x, y).expect("a number fits every tensor")
}

/// The operation on whole numbers, broadcast; a zero divisor is an error.
pub fn integer(op: IntegerOp, a: &Array<i64>, b: &Array<i64>) -> Result<Array<i64>, Fault> {
    joint(a.dims(), b.dims())?;
    if matches!(op, IntegerOp::Div | IntegerOp::Rem) && b.raw.try_to_vec()?.contains(&0) {
        let what = "a division of whole numbers by zero".into();
        return Err(Fault::Number { what });
    }
    let raw = Raw::integer(op, &a.raw, &b.raw);
    Ok(Array::plain(raw, a.known && b.known))
}

/// `a op b` as truth values, broadcast.
pub fn compare<T: Entry>(op: CompareOp, a: &Array<T>, b: &Array<T>) -> Result<Array<bool>, Fault> {
    joint(a.dims(), b.dims())?;
    let raw = Raw::compare(op, &a.raw, &b.raw);
    Ok(Array::plain(raw, a.known && b.known))
}

/// The sizes of a choice.
fn joint3<T: Entry>(mask: &Array<bool>, a: &Array<T>, b: &Array<T>) -> Result<Dims, Fault> {
    joint(mask.dims(), &joint(a.dims(), b.dims())?)
}

/// `if mask { a } else { b }` of whole numbers or truth values, broadcast.
pub fn choose<T: Entry>(mask: &Array<bool>, a: &Array<T>, b: &Array<T>) -> Result<Array<T>, Fault> {
    let dims = joint3(mask, a, b)?;
    let [a2, b2] = [a, b].map(|x| x.raw.expand(dims));
    let raw = Raw::select(&mask.raw.expand(dims), &a2, &b2);
    Ok(Array::plain(raw, mask.known && a.known && b.known))
}

/// `if mask { a } else { b }`, broadcast.
pub fn select<T: Number>(
    tape: &Tape,
    mask: &Array<bool>,
    a: &Array<T>,
    b: &Array<T>,
) -> Result<Array<T>, Fault> {
    if a.slot.is_none() && b.slot.is_none() {
        return choose(mask, a, b);
    }
    let dims = joint3(mask, a, b)?;
    let wide = mask.raw.expand(dims);
    let made = Raw::select(&wide, &a.raw.expand(dims), &b.raw.expand(dims));
    let zero = |x: &Storage<T>| Raw::scalar(x.device(), T::ZERO);
    let (yes, no, mask) = (*a.dims(), *b.dims(), wide.clone());
    Ok(tape.one(
        made,
        [a, b],
        move |ct, wanted| {
            [
                wanted[0].then(|| Raw::select(&wide, ct, &zero(ct)).sum_to(&yes)),
                wanted[1].then(|| Raw::select(&wide, &zero(ct), ct).sum_to(&no)),
            ]
        },
        move |[s, t]| match (s, t) {
            (Some(s), Some(t)) => Raw::select(&mask, &s.expand(dims), &t.expand(dims)),
            (Some(s), None) => Raw::select(&mask, &s.expand(dims), &zero(s)),
            (None, Some(t)) => Raw::select(&mask, &zero(t), &t.expand(dims)),
            (None, None) => unreachable!("a step is carried on where an operand has a tangent"),
        },
    ))
}
