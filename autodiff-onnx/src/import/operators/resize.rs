//! Interpolation: tensors of another size.
//!
//! Entry `i` of the result stands at a position of the operand that `coordinate_transformation_mode` tells; it is a copy of the
//! entry that is near, or the mean of its two neighbours, weighted by how near they are.

use super::{Call, Results, array, floats, size};
use crate::import::attributes::Attributes;
use crate::import::fault::Fault;
use crate::import::rules::elementwise::binary;
use crate::import::rules::image::resample;
use crate::import::rules::view::{View, view};
use crate::import::tape::Tape;
use crate::import::value::{Array, Number, axis, sizes};
use autodiff_core::device::{BinaryOp, Dims, Interpolation};
use autodiff_core::tensor::Raw;

/// Where entries of the result stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    HalfPixel,
    PytorchHalfPixel,
    AlignCorners,
    Asymmetric,
}

/// How an axis gets another size.
struct Plan {
    axis: usize,
    from: usize,
    to: usize,
    scale: f64,
}

impl Plan {
    /// The position in the operand.
    fn position(&self, stand: Stand, i: usize) -> f64 {
        let x = i as f64;
        match stand {
            Stand::HalfPixel => (x + 0.5) / self.scale - 0.5,
            Stand::PytorchHalfPixel if self.to == 1 => 0.0,
            Stand::PytorchHalfPixel => (x + 0.5) / self.scale - 0.5,
            Stand::AlignCorners if self.to == 1 => 0.0,
            Stand::AlignCorners => x * (self.from as f64 - 1.0) / (self.to as f64 - 1.0),
            Stand::Asymmetric => x / self.scale,
        }
    }

    /// Whether the sizes alone tell the positions.
    fn is_exact(&self) -> bool {
        self.scale == self.to as f64 / self.from as f64
    }
}

fn rounded(attributes: &Attributes) -> Result<fn(f64) -> f64, Fault> {
    Ok(
        match attributes.text("nearest_mode", "round_prefer_floor") {
            "round_prefer_floor" => |x| (x - 0.5).ceil(),
            "round_prefer_ceil" => |x| (x + 0.5).floor(),
            "floor" => f64::floor,
            "ceil" => f64::ceil,
            other => return Err(attributes.wrong("nearest_mode", format!("is `{other}`"))),
        },
    )
}

/// One axis by the neighbours on both sides.
fn linear<T: Number>(
    tape: &Tape,
    x: &Array<T>,
    plan: &Plan,
    stand: Stand,
) -> Result<Array<T>, Fault> {
    let last = plan.from as f64 - 1.0;
    let at: Vec<f64> = (0..plan.to)
        .map(|i| plan.position(stand, i).clamp(0.0, last))
        .collect();
    let pick = |of: fn(f64, f64) -> f64| {
        let index = at.iter().map(|&x| of(x, last) as i64).collect();
        let how = View::Pick {
            axis: plan.axis,
            index,
        };
        view(tape, x, how)
    };
    let low = pick(|x, _| x.floor());
    let high = pick(|x, last| (x.floor() + 1.0).min(last));
    let weight: Vec<T> = at.iter().map(|x| T::lit(x - x.floor())).collect();
    let mut dims = vec![1; x.dims().rank() - plan.axis];
    dims[0] = plan.to;
    let weight = Raw::from_slice(x.raw.device(), &dims[..], &weight);
    let weight = Array::plain(weight, x.known);
    let step = binary(tape, BinaryOp::Sub, high, low.clone())?;
    binary(
        tape,
        BinaryOp::Add,
        low,
        binary(tape, BinaryOp::Mul, step, weight)?,
    )
}

