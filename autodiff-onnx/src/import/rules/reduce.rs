//! Sums, extremes, products and norms along axes, softmax, running sums.

use crate::import::fault::Fault;
use crate::import::tape::Tape;
use crate::import::value::{Array, Number, Storage};
use autodiff_core::device::{
    ArgOp, BinaryOp, Dims, FoldOp, ReduceOp, ScanOp, SoftmaxOp, SortOrder, UnaryOp,
};
use autodiff_core::tensor::Raw;

/// Reduced along axes in ascending order, which keep size 1.
pub fn reduce<T: Number>(
    tape: &Tape,
    op: ReduceOp,
    x: &Array<T>,
    axes: &[usize],
) -> Result<Array<T>, Fault> {
    let count: usize = axes.iter().map(|&a| x.dims()[a]).product();
    if count == 0 && matches!(op, ReduceOp::Max | ReduceOp::Min) {
        return Err(Fault::sizes("an extreme of no elements"));
    }
    let made = x.raw.reduce_keepdim(op, axes);
    let dims = *x.dims();
    let axes = axes.to_vec();
    Ok(match op {
        ReduceOp::Sum | ReduceOp::Mean => {
            let by = if op == ReduceOp::Mean {
                1.0 / count as f64
            } else {
                1.0
            };
            let back = move |ct: &Storage<T>| match by {
                1.0 => ct.expand(dims),
                _ => ct
                    .clone()
                    .binary_scalar(BinaryOp::Mul, T::lit(by))
                    .expand(dims),
            };
            tape.map(made, x, back, move |t| t.reduce_keepdim(op, &axes))
        }
        ReduceOp::Max | ReduceOp::Min => {
            let (a, y) = (x.raw.clone(), made.clone());
            let (a2, y2) = (a.clone(), y.clone());
            tape.map(
                made,
                x,
                move |ct| Raw::extreme_pullback(&a, &y, ct),
                move |t| {
                    // The cotangents of ones are the shares of the elements.
                    let ones = Raw::full(t.device(), *y2.dims(), T::ONE);
                    let shares = Raw::extreme_pullback(&a2, &y2, &ones);
                    Raw::binary(BinaryOp::Mul, shares, t.clone()).sum_to(y2.dims())
                },
            )
        }
    })
}

/// Folded along axes in ascending order, which keep size 1.
pub fn fold<T: Number>(tape: &Tape, op: FoldOp, x: &Array<T>, axes: &[usize]) -> Array<T> {
    let made = x.raw.fold(op, axes);
    let (a, y) = (x.raw.clone(), made.clone());
    let (a2, y2) = (a.clone(), y.clone());
    tape.map(
        made,
        x,
        move |ct| Raw::fold_pullback(op, &a, &y, ct),
        move |t| Raw::fold_pushforward(op, &a2, &y2, t),
    )
}

/// Normalised exponentials along `axis`.
pub fn softmax<T: Number>(tape: &Tape, op: SoftmaxOp, x: &Array<T>, axis: usize) -> Array<T> {
    let made = x.raw.softmax(op, axis);
    let (y, y2) = (made.clone(), made.clone());
    tape.map(
        made,
        x,
        move |ct| Raw::softmax_pullback(op, axis, &y, ct),
        move |t| match op {
            // Its Jacobian is symmetric.
            SoftmaxOp::Softmax => Raw::softmax_pullback(op, axis, &y2, t),
            SoftmaxOp::LogSoftmax => {
                let p = y2.clone().unary(UnaryOp::Exp);
                let mean = Raw::binary(BinaryOp::Mul, p, t.clone());
                let mean = mean.reduce_keepdim(ReduceOp::Sum, &[axis]);
                Raw::binary_ref(BinaryOp::Sub, t, &mean)
            }
        },
    )
}

/// The sums along `axis` up to each element; from the other end with `reverse`, without the element itself with
/// `exclusive`.
pub fn cumsum<T: Number>(
    tape: &Tape,
    x: &Array<T>,
    axis: usize,
    exclusive: bool,
    reverse: bool,
) -> Array<T> {
    let (op, transpose) = match reverse {
        false => (ScanOp::Sum, ScanOp::SumFromEnd),
        true => (ScanOp::SumFromEnd, ScanOp::Sum),
    };
    let sums = tape.map(
        x.raw.scan(op, axis),
        x,
        move |ct| ct.scan(transpose, axis),
        move |t| t.scan(op, axis),
    );
    let n = x.dims()[axis];
    if !exclusive || n == 0 {
        return sums;
    }
    // The element before, and zero at the beginning.
    let rank = x.dims().rank();
    let (start, side) = if reverse { (1, false) } else { (0, true) };
    let (mut before, mut behind) = (vec![0; rank], vec![0; rank]);
    *if side {
        &mut before[axis]
    } else {
        &mut behind[axis]
    } = 1;
    let kept = super::view::View::Narrow {
        axis,
        start,
        len: n - 1,
    };
    let kept = super::view::view(tape, &sums, kept);
    super::view::view(
        tape,
        &kept,
        super::view::View::Pad {
            before,
            behind,
            value: 0.0,
        },
    )
}

/// The sums of whole numbers along axes, which keep size 1.
pub fn integer_sum(x: &Array<i64>, axes: &[usize]) -> Array<i64> {
    let mut raw = x.raw.clone();
    for &axis in axes {
        raw = raw.integer_sum(axis).unsqueeze(axis);
    }
    Array::plain(raw, x.known)
}

/// The largest or smallest of whole numbers along axes, which keep size 1.
pub fn integer_extreme(x: &Array<i64>, axes: &[usize], op: ArgOp) -> Result<Array<i64>, Fault> {
    let order = match op {
        ArgOp::Max => SortOrder::Descending,
        ArgOp::Min => SortOrder::Ascending,
    };
    let mut raw = x.raw.clone();
    for &axis in axes {
        if raw.dims()[axis] == 0 {
            return Err(Fault::sizes("an extreme of no elements"));
        }
        let first = raw.argsort(order, axis, 1);
        raw = raw.take_along(axis, &first)?;
    }
    Ok(Array::plain(raw, x.known))
}

/// Sizes without some axes.
pub fn without(dims: &Dims, axes: &[usize]) -> Vec<usize> {
    let kept = dims.iter().enumerate().filter(|(i, _)| !axes.contains(i));
    kept.map(|(_, &n)| n).collect()
}
