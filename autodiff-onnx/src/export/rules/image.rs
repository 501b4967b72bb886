//! Convolutions, pooling, resampling.

use super::Rules;
use crate::export::OnnxError;
use crate::export::build::Tensor;
use crate::export::ir::Attr;
use crate::export::lower::Lower;
use crate::proto::{ElementType, TensorProto};
use autodiff_core::device::record::Node;
use autodiff_core::device::{ConvShape, Interpolation, PoolOp, PoolShape, Resample, Windows};

pub const RULES: Rules = &[
    ("conv", conv),
    ("conv_input", conv_input),
    ("conv_weight", conv_weight),
    ("unfold_windows", unfold_windows),
    ("fold_windows", fold_windows),
    ("pool", pool),
    ("pool_pullback", pool_pullback),
    ("pool_pushforward", pool_pushforward),
    ("resample", resample),
    ("resample_pullback", resample_pullback),
];

/// An attribute for each of the last `n` axes.
fn last(x: &[usize; 3], n: usize) -> Attr {
    Attr::Ints(x[3 - n..].iter().map(|&x| x as i64).collect())
}

fn pads(w: &Windows, n: usize) -> Attr {
    let one = &w.pad[3 - n..];
    Attr::Ints(one.iter().chain(one).map(|&x| x as i64).collect())
}

/// How windows move over the last `n` axes.
fn moves(w: &Windows, n: usize) -> Vec<(&'static str, Attr)> {
    vec![
        ("kernel_shape", last(&w.size, n)),
        ("strides", last(&w.stride, n)),
        ("pads", pads(w, n)),
        ("dilations", last(&w.dilation, n)),
    ]
}

/// `[a, b]` and the last `n` of three sizes.
fn dims_of(a: usize, b: usize, spatial: &[usize; 3], n: usize) -> Vec<usize> {
    let mut dims = vec![a, b];
    dims.extend_from_slice(&spatial[3 - n..]);
    dims
}

/// With these sizes, and all written out.
fn shaped(cx: &mut Lower<'_>, x: &Tensor, dims: &[usize]) -> Tensor {
    let x = cx.ir.reshape(x, dims);
    let id = cx.ir.full(&x);
    cx.ir.whole(id)
}

/// The number of axes that windows move over: those that are not all of size 1, of the rank of an operand if it has one.
fn axes(s: &ConvShape, x: &Tensor) -> usize {
    match x.dims.len() {
        rank @ 3..=5 => rank - 2,
        _ => {
            let ones = (0..3)
                .take_while(|&i| s.input[i] == 1 && s.windows.size[i] == 1)
                .count();
            (3 - ones).max(1)
        }
    }
}

fn conv(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let s = cx.attribute::<ConvShape>(node, "shape")?;
    let all = cx.operands(node)?;
    let n = axes(&s, &all[0]);
    let x = shaped(cx, &all[0], &dims_of(s.images, s.channels, &s.input, n));
    let weight = dims_of(s.out_channels, s.channels / s.groups, &s.windows.size, n);
    let w = shaped(cx, &all[1], &weight);
    let mut attributes = moves(&s.windows, n);
    attributes.push(("group", Attr::Int(s.groups as i64)));
    let dims = dims_of(s.images, s.out_channels, &s.output, n);
    let element = cx.ir.element(&x);
    let id = cx
        .ir
        .make("Conv", &[x.id, w.id], &attributes, element, &dims);
    let y = cx.ir.whole(id);
    cx.write(node, 0, &y);
    Ok(())
}