/// The sizes and scales of the axes that change.
fn plans(call: &mut Call<'_>, dims: &Dims) -> Result<Vec<Plan>, Fault> {
    let numbers = |call: &mut Call<'_>, i: usize| match call.has(i) {
        true => call.numbers(i).map(Some),
        false => Ok(None),
    };
    let scales = numbers(call, 2)?.filter(|s| !s.is_empty());
    let wanted = numbers(call, 3)?.filter(|s| !s.is_empty());
    let rank = dims.rank();
    let axes: Vec<usize> = match call.attributes.integers("axes") {
        Some(axes) => {
            super::shape::axes_of(axes, rank)?;
            let all = axes.iter().map(|&a| axis(a, rank));
            all.collect::<Result<_, _>>()?
        }
        None => (0..rank).collect(),
    };
    let given = wanted.as_ref().or(scales.as_ref());
    let given = given.ok_or_else(|| Fault::sizes("neither sizes nor scales are given"))?;
    if given.len() != axes.len() {
        return Err(Fault::sizes(format!(
            "{} sizes or scales for {} axes",
            given.len(),
            axes.len()
        )));
    }
    let mut plans = Vec::new();
    for (&axis, &n) in axes.iter().zip(given) {
        let from = dims[axis];
        let (to, scale) = match (&wanted, from) {
            (Some(_), 0) => (n, 1.0),
            (Some(_), from) => (n, n / from as f64),
            // In `f32`, as exporters and onnxruntime do: 10 entries by 0.7 are 7.
            (None, from) => (f64::from((from as f32 * n as f32).floor()), n),
        };
        if !(0.0..1e15).contains(&to) || scale <= 0.0 || (from == 0 && to > 0.0) {
            return Err(Fault::sizes(format!(
                "an axis of {from} entries resized by {n}"
            )));
        }
        plans.push(Plan {
            axis,
            from,
            to: size(to as i64)?,
            scale,
        });
    }
    let all = plans.iter().fold(*dims, |d, p| d.with(p.axis, p.to));
    sizes(&all)?;
    plans.retain(|p| p.to != p.from || p.scale != 1.0);
    Ok(plans)
}

pub fn resize(call: &mut Call<'_>) -> Results {
    let attributes = call.attributes;
    let plain = [
        ("antialias", attributes.is_on("antialias")),
        ("exclude_outside", attributes.is_on("exclude_outside")),
        (
            "keep_aspect_ratio_policy",
            attributes.text("keep_aspect_ratio_policy", "stretch") != "stretch",
        ),
    ];
    if let Some((name, _)) = plain.iter().find(|p| p.1) {
        return Err(Fault::unsupported(format!("`{name}`"), ""));
    }
    let stand = match attributes.text("coordinate_transformation_mode", "half_pixel") {
        "half_pixel" => Stand::HalfPixel,
        "pytorch_half_pixel" => Stand::PytorchHalfPixel,
        "align_corners" => Stand::AlignCorners,
        "asymmetric" => Stand::Asymmetric,
        other => {
            let what = format!("`coordinate_transformation_mode = {other}`");
            return Err(Fault::unsupported(what, ""));
        }
    };
    let mode = attributes.text("mode", "nearest");
    let round = rounded(attributes)?;
    let dims = call.dims(0)?;
    let plans = plans(call, &dims)?;
    match mode {
        "nearest" => nearest(call, &plans, stand, round),
        "linear" => by_neighbours(call, &plans, stand),
        "cubic" => Err(Fault::unsupported("`mode = cubic`", "export with `linear`")),
        other => Err(attributes.wrong("mode", format!("is `{other}`"))),
    }
}

fn nearest(call: &mut Call<'_>, plans: &[Plan], stand: Stand, round: fn(f64) -> f64) -> Results {
    floats!(call, call.operand(0)?, x => {
        let mut x = x;
        for plan in plans {
            let last = plan.from as f64 - 1.0;
            let at = |i| round(plan.position(stand, i)).clamp(0.0, last) as i64;
            let how = View::Pick { axis: plan.axis, index: (0..plan.to).map(at).collect() };
            x = view(call.tape, &x, how);
        }
        array(x)
    })
}

fn by_neighbours(call: &mut Call<'_>, plans: &[Plan], stand: Stand) -> Results {
    floats!(call, call.operand(0)?, x => {
        let rank = x.dims().rank();
        // The kernel of the library does the last two axes at once, where the sizes tell the positions.
        let by = match stand {
            Stand::AlignCorners => Some(Interpolation::LinearAligned),
            Stand::HalfPixel => Some(Interpolation::Linear),
            Stand::PytorchHalfPixel if plans.iter().all(|p| p.to > 1) => Some(Interpolation::Linear),
            _ => None,
        };
        let last = plans.iter().all(|p| p.axis + 2 >= rank && (p.is_exact() || stand == Stand::AlignCorners));
        let shrinks = plans.iter().any(|p| p.to == 0);
        if let (Some(by), true, false) = (by, last && rank >= 3, shrinks) {
            let to = plans.iter().fold(*x.dims(), |d, p| d.with(p.axis, p.to));
            return match plans.is_empty() {
                true => array(x),
                false => array(resample(call.tape, by, &x, to, 2)),
            };
        }
        let mut x = x;
        for plan in plans {
            x = linear(call.tape, &x, plan, stand)?;
        }
        array(x)
    })
}
