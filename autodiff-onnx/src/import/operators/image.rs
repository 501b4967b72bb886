//! Convolutions.

use super::{Call, Results, array, floats, size};
use crate::import::attributes::Attributes;
use crate::import::fault::Fault;
use crate::import::rules::elementwise::binary;
use crate::import::rules::image::{conv, conv_transpose};
use crate::import::rules::view::{View, reshape, view};
use crate::import::tape::Tape;
use crate::import::value::{Array, Number, sizes};
use autodiff_core::device::{BinaryOp, Dims, Windows};

/// The windows over the last axes, as a node says it: a number for each axis.
#[derive(Clone, Debug)]
pub struct Sliding {
    pub size: Vec<usize>,
    pub stride: Vec<usize>,
    pub dilation: Vec<usize>,
    /// Entries that are added before and behind.
    pub pads: Vec<[usize; 2]>,
}

/// A list of sizes, one for each of `n` axes.
fn list(
    attributes: &Attributes,
    name: &'static str,
    n: usize,
    least: usize,
) -> Result<Vec<usize>, Fault> {
    let Some(given) = attributes.integers(name) else {
        return Ok(vec![least; n]);
    };
    let all: Result<Vec<usize>, _> = given.iter().map(|&x| size(x)).collect();
    match all {
        // Larger ones than any tensor would overflow.
        Ok(all) if all.len() == n && all.iter().all(|x| (least..1 << 31).contains(x)) => Ok(all),
        _ => Err(attributes.wrong(name, format!("is {given:?}, for {n} axes"))),
    }
}

impl Sliding {
    /// Those over axes of the sizes `input`, where windows have `kernel` entries unless the node says it.
    pub fn of(
        attributes: &Attributes,
        input: &[usize],
        kernel: Option<&[usize]>,
    ) -> Result<Self, Fault> {
        let n = input.len();
        let size = match (attributes.integers("kernel_shape"), kernel) {
            (None, Some(kernel)) => kernel.to_vec(),
            (None, None) => return Err(attributes.wrong("kernel_shape", "is missing")),
            (Some(given), _) => {
                let size = list(attributes, "kernel_shape", n, 1)?;
                if kernel.is_some_and(|k| k != size) {
                    let what = format!("is {given:?}, the weights have {kernel:?}");
                    return Err(attributes.wrong("kernel_shape", what));
                }
                size
            }
        };
        if size.contains(&0) {
            return Err(Fault::sizes("windows without entries"));
        }
        let stride = list(attributes, "strides", n, 1)?;
        let dilation = list(attributes, "dilations", n, 1)?;
        let pads = match attributes.text("auto_pad", "NOTSET") {
            "NOTSET" => {
                let pads = list(attributes, "pads", 2 * n, 0)?;
                (0..n).map(|i| [pads[i], pads[i + n]]).collect()
            }
            "VALID" => vec![[0, 0]; n],
            same @ ("SAME_UPPER" | "SAME_LOWER") => (0..n)
                .map(|i| {
                    let out = input[i].div_ceil(stride[i]);
                    let reach = dilation[i] * (size[i] - 1) + 1;
                    let needed = (out.saturating_sub(1)) * stride[i] + reach;
                    let all = needed.saturating_sub(input[i]);
                    let less = all / 2;
                    if same == "SAME_UPPER" {
                        [less, all - less]
                    } else {
                        [all - less, less]
                    }
                })
                .collect(),
            other => return Err(attributes.wrong("auto_pad", format!("is `{other}`"))),
        };
        Ok(Sliding {
            size,
            stride,
            dilation,
            pads,
        })
    }

    /// The entries from the first of a window to its last.
    pub fn reach(&self, i: usize) -> usize {
        self.dilation[i] * (self.size[i] - 1) + 1
    }

