//! Pooling.

use super::image::{Sliding, images, surrounded};
use super::{Call, Results, array, floats};
use crate::import::fault::Fault;
use crate::import::rules::elementwise::binary;
use crate::import::rules::image::pool;
use crate::import::rules::reduce::reduce;
use crate::import::value::{Array, sizes};
use autodiff_core::device::{BinaryOp, PoolOp, ReduceOp};
use autodiff_core::tensor::Raw;

/// Entries to add behind each axis, so that a last window that reaches over the end fits. It begins before the pads behind.
fn more(sliding: &Sliding, input: &[usize]) -> Vec<usize> {
    let each = |(i, &n): (usize, &usize)| {
        let [before, behind] = sliding.pads[i];
        let (room, reach, stride) = (n + before + behind, sliding.reach(i), sliding.stride[i]);
        let mut last = (room - reach).div_ceil(stride) * stride;
        if last >= n + before && last > 0 {
            last -= stride;
        }
        (last + reach).saturating_sub(room)
    };
    input.iter().enumerate().map(each).collect()
}

/// That the result is not larger than allowed.
fn bounded<T: crate::import::value::Number>(
    x: &Array<T>,
    windows: autodiff_core::device::Windows,
) -> Result<(), Fault> {
    let shift = 5 - x.dims().rank();
    let places = x.dims()[2..].iter().enumerate();
    let places = places.map(|(i, &n)| windows.positions(i + shift, n));
    let out: Vec<usize> = x.dims()[..2].iter().copied().chain(places).collect();
    sizes(&out).map(|_| ())
}

fn sliding(call: &Call<'_>, input: &[usize]) -> Result<Sliding, Fault> {
    let mut sliding = Sliding::of(call.attributes, input, None)?;
    sliding.check(input)?;
    if call.attributes.is_on("ceil_mode") {
        let more = more(&sliding, input);
        for (pad, more) in sliding.pads.iter_mut().zip(more) {
            pad[1] += more;
        }
    }
    Ok(sliding)
}

pub fn max(call: &mut Call<'_>) -> Results {
    if call.outputs > 1 || call.attributes.is_on("storage_order") {
        return Err(Fault::unsupported(
            "the positions of the largest entries",
            "",
        ));
    }
    floats!(call, call.operand(0)?, x => {
        images(x.dims())?;
        let mut sliding = sliding(call, &x.dims()[2..])?;
        let x = sliding.padded(call.tape, &x, f64::NEG_INFINITY)?;
        bounded(&x, sliding.windows())?;
        array(pool(call.tape, PoolOp::Max, &x, sliding.windows()))
    })
}

pub fn average(call: &mut Call<'_>) -> Results {
    let counts_pads = call.attributes.is_on("count_include_pad");
    let ceil = call.attributes.is_on("ceil_mode");
    floats!(call, call.operand(0)?, x => {
        images(x.dims())?;
        let dims = *x.dims();
        let declared = Sliding::of(call.attributes, &dims[2..], None)?;
        let mut sliding = sliding(call, &dims[2..])?;
        let pads = sliding.pads.clone();
        let wide = sliding.padded(call.tape, &x, 0.0)?;
        let windows = sliding.windows();
        bounded(&wide, windows)?;
        let mean = pool(call.tape, PoolOp::Mean, &wide, windows);
        let padded = pads.iter().any(|p| *p != [0, 0]);
        if !padded || counts_pads && !ceil {
            return array(mean);
        }
        // The share of each window that counts: entries of the input, with its declared pads or without them.
        let ones = |sizes: &[usize]| Array::plain(Raw::full(x.raw.device(), sizes, autodiff_core::device::Elem::ONE), x.known);
        let unit: Vec<usize> = [1, 1].into_iter().chain(dims[2..].iter().copied()).collect();
        let mut share = ones(&unit);
        let mut rest = pads.clone();
        if counts_pads {
            let counted: Vec<usize> = [1, 1].into_iter()
                .chain(dims[2..].iter().zip(&declared.pads).map(|(n, p)| n + p[0] + p[1]))
                .collect();
            share = ones(&counted);
            rest = pads.iter().zip(&declared.pads).map(|(p, d)| [p[0] - d[0], p[1] - d[1]]).collect();
        }
        let share = surrounded(call.tape, &share, &rest, 0.0)?;
        let mut whole = windows;
        whole.pad = [0; 3];
        let share = pool(call.tape, PoolOp::Mean, &share, whole);
        array(binary(call.tape, BinaryOp::Div, mean, share)?)
    })
}

fn global(call: &mut Call<'_>, op: ReduceOp) -> Results {
    floats!(call, call.operand(0)?, x => {
        if x.dims().rank() < 3 {
            return Err(Fault::sizes(format!("the sizes {:?}, expected images, channels and further axes", x.dims())));
        }
        let axes: Vec<usize> = (2..x.dims().rank()).collect();
        array(reduce(call.tape, op, &x, &axes)?)
    })
}

pub fn global_average(call: &mut Call<'_>) -> Results {
    global(call, ReduceOp::Mean)
}

pub fn global_max(call: &mut Call<'_>) -> Results {
    global(call, ReduceOp::Max)
}
