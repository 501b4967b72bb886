//! Reductions along axes, softmax, running sums.

use super::{Call, Results, array, floats, one};
use crate::import::fault::Fault;
use crate::import::rules::elementwise::{binary, unary};
use crate::import::rules::reduce::{
    cumsum, fold, integer_extreme, integer_sum, reduce, softmax, without,
};
use crate::import::rules::view::reshaped;
use crate::import::tape::Tape;
use crate::import::value::{Array, Number, Value, axis};
use autodiff_core::device::{ArgOp, BinaryOp, FoldOp, ReduceOp, SoftmaxOp, UnaryOp};

/// The formula of a reduction, for floats and for whole numbers.
#[derive(Clone, Copy)]
enum Form {
    Plain(ReduceOp),
    Fold(FoldOp),
    L1,
    SumSquare,
    LogSum,
}

fn floats_by<T: Number>(
    tape: &Tape,
    form: Form,
    x: Array<T>,
    axes: &[usize],
) -> Result<Array<T>, Fault> {
    let sum = |x: &Array<T>| reduce(tape, ReduceOp::Sum, x, axes);
    Ok(match form {
        Form::Plain(op) => reduce(tape, op, &x, axes)?,
        Form::Fold(op) => fold(tape, op, &x, axes),
        Form::L1 => sum(&unary(tape, UnaryOp::Abs, x))?,
        Form::SumSquare => sum(&unary(tape, UnaryOp::Square, x))?,
        Form::LogSum => unary(tape, UnaryOp::Ln, sum(&x)?),
    })
}

fn reduced(call: &mut Call<'_>, form: Form) -> Results {
    let axes = call.either("axes", 1)?;
    let keep = call.attributes.int("keepdims", 1) != 0;
    let x = call.operand(0)?;
    let rank = x.dims().rank();
    let axes = match axes {
        Some(axes) if !axes.is_empty() => super::shape::axes_of(&axes, rank)?,
        _ if call.attributes.is_on("noop_with_empty_axes") => return one(x),
        _ => (0..rank).collect(),
    };
    let dims = *x.dims();
    let out = match x {
        Value::F32(x) => Value::F32(floats_by(call.tape, form, x, &axes)?),
        Value::F64(x) => Value::F64(floats_by(call.tape, form, x, &axes)?),
        Value::I64(x) => Value::I64(match form {
            Form::Plain(ReduceOp::Sum) => integer_sum(&x, &axes),
            Form::Plain(ReduceOp::Max) => integer_extreme(&x, &axes, ArgOp::Max)?,
            Form::Plain(ReduceOp::Min) => integer_extreme(&x, &axes, ArgOp::Min)?,
            // Products of sizes, which the host knows.
            Form::Fold(FoldOp::Prod) if x.known && axes.len() == rank => {
                let all = x.raw.to_vec();
                let product = all.iter().fold(1i64, |a, b| a.wrapping_mul(*b));
                Array::host(&vec![1; rank], &[product])?
            }
            _ => return Err(Fault::unsupported("this reduction of whole numbers", "")),
        }),
        other => return Err(call.wrong(0, "a number", &other)),
    };
    match keep {
        true => one(out),
        false => one(reshaped(call.tape, &out, &without(&dims, &axes))?),
    }
}

macro_rules! reductions {
    ($($name:ident $form:expr;)*) => { $(
        pub fn $name(call: &mut Call<'_>) -> Results {
            reduced(call, $form)
        }
    )* };
}
reductions! {
    sum Form::Plain(ReduceOp::Sum);
    mean Form::Plain(ReduceOp::Mean);
    max Form::Plain(ReduceOp::Max);
    min Form::Plain(ReduceOp::Min);
    product Form::Fold(FoldOp::Prod);
    l1 Form::L1;
    l2 Form::Fold(FoldOp::Norm(2.0));
    sum_square Form::SumSquare;
    log_sum Form::LogSum;
    log_sum_exp Form::Fold(FoldOp::LogSumExp);
}

/// Before version 13 the axes from `axis` on were one.
fn normalised(call: &mut Call<'_>, op: SoftmaxOp) -> Results {
    let x = call.operand(0)?;
    let dims = *x.dims();
    let old = call.opset < 13;
    let at = axis(
        call.attributes.int("axis", if old { 1 } else { -1 }),
        dims.rank(),
    )?;
    if dims.numel() == 0 {
        return one(x);
    }
    if !old {
        return floats!(call, x, x => array(softmax(call.tape, op, &x, at)));
    }
    let rows = dims[..at].iter().product();
    let columns = dims[at..].iter().product();
    let flat = reshaped(call.tape, &x, &[rows, columns])?;
    let y = floats!(call, flat, x => array(softmax(call.tape, op, &x, 1)))?;
    one(reshaped(call.tape, &y[0], &dims)?)
}

pub fn soft_max(call: &mut Call<'_>) -> Results {
    normalised(call, SoftmaxOp::Softmax)
}

pub fn log_soft_max(call: &mut Call<'_>) -> Results {
    normalised(call, SoftmaxOp::LogSoftmax)
}

pub fn cum_sum(call: &mut Call<'_>) -> Results {
    let at = call.integer(1)?;
    let exclusive = call.attributes.is_on("exclusive");
    let reverse = call.attributes.is_on("reverse");
    let x = call.operand(0)?;
    let at = axis(at, x.dims().rank())?;
    if let Value::I64(x) = &x {
        return integers(call, x, at, exclusive, reverse);
    }
    floats!(call, x, x => array(cumsum(call.tape, &x, at, exclusive, reverse)))
}

/// Running sums of whole numbers, as `f64`: exact up to 2⁵³.
fn integers(call: &Call<'_>, x: &Array<i64>, at: usize, exclusive: bool, reverse: bool) -> Results {
    let wide: Array<f64> = call.tape.cast(x);
    let sums = cumsum(call.tape, &wide, at, exclusive, reverse);
    array(call.tape.cast::<f64, i64>(&sums))
}

/// Divided by the norm along an axis.
pub fn lp_norm(call: &mut Call<'_>) -> Results {
    let p = call.attributes.int("p", 2);
    let at = call.attributes.int("axis", -1);
    floats!(call, call.operand(0)?, x => {
        let at = axis(at, x.dims().rank())?;
        let norm = match p {
            1 => floats_by(call.tape, Form::L1, x.clone(), &[at])?,
            2 => fold(call.tape, FoldOp::Norm(2.0), &x, &[at]),
            p => return Err(call.attributes.wrong("p", format!("is {p}, expected 1 or 2"))),
        };
        array(binary(call.tape, BinaryOp::Div, x, norm)?)
    })
}