    /// Whether at least one window fits.
    pub fn check(&self, input: &[usize]) -> Result<(), Fault> {
        for (i, &n) in input.iter().enumerate() {
            let room = n
                .saturating_add(self.pads[i][0])
                .saturating_add(self.pads[i][1]);
            if self.reach(i) > room {
                return Err(Fault::sizes(format!(
                    "a window over {} entries for an axis of {n} with the pads {:?}",
                    self.reach(i),
                    self.pads[i]
                )));
            }
        }
        Ok(())
    }

    /// As the kernels take them; the pads are the same at both ends.
    pub fn windows(&self) -> Windows {
        let last = |all: &[usize], none: usize| {
            let mut three = [none; 3];
            three[3 - all.len()..].copy_from_slice(all);
            three
        };
        let pads: Vec<usize> = self.pads.iter().map(|p| p[0]).collect();
        Windows {
            size: last(&self.size, 1),
            stride: last(&self.stride, 1),
            pad: last(&pads, 0),
            dilation: last(&self.dilation, 1),
        }
    }

    /// The input with its pads, if they differ at the two ends; else with none, and they stay in the windows.
    pub fn padded<T: Number>(
        &mut self,
        tape: &Tape,
        x: &Array<T>,
        value: f64,
    ) -> Result<Array<T>, Fault> {
        if self.pads.iter().all(|[a, b]| a == b) {
            return Ok(x.clone());
        }
        let x = surrounded(tape, x, &self.pads, value)?;
        self.pads.fill([0, 0]);
        Ok(x)
    }
}

/// `x` with entries of a number around its last axes.
pub fn surrounded<T: Number>(
    tape: &Tape,
    x: &Array<T>,
    pads: &[[usize; 2]],
    value: f64,
) -> Result<Array<T>, Fault> {
    let side = |i: usize| {
        [0, 0]
            .into_iter()
            .chain(pads.iter().map(move |p| p[i]))
            .collect()
    };
    let (before, behind): (Vec<usize>, Vec<usize>) = (side(0), side(1));
    let all = x.dims().iter().zip(before.iter().zip(&behind));
    let all: Vec<usize> = all
        .map(|(n, (a, b))| n.saturating_add(*a).saturating_add(*b))
        .collect();
    sizes(&all)?;
    let how = View::Pad {
        before,
        behind,
        value,
    };
    Ok(view(tape, x, how))
}

/// That there are images, channels and one to three axes.
pub fn images(dims: &Dims) -> Result<(), Fault> {
    match dims.rank() {
        3..=5 => Ok(()),
        _ => Err(Fault::sizes(format!(
            "the sizes {dims:?}, expected images, channels and one to three axes"
        ))),
    }
}

fn with_bias<T: Number>(
    tape: &Tape,
    out: Array<T>,
    bias: Option<Array<T>>,
) -> Result<Array<T>, Fault> {
    let Some(bias) = bias else { return Ok(out) };
    let dims = *out.dims();
    if bias.dims().as_slice() != [dims[1]] {
        return Err(Fault::sizes(format!(
            "a bias of sizes {:?} for {} channels",
            bias.dims(),
            dims[1]
        )));
    }
    let mut column = vec![1; dims.rank() - 1];
    column[0] = dims[1];
    binary(tape, BinaryOp::Add, out, reshape(tape, &bias, &column))
}

fn groups(call: &Call<'_>) -> Result<usize, Fault> {
    match call.attributes.int("group", 1) {
        n @ 1..=0x7fff_ffff => Ok(n as usize),
        n => Err(call.attributes.wrong("group", format!("is {n}"))),
    }
}

fn unfit<R>(x: &Dims, w: &Dims, groups: usize) -> Result<R, Fault> {
    Err(Fault::sizes(format!(
        "weights of sizes {w:?} in {groups} groups for an input of sizes {x:?}"
    )))
}