/// The transposed convolution: what each entry of the input of windows gets back.
fn back(
    cx: &mut Lower<'_>,
    s: &ConvShape,
    n: usize,
    w: &Tensor,
    ct: &Tensor,
    groups: usize,
) -> Tensor {
    let win = &s.windows;
    // The entries behind the last window.
    let rest = [0, 1, 2].map(|i| {
        let reached = (s.output[i] - 1) * win.stride[i] + win.reach(i);
        s.input[i] + 2 * win.pad[i] - reached
    });
    let mut attributes = moves(win, n);
    attributes.push(("output_padding", last(&rest, n)));
    attributes.push(("group", Attr::Int(groups as i64)));
    let dims = dims_of(s.images, s.channels, &s.input, n);
    let element = cx.ir.element(ct);
    let id = cx
        .ir
        .make("ConvTranspose", &[ct.id, w.id], &attributes, element, &dims);
    cx.ir.whole(id)
}

fn conv_input(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let s = cx.attribute::<ConvShape>(node, "shape")?;
    let all = cx.operands(node)?;
    let n = axes(&s, &all[1]);
    let weight = dims_of(s.out_channels, s.channels / s.groups, &s.windows.size, n);
    let w = shaped(cx, &all[0], &weight);
    let ct = shaped(
        cx,
        &all[1],
        &dims_of(s.images, s.out_channels, &s.output, n),
    );
    let y = back(cx, &s, n, &w, &ct, s.groups);
    cx.write(node, 0, &y);
    Ok(())
}

/// A convolution with the axes exchanged: images are summed over, and windows step by the dilation.
fn conv_weight(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let s = cx.attribute::<ConvShape>(node, "shape")?;
    let all = cx.operands(node)?;
    let (n, g, w) = (axes(&s, &all[0]), s.groups, &s.windows);
    let (own, out) = (s.channels / g, s.out_channels);
    // Channels of a group, groups and images, positions.
    let mut dims = vec![s.images, g, own];
    dims.extend_from_slice(&s.input[3 - n..]);
    let x = cx.ir.reshape(&all[0], &dims);
    let spatial = 3..3 + n;
    let order: Vec<usize> = [2, 1, 0].into_iter().chain(spatial).collect();
    let x = cx.ir.transpose(&x, &order);
    let x = shaped(cx, &x, &dims_of(own, g * s.images, &s.input, n));
    let ct = cx
        .ir
        .reshape(&all[1], &dims_of(s.images, out, &s.output, n));
    let mut order: Vec<usize> = (0..2 + n).collect();
    order.swap(0, 1);
    let ct = cx.ir.transpose(&ct, &order);
    let ct = shaped(cx, &ct, &dims_of(out, s.images, &s.output, n));
    let swapped = Windows {
        size: s.output,
        stride: w.dilation,
        dilation: w.stride,
        pad: w.pad,
    };
    let mut attributes = moves(&swapped, n);
    attributes.push(("group", Attr::Int(g as i64)));
    let made = [0, 1, 2].map(|i| swapped.positions(i, s.input[i]));
    let element = cx.ir.element(&x);
    let id = cx.ir.make(
        "Conv",
        &[x.id, ct.id],
        &attributes,
        element,
        &dims_of(own, out, &made, n),
    );
    let mut y = cx.ir.whole(id);
    // Windows that the last entries would have begun.
    for i in 0..n {
        y = cx.ir.narrow(&y, 2 + i, 0, w.size[3 - n + i]);
    }
    let y = cx.ir.transpose(&y, &order);
    cx.write(node, 0, &y);
    Ok(())
}

/// Weights that pick one entry of the window each, for each channel.
fn picks(cx: &mut Lower<'_>, s: &ConvShape, n: usize, element: ElementType) -> Tensor {
    let volume = s.windows.volume();
    let dims = dims_of(s.channels * volume, 1, &s.windows.size, n);
    let one = |i: usize| {
        if i / volume % volume == i % volume {
            1.0
        } else {
            0.0
        }
    };
    let all: Vec<f64> = (0..s.channels * volume * volume).map(one).collect();
    cx.ir.numbers(element, &dims, &all)
}

