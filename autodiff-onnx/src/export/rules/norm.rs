//! Normalisation of rows and channels.

use super::Rules;
use crate::export::OnnxError;
use crate::export::build::Tensor;
use crate::export::ir::{Attr, Id};
use crate::export::lower::Lower;
use autodiff_core::device::NormShape;
use autodiff_core::device::record::Node;

pub const RULES: Rules = &[
    ("norm", norm),
    ("norm_pullback", norm_pullback),
    ("norm_pushforward", norm_pushforward),
    ("channel_affine", channel_affine),
    ("channel_moments", channel_moments),
];

/// The rows of a norm: their number, the groups, channels of a group, entries of a channel.
fn sizes(s: &NormShape) -> [usize; 4] {
    let rows = s.rows.checked_div(s.groups).unwrap_or(0);
    [rows, s.groups, s.per_group, s.inner]
}

/// The mean of each row, and `1/√(variance + ε)`.
fn stats(cx: &mut Lower<'_>, s: &NormShape, x: &Tensor) -> (Option<Tensor>, Tensor) {
    let mean = s.centred.then(|| cx.ir.reduce("ReduceMean", x, &[2, 3]));
    let off = mean.as_ref().map_or(x.clone(), |mean| cx.ir.sub(x, mean));
    let squares = cx.ir.mul(&off, &off);
    let variance = cx.ir.reduce("ReduceMean", &squares, &[2, 3]);
    let variance = cx.ir.plus(&variance, s.eps);
    let root = cx.ir.unary("Sqrt", &variance);
    (mean, cx.ir.unary("Reciprocal", &root))
}

fn norm(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let s = cx.attribute::<NormShape>(node, "shape")?;
    let all = cx.operands(node)?;
    let y = of_layers(cx, &s, &all).unwrap_or_else(|| of_groups(cx, &s, &all));
    cx.write(node, 0, &y);
    // The numbers for the derivatives, which go with the operators if nobody wants them.
    let x = cx.ir.reshape(&all[0], &sizes(&s));
    let (mean, r) = stats(cx, &s, &x);
    let zero = cx.ir.scalar(cx.ir.element(&x), 0.0);
    let zero = cx.ir.repeated(&zero, &r.dims);
    let kept = cx.ir.concat(2, &[mean.unwrap_or(zero.clone()), zero, r]);
    cx.write(node, 1, &kept);
    Ok(())
}

/// Rows that are the last axes of `x`, with a channel for each entry: layer norm.
fn of_layers(cx: &mut Lower<'_>, s: &NormShape, all: &[Tensor]) -> Option<Tensor> {
    let x = &all[0];
    if !s.centred || s.groups != 1 || s.inner != 1 {
        return None;
    }
    let ends = |a: usize| x.dims[a..].iter().product::<usize>() == s.width;
    let axis = (0..x.dims.len()).rev().find(|&a| ends(a))?;
    let id = cx.ir.full(x);
    let [scale, shift] = [&all[1], &all[2]].map(|c| {
        let c = cx.ir.reshape(c, &x.dims[axis..]);
        cx.ir.full(&c)
    });
    let axis = axis as i64 - x.dims.len() as i64;
    let attributes = [
        ("axis", Attr::Int(axis)),
        ("epsilon", Attr::Float(s.eps as f32)),
    ];
    let element = cx.ir.element(x);
    let id = cx.ir.make(
        "LayerNormalization",
        &[id, scale, shift],
        &attributes,
        element,
        &x.dims,
    );
    Some(cx.ir.whole(id))
}

/// `γ·(x − mean)/√(variance + ε) + β` for any rows.
fn of_groups(cx: &mut Lower<'_>, s: &NormShape, all: &[Tensor]) -> Tensor {
    let [n, g, p, i] = sizes(s);
    let x = cx.ir.reshape(&all[0], &[n, g, p, i]);
    let [scale, shift] = [&all[1], &all[2]].map(|c| cx.ir.reshape(c, &[1, g, p, 1]));
    let hat = normalised(cx, s, &x);
    let y = cx.ir.mul(&hat, &scale);
    let y = cx.ir.add(&y, &shift);
    cx.ir.reshape(&y, &all[0].dims)
}

/// `x̂` of rows.
fn normalised(cx: &mut Lower<'_>, s: &NormShape, x: &Tensor) -> Tensor {
    let (mean, r) = stats(cx, s, x);
    let off = mean.map_or(x.clone(), |mean| cx.ir.sub(x, &mean));
    cx.ir.mul(&off, &r)
}

/// The derivative of `x̂`, a symmetric map: `r·(t − mean(t) − x̂·mean(x̂·t))`.
fn along_rows(cx: &mut Lower<'_>, s: &NormShape, x: &Tensor, t: &Tensor) -> Tensor {
    let hat = normalised(cx, s, x);
    let (_, r) = stats(cx, s, x);
    let products = cx.ir.mul(&hat, t);
    let slope = cx.ir.reduce("ReduceMean", &products, &[2, 3]);
    let back = cx.ir.mul(&hat, &slope);
    let mut out = cx.ir.sub(t, &back);
    if s.centred {
        let mean = cx.ir.reduce("ReduceMean", t, &[2, 3]);
        out = cx.ir.sub(&out, &mean);
    }
    cx.ir.mul(&out, &r)
}