pub fn convolution(call: &mut Call<'_>) -> Results {
    let groups = groups(call)?;
    floats!(call, call.operand(0)?, x => {
        let (w, bias) = (call.array(1)?, call.optional(2)?);
        let (dx, dw) = (*x.dims(), *w.dims());
        images(&dx)?;
        let fits = dw.rank() == dx.rank()
            && dw[1].checked_mul(groups) == Some(dx[1])
            && dw[0].is_multiple_of(groups);
        if !fits {
            return unfit(&dx, &dw, groups);
        }
        let mut sliding = Sliding::of(call.attributes, &dx[2..], Some(&dw[2..]))?;
        sliding.check(&dx[2..])?;
        let x = sliding.padded(call.tape, &x, 0.0)?;
        let windows = sliding.windows();
        let shift = 5 - dx.rank();
        let places = x.dims()[2..].iter().enumerate().map(|(i, &n)| windows.positions(i + shift, n));
        let out: Vec<usize> = [dx[0], dw[0]].into_iter().chain(places).collect();
        sizes(&out)?;
        let out = conv(call.tape, &x, &w, windows, groups);
        array(with_bias(call.tape, out, bias)?)
    })
}

/// The transposed convolution: all that the windows reach, of which the pads are taken away.
pub fn transposed(call: &mut Call<'_>) -> Results {
    let groups = groups(call)?;
    floats!(call, call.operand(0)?, x => {
        let (w, bias) = (call.array(1)?, call.optional(2)?);
        let (dx, dw) = (*x.dims(), *w.dims());
        images(&dx)?;
        if dw.rank() != dx.rank() || dw[0] != dx[1] || !dx[1].is_multiple_of(groups) {
            return unfit(&dx, &dw, groups);
        }
        let n = dx.rank() - 2;
        let attributes = call.attributes;
        let extra = list(attributes, "output_padding", n, 0)?;
        let auto = attributes.text("auto_pad", "NOTSET").to_owned();
        let mut plain = attributes.clone();
        plain.0.remove("auto_pad");
        let sliding = Sliding::of(&plain, &dx[2..], Some(&dw[2..]))?;
        let wanted = match attributes.integers("output_shape") {
            Some(_) => Some(list(attributes, "output_shape", n, 0)?),
            None if auto.starts_with("SAME") => Some(
                (0..n).map(|i| dx[i + 2].saturating_mul(sliding.stride[i])).collect(),
            ),
            None => None,
        };
        let mut full = vec![dx[0], dw[1].saturating_mul(groups)];
        let (mut start, mut length) = (vec![0; n + 2], vec![0; n + 2]);
        for i in 0..n {
            let reached = match dx[i + 2].checked_sub(1) {
                Some(steps) => steps.saturating_mul(sliding.stride[i]).saturating_add(sliding.reach(i)),
                None => return unfit(&dx, &dw, groups),
            };
            let all = reached.saturating_add(extra[i]);
            let [before, behind] = match &wanted {
                // The pads follow from the size that is wanted.
                Some(wanted) => {
                    let pads = all.saturating_sub(wanted[i]);
                    let less = pads / 2;
                    if auto == "SAME_UPPER" { [less, pads - less] } else { [pads - less, less] }
                }
                None => sliding.pads[i],
            };
            let kept = all.checked_sub(before).and_then(|n| n.checked_sub(behind));
            let Some(kept) = kept else {
                return unfit(&dx, &dw, groups);
            };
            full.push(reached);
            (start[i + 2], length[i + 2]) = (before, kept);
        }
        let dims = sizes(&full)?;
        let mut whole = sliding.clone();
        whole.pads.fill([0, 0]);
        let mut out = conv_transpose(call.tape, &x, &w, dims, whole.windows(), groups);
        // Entries that no window reaches, at the end.
        let short: Vec<[usize; 2]> = (0..n)
            .map(|i| [0, (start[i + 2] + length[i + 2]).saturating_sub(full[i + 2])])
            .collect();
        if short.iter().any(|s| s[1] > 0) {
            out = surrounded(call.tape, &out, &short, 0.0)?;
        }
        for at in 2..n + 2 {
            if out.dims()[at] != length[at] {
                let how = View::Narrow { axis: at, start: start[at], len: length[at] };
                out = view(call.tape, &out, how);
            }
        }
        array(with_bias(call.tape, out, bias)?)
    })
}