fn unfold_windows(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let s = cx.attribute::<ConvShape>(node, "shape")?;
    let x = cx.operands(node)?.remove(0);
    let n = axes(&s, &x);
    let x = shaped(cx, &x, &dims_of(s.images, s.channels, &s.input, n));
    let element = cx.ir.element(&x);
    let w = picks(cx, &s, n, element);
    let mut attributes = moves(&s.windows, n);
    attributes.push(("group", Attr::Int(s.channels as i64)));
    let dims = dims_of(s.images, s.channels * s.windows.volume(), &s.output, n);
    let id = cx
        .ir
        .make("Conv", &[x.id, w.id], &attributes, element, &dims);
    let y = cx.ir.whole(id);
    cx.write(node, 0, &y);
    Ok(())
}

fn fold_windows(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let s = cx.attribute::<ConvShape>(node, "shape")?;
    let matrix = cx.operands(node)?.remove(0);
    let ones = (0..3)
        .take_while(|&i| s.input[i] == 1 && s.windows.size[i] == 1)
        .count();
    let n = (3 - ones).max(1);
    let ct = dims_of(s.images, s.channels * s.windows.volume(), &s.output, n);
    let ct = shaped(cx, &matrix, &ct);
    let w = picks(cx, &s, n, cx.ir.element(&matrix));
    let y = back(cx, &s, n, &w, &ct, s.channels);
    cx.write(node, 0, &y);
    Ok(())
}

/// The windows of a pooling, and the number of axes that they move over. Windows that part an input evenly are ordinary ones
/// where the sizes divide.
fn windows(node: &Node, s: &PoolShape) -> Result<(Windows, usize), OnnxError> {
    let ones = (0..3)
        .take_while(|&i| s.input[i] == 1 && s.output[i] == 1)
        .count();
    let n = (3 - ones).max(1);
    if let Some(windows) = s.windows {
        return Ok((windows, n));
    }
    if (0..3).any(|i| !s.input[i].is_multiple_of(s.output[i])) {
        return Err(OnnxError::of(
            node,
            format!(
                "windows of different sizes part {:?} into {:?}; use sizes that divide, or an ordinary pooling",
                s.input, s.output
            ),
        ));
    }
    let size = [0, 1, 2].map(|i| s.input[i] / s.output[i]);
    let windows = Windows {
        size,
        stride: size,
        pad: [0; 3],
        dilation: [1; 3],
    };
    Ok((windows, n))
}

/// The operand as the program has it, if its last axes are those that windows move over: images, channels and these.
fn pooled(cx: &mut Lower<'_>, x: &Tensor, spatial: &[usize; 3], n: usize, rows: usize) -> Tensor {
    let rank = x.dims.len();
    let as_is = rank == n + 2 && x.dims[2..] == spatial[3 - n..];
    let dims = match as_is {
        true => x.dims.clone(),
        false => dims_of(rows, 1, spatial, n),
    };
    shaped(cx, x, &dims)
}

fn pool(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<PoolOp>(node, "op")?;
    let s = cx.attribute::<PoolShape>(node, "shape")?;
    let (w, n) = windows(node, &s)?;
    let x = cx.operands(node)?.remove(0);
    let x = pooled(cx, &x, &s.input, n, s.rows);
    let y = over_windows(cx, op, &s, &w, n, &x);
    cx.write(node, 0, &y);
    Ok(())
}

fn over_windows(
    cx: &mut Lower<'_>,
    op: PoolOp,
    s: &PoolShape,
    w: &Windows,
    n: usize,
    x: &Tensor,
) -> Tensor {
    let dims = dims_of(x.dims[0], x.dims[1], &s.output, n);
    let element = cx.ir.element(x);
    let all = w.size[3 - n..] == s.input[3 - n..] && w.pad == [0; 3];
    let id = match op {
        PoolOp::Mean if all => cx
            .ir
            .make("GlobalAveragePool", &[x.id], &[], element, &dims),
        PoolOp::Max if all => cx.ir.make("GlobalMaxPool", &[x.id], &[], element, &dims),
        PoolOp::Max => cx.ir.make("MaxPool", &[x.id], &moves(w, n), element, &dims),
        PoolOp::Mean if w.dilation == [1; 3] => {
            let mut attributes = moves(w, n);
            attributes.pop();
            attributes.push(("count_include_pad", Attr::Int(1)));
            cx.ir
                .make("AveragePool", &[x.id], &attributes, element, &dims)
        }
        PoolOp::Mean => {
            // Windows with gaps: a convolution of each row by itself.
            let rows = s.rows;
            let x = shaped(cx, x, &dims_of(rows, 1, &s.input, n));
            let weights = means(cx, w, n, element);
            let y = dims_of(rows, 1, &s.output, n);
            let id = cx
                .ir
                .make("Conv", &[x.id, weights.id], &moves(w, n), element, &y);
            let y = cx.ir.whole(id);
            return cx.ir.reshape(&y, &dims);
        }
    };
    cx.ir.whole(id)
}