fn norm_pullback(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let s = cx.attribute::<NormShape>(node, "shape")?;
    let all = cx.operands(node)?;
    let [n, g, p, i] = sizes(&s);
    let [x, ct] = [&all[0], &all[3]].map(|x| cx.ir.reshape(x, &[n, g, p, i]));
    let scale = cx.ir.reshape(&all[2], &[1, g, p, 1]);
    let scaled = cx.ir.mul(&ct, &scale);
    let d_x = along_rows(cx, &s, &x, &scaled);
    let hat = normalised(cx, &s, &x);
    let products = cx.ir.mul(&hat, &ct);
    let [d_scale, d_shift] = [products, ct].map(|x| cx.ir.reduce("ReduceSum", &x, &[0, 3]));
    for (k, d) in [d_x, d_scale, d_shift].iter().enumerate() {
        cx.write(node, k, d);
    }
    Ok(())
}

fn norm_pushforward(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let s = cx.attribute::<NormShape>(node, "shape")?;
    let all = cx.operands(node)?;
    let [x, t] = [&all[0], &all[2]].map(|x| cx.ir.reshape(x, &sizes(&s)));
    let y = along_rows(cx, &s, &x, &t);
    cx.write(node, 0, &y);
    Ok(())
}

/// A tensor and numbers of its channels, so that they broadcast.
fn channels(cx: &mut Lower<'_>, node: &Node) -> Result<(Tensor, Vec<Tensor>), OnnxError> {
    let s = cx.attribute::<[usize; 3]>(node, "sizes")?;
    let mut all = cx.operands(node)?;
    let x = all.remove(0);
    // Images as they are, if their second axis is that of the channels.
    let as_is = x.dims.len() >= 2 && x.dims[..2] == s[..2];
    let mut dims = if as_is { x.dims.clone() } else { s.to_vec() };
    let x = cx.ir.reshape(&x, &dims);
    dims.iter_mut()
        .enumerate()
        .filter(|(i, _)| *i != 1)
        .for_each(|(_, n)| *n = 1);
    let of = |c: &Tensor| match c.dims.iter().product::<usize>() == s[1] {
        true => cx.ir.reshape(c, &dims),
        false => cx.ir.reshape(c, &x.dims),
    };
    let rest = all.iter().map(of).collect();
    Ok((x, rest))
}

/// `γ/√(v + ε)`, as batch norm makes it in evaluation: `γ`, `v` and `ε`.
fn of_variance(cx: &Lower<'_>, scale: &Tensor) -> Option<(Id, Id, f64)> {
    let inputs = |id: Id, operator: &str| {
        let node = cx.ir.maker(id).filter(|n| n.operator == operator)?;
        Some((node.inputs[0]?, node.inputs.get(1).copied().flatten()))
    };
    let (gamma, inverse) = inputs(scale.id, "Mul")?;
    let (one, root) = inputs(inverse?, "Div")?;
    let (sum, _) = inputs(root?, "Sqrt")?;
    let (variance, eps) = inputs(sum, "Add")?;
    let eps = cx.ir.number(eps?)?;
    (cx.ir.number(one) == Some(1.0)).then_some((gamma, variance, eps))
}

fn channel_affine(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let (x, c) = channels(cx, node)?;
    let raw = cx.operands(node)?;
    let [n, ..] = cx.attribute::<[usize; 3]>(node, "sizes")?;
    if let Some((gamma, variance, eps)) = of_variance(cx, &raw[2])
        && x.dims.len() > 2
        && x.dims[0] == n
    {
        let (centre, shift) = (cx.ir.full(&raw[1]), cx.ir.full(&raw[3]));
        let x_id = cx.ir.full(&x);
        let channels = [x.dims[1]];
        let inputs = [x_id, gamma, shift, centre, variance];
        if inputs[1..].iter().all(|&id| cx.ir.dims(id) == channels) {
            let eps = [("epsilon", Attr::Float(eps as f32))];
            let element = cx.ir.element(&x);
            let id = cx
                .ir
                .make("BatchNormalization", &inputs, &eps, element, &x.dims);
            let y = cx.ir.whole(id);
            cx.write(node, 0, &y);
            return Ok(());
        }
    }
    let off = cx.ir.sub(&x, &c[0]);
    let scaled = cx.ir.mul(&off, &c[1]);
    let y = cx.ir.add(&scaled, &c[2]);
    cx.write(node, 0, &y);
    Ok(())
}

fn channel_moments(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let (x, c) = channels(cx, node)?;
    let off = cx.ir.sub(&x, &c[0]);
    let ct = cx.ir.reshape(&c[1], &x.dims);
    let products = cx.ir.mul(&off, &ct);
    let axes: Vec<usize> = (0..x.dims.len())
        .filter(|&a| a != 1 && x.dims[a] != 1)
        .collect();
    let y = match axes.is_empty() {
        true => products,
        false => cx.ir.reduce("ReduceSum", &products, &axes),
    };
    cx.write(node, 0, &y);
    Ok(())
}
