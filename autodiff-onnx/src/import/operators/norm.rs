//! Normalisation.

use super::{Call, Results, array, floats, ones, size};
use crate::import::fault::Fault;
use crate::import::rules::elementwise::{binary, scalar, unary};
use crate::import::rules::norm::{channels, rows};
use crate::import::rules::view::reshape;
use crate::import::tape::Tape;
use crate::import::value::{Array, Number, Value, axis};
use autodiff_core::device::{BinaryOp, Dims, NormShape, UnaryOp};
use autodiff_core::tensor::Raw;

/// That a vector has an entry for each of `n` channels.
fn vector<T: Number>(x: &Array<T>, n: usize, what: &str) -> Result<(), Fault> {
    match x.dims().as_slice() == [n] {
        true => Ok(()),
        false => Err(Fault::sizes(format!(
            "the {what} has the sizes {:?}, expected [{n}]",
            x.dims()
        ))),
    }
}

fn zeros<T: Number>(like: &Array<T>, n: usize) -> Array<T> {
    Array::plain(Raw::zeros(like.raw.device(), [n]), like.known)
}

/// With the statistics of the file, as in inference.
pub fn batch(call: &mut Call<'_>) -> Results {
    if call.attributes.is_on("training_mode") || call.outputs > 1 {
        return Err(Fault::unsupported(
            "batch normalisation in training mode",
            "export the model after `model.eval()`",
        ));
    }
    let eps = call.attributes.number("epsilon", 1e-5);
    floats!(call, call.operand(0)?, x => {
        if x.dims().rank() < 2 {
            return Err(Fault::sizes(format!("the sizes {:?}, expected images and channels", x.dims())));
        }
        let n = x.dims()[1];
        let (scale, shift) = (call.array(1)?, call.array(2)?);
        let (mean, variance) = (call.array(3)?, call.array(4)?);
        for (x, what) in [(&scale, "scale"), (&shift, "bias"), (&mean, "mean"), (&variance, "variance")] {
            vector(x, n, what)?;
        }
        let rate = unary(call.tape, UnaryOp::Rsqrt, scalar(call.tape, BinaryOp::Add, variance, eps));
        let factor = binary(call.tape, BinaryOp::Mul, scale, rate)?;
        array(channels(call.tape, &x, &mean, &factor, &shift))
    })
}

/// Rows of the axes behind the first two, for each image and channel, or for each group of channels.
fn grouped<T: Number>(
    tape: &Tape,
    x: &Array<T>,
    groups: usize,
    eps: f64,
    scale: &Array<T>,
    shift: &Array<T>,
) -> Result<Array<T>, Fault> {
    let dims = *x.dims();
    let inner: usize = dims[2..].iter().product();
    let per_group = dims[1] / groups.max(1);
    vector(scale, dims[1], "scale")?;
    vector(shift, dims[1], "bias")?;
    if dims.numel() == 0 {
        return Ok(x.clone());
    }
    let shape = NormShape {
        rows: dims[0] * groups,
        width: per_group * inner,
        groups,
        per_group,
        inner,
        eps,
        centred: true,
    };
    Ok(rows(tape, shape, x, scale, shift))
}

fn images(dims: &Dims) -> Result<(), Fault> {
    match dims.rank() {
        0 | 1 => Err(Fault::sizes(format!(
            "the sizes {dims:?}, expected images and channels"
        ))),
        _ => Ok(()),
    }
}

pub fn instance(call: &mut Call<'_>) -> Results {
    let eps = call.attributes.number("epsilon", 1e-5);
    floats!(call, call.operand(0)?, x => {
        images(x.dims())?;
        let (scale, shift) = (call.array(1)?, call.array(2)?);
        array(grouped(call.tape, &x, x.dims()[1], eps, &scale, &shift)?)
    })
}

pub fn group(call: &mut Call<'_>) -> Results {
    let eps = call.attributes.number("epsilon", 1e-5);
    let groups = call.attributes.integer("num_groups");
    let groups = size(call.attributes.needed("num_groups", groups)?)?;
    let opset = call.opset;
    floats!(call, call.operand(0)?, x => {
        images(x.dims())?;
        let n = x.dims()[1];
        if groups == 0 || !n.is_multiple_of(groups) {
            return Err(call.attributes.wrong("num_groups", format!("is {groups}, for {n} channels")));
        }
        let (scale, shift) = (call.array(1)?, call.array(2)?);
        // Before version 21 there was a scale and a bias for each group.
        let each = |x: Array<_>| {
            if opset >= 21 || x.dims().numel() != groups {
                return x;
            }
            let columns = reshape(call.tape, &x, &[groups, 1]);
            let wide = crate::import::rules::view::View::Expand(Dims::new(&[groups, n / groups]));
            let wide = crate::import::rules::view::view(call.tape, &columns, wide);
            reshape(call.tape, &wide, &[n])
        };
        array(grouped(call.tape, &x, groups, eps, &each(scale), &each(shift))?)
    })
}

/// Over the axes from `axis` on.
fn from_axis(call: &mut Call<'_>, centred: bool) -> Results {
    if call.outputs > 1 {
        return Err(Fault::unsupported("its second result", ""));
    }
    let eps = call.attributes.number("epsilon", 1e-5);
    let at = call.attributes.int("axis", -1);
    fn over<T: Number>(
        call: &mut Call<'_>,
        x: &Array<T>,
        at: usize,
        eps: f64,
        centred: bool,
    ) -> Results {
        let dims = *x.dims();
        let width: usize = dims[at..].iter().product();
        // Scale and bias may lack axes, along which they are repeated.
        let flat = |tape: &Tape, x: Array<T>, what: &str| -> Result<Array<T>, Fault> {
            let last = Dims::new(&dims[at..]);
            if last.broadcast(x.dims()) != Some(last) {
                return Err(Fault::sizes(format!(
                    "the {what} has the sizes {:?}, expected {last:?}",
                    x.dims()
                )));
            }
            let wide = crate::import::rules::view::View::Expand(last);
            let x = crate::import::rules::view::view(tape, &x, wide);
            Ok(reshape(tape, &x, &[width]))
        };
        let (scale, shift) = (call.optional(1)?, call.optional(2)?);
        let tape = call.tape;
        let scale = scale.map_or_else(|| Ok(ones(x, width)), |x| flat(tape, x, "scale"))?;
        let shift = shift.map_or_else(|| Ok(zeros(x, width)), |x| flat(tape, x, "bias"))?;
        if dims.numel() == 0 {
            return array(x.clone());
        }
        let shape = NormShape {
            rows: dims[..at].iter().product(),
            width,
            groups: 1,
            per_group: width,
            inner: 1,
            eps,
            centred,
        };
        array(rows(call.tape, shape, x, &scale, &shift))
    }
    let x = call.operand(0)?;
    let at = axis(at, x.dims().rank())?;
    match x {
        Value::F32(x) => over(call, &x, at, eps, centred),
        Value::F64(x) => over(call, &x, at, eps, centred),
        other => Err(call.wrong(0, "f32 or f64", &other)),
    }
}

pub fn layer(call: &mut Call<'_>) -> Results {
    from_axis(call, true)
}

pub fn rms(call: &mut Call<'_>) -> Results {
    from_axis(call, false)
}