/// The weights of a mean.
fn means(cx: &mut Lower<'_>, w: &Windows, n: usize, element: ElementType) -> Tensor {
    let one = cx.ir.scalar(element, 1.0 / w.volume() as f64);
    let all = cx.ir.repeated(&one, &dims_of(1, 1, &w.size, n));
    let id = cx.ir.full(&all);
    cx.ir.whole(id)
}

/// The positions, among all elements of the input, of the largest of each window.
fn largest(cx: &mut Lower<'_>, s: &PoolShape, w: &Windows, n: usize, x: &Tensor) -> Tensor {
    let dims = dims_of(s.rows, 1, &s.output, n);
    let outputs = [(cx.ir.element(x), &dims[..]), (ElementType::I64, &dims)];
    let made = cx.ir.node("MaxPool", &[Some(x.id)], &moves(w, n), &outputs);
    let index = cx.ir.whole(made[1]);
    cx.ir.reshape(&index, &[dims.iter().product()])
}

fn pool_pullback(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let op = cx.attribute::<PoolOp>(node, "op")?;
    let s = cx.attribute::<PoolShape>(node, "shape")?;
    let (w, n) = windows(node, &s)?;
    let all = cx.operands(node)?;
    let element = cx.ir.element(&all[1]);
    let (input, output) = (
        dims_of(s.rows, 1, &s.input, n),
        dims_of(s.rows, 1, &s.output, n),
    );
    let ct = shaped(cx, &all[1], &output);
    let y = match op {
        PoolOp::Mean => {
            let weights = means(cx, &w, n, element);
            let conv = ConvShape {
                images: s.rows,
                channels: 1,
                out_channels: 1,
                groups: 1,
                windows: w,
                input: s.input,
                output: s.output,
            };
            back(cx, &conv, n, &weights, &ct, 1)
        }
        PoolOp::Max => {
            let x = shaped(cx, &all[0], &input);
            let index = largest(cx, &s, &w, n, &x);
            let count = [input.iter().product()];
            let zero = cx.ir.scalar(element, 0.0);
            let zeros = cx.ir.repeated(&zero, &count);
            let zeros = cx.ir.full(&zeros);
            let ct = cx.ir.reshape(&ct, &index.dims);
            let add = [("axis", Attr::Int(0)), ("reduction", Attr::Text("add"))];
            let inputs = [zeros, index.id, ct.id];
            let id = cx
                .ir
                .make("ScatterElements", &inputs, &add, element, &count);
            cx.ir.whole(id)
        }
    };
    cx.write(node, 0, &y);
    Ok(())
}

/// The tangent of the largest entry of each window.
fn pool_pushforward(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let s = cx.attribute::<PoolShape>(node, "shape")?;
    let (w, n) = windows(node, &s)?;
    let all = cx.operands(node)?;
    let input = dims_of(s.rows, 1, &s.input, n);
    let x = shaped(cx, &all[0], &input);
    let index = largest(cx, &s, &w, n, &x);
    let t = shaped(cx, &all[1], &[input.iter().product()]);
    let element = cx.ir.element(&t);
    let id = cx.ir.make(
        "Gather",
        &[t.id, index.id],
        &[("axis", Attr::Int(0))],
        element,
        &index.dims,
    );
    let y = cx.ir.whole(id);
    cx.write(node, 0, &y);
    Ok(())
}

/// The weights with which `n` entries make `m`, as a matrix of `m` rows.
fn weights(by: Interpolation, n: usize, m: usize) -> Vec<f64> {
    let mut all = vec![0.0; n * m];
    for i in 0..m {
        let (at, second) = by.neighbours(i, n, m);
        all[i * n + at] += 1.0 - second;
        if second != 0.0 {
            all[i * n + at + 1] += second;
        }
    }
    all
}

fn resample(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let s = cx.attribute::<Resample>(node, "shape")?;
    let x = cx.operands(node)?.remove(0);
    let rank = x.dims.len();
    // As `Resize` takes images: images, channels, height, width.
    let as_is = rank == 4 && x.dims[2..] == s.input;
    let (a, b) = if as_is {
        (x.dims[0], x.dims[1])
    } else {
        (s.images, 1)
    };
    let x = shaped(cx, &x, &[a, b, s.input[0], s.input[1]]);
    let dims = [a, b, s.output[0], s.output[1]];
    let element = cx.ir.element(&x);
    let divides = (0..2).all(|i| s.output[i].is_multiple_of(s.input[i]));
    let mode: Option<[(&'static str, &'static str); 3]> = match s.by {
        // Of other sizes the operator rounds to another neighbour.
        Interpolation::Nearest if divides => Some([
            ("mode", "nearest"),
            ("coordinate_transformation_mode", "asymmetric"),
            ("nearest_mode", "floor"),
        ]),
        Interpolation::Nearest => None,
        Interpolation::Linear => Some([
            ("mode", "linear"),
            ("coordinate_transformation_mode", "half_pixel"),
            ("nearest_mode", "floor"),
        ]),
        Interpolation::LinearAligned => Some([
            ("mode", "linear"),
            ("coordinate_transformation_mode", "align_corners"),
            ("nearest_mode", "floor"),
        ]),
    };
    let y = if let Some(mode) = mode {
        let attributes = mode.map(|(name, text)| (name, Attr::Text(text)));
        let sizes = dims.map(|n| n as i64);
        let sizes = cx.ir.sizes(&sizes);
        let inputs = [Some(x.id), None, None, Some(sizes)];
        let made = cx
            .ir
            .node("Resize", &inputs, &attributes, &[(element, &dims)]);
        cx.ir.whole(made[0])
    } else {
        let mut y = x;
        for (i, axis) in [2, 3].into_iter().enumerate() {
            let (n, m) = (s.input[i], s.output[i]);
            let index: Vec<i64> = (0..m).map(|k| s.by.neighbours(k, n, m).0 as i64).collect();
            let index = cx.ir.constant(TensorProto::new("", &[m], &index));
            let mut dims = y.dims.clone();
            dims[axis] = m;
            let axis = [("axis", Attr::Int(axis as i64))];
            let id = cx.ir.make("Gather", &[y.id, index], &axis, element, &dims);
            y = cx.ir.whole(id);
        }
        y
    };
    cx.write(node, 0, &y);
    Ok(())
}

/// The transpose of the linear map: products with its weights.
fn resample_pullback(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let s = cx.attribute::<Resample>(node, "shape")?;
    let ct = cx.operands(node)?.remove(0);
    let ct = cx.ir.reshape(&ct, &[s.images, s.output[0], s.output[1]]);
    let element = cx.ir.element(&ct);
    let [rows, columns] = [0, 1].map(|i| {
        let (n, m) = (s.input[i], s.output[i]);
        cx.ir.numbers(element, &[m, n], &weights(s.by, n, m))
    });
    let back = cx.ir.matmul(&ct, &columns);
    let rows = cx.ir.transposed(&rows);
    let y = cx.ir.matmul(&rows, &back);
    cx.write(node, 0, &y);
    Ok(())
}
