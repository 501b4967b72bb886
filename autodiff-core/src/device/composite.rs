//! Operations composed of those that every machine has, one function for each line `composed` of the seam.
//!
//! A machine that adds nothing runs them, at several launches an operation and without a copy to the host. The
//! formulas are those of the kernels; their order of sums is the machine's.

use super::*;
use BinaryOp::{Add, Div, Mul, Sub};

/// A tensor on the way.
struct Temp<T: Elem, D: Backend> {
    buf: D::Buf<T>,
    layout: Layout,
}

impl<T: Elem, D: Backend> Temp<T, D> {
    fn new(device: &D, dims: Dims) -> Self {
        Temp {
            buf: device.alloc(dims.numel()),
            layout: Layout::dense(dims),
        }
    }
    fn view(&self) -> View<'_, T, D> {
        View {
            buf: &self.buf,
            layout: self.layout,
        }
    }
    fn x(&self) -> Operand<'_, T, D> {
        Operand::View(self.view())
    }
    fn out(&mut self) -> ViewMut<'_, T, D> {
        ViewMut {
            buf: &mut self.buf,
            layout: self.layout,
        }
    }
}

/// `op(a, b)` of these sizes.
#[track_caller]
fn zip<T: Float, D: Backend>(
    device: &D,
    op: BinaryOp,
    a: Operand<'_, T, D>,
    b: Operand<'_, T, D>,
    dims: Dims,
) -> Temp<T, D> {
    let mut out = Temp::new(device, dims);
    device.binary(op, a, b, Write::Set, out.out());
    out
}

#[track_caller]
fn apply<T: Float, D: Backend>(device: &D, op: UnaryOp, x: View<'_, T, D>) -> Temp<T, D> {
    let mut out = Temp::new(device, *x.layout.dims());
    device.unary(op, Operand::View(x), out.out());
    out
}

/// Reduced to these sizes.
#[track_caller]
fn reduced<T: Float, D: Backend>(
    device: &D,
    op: ReduceOp,
    x: View<'_, T, D>,
    dims: Dims,
) -> Temp<T, D> {
    let mut out = Temp::new(device, dims);
    device.reduce(op, x, Write::Set, out.out());
    out
}

/// `out ← op(out, x)`.
#[track_caller]
fn assign<T: Float, D: Backend>(
    device: &D,
    op: BinaryOp,
    out: &mut ViewMut<'_, T, D>,
    x: Operand<'_, T, D>,
) {
    device.binary(op, Operand::Output, x, Write::Set, again(out));
}

fn again<'a, T: Elem, D: Backend>(x: &'a mut ViewMut<'_, T, D>) -> ViewMut<'a, T, D> {
    ViewMut {
        buf: x.buf,
        layout: x.layout,
    }
}

fn read<'a, T: Elem, D: Backend>(x: &'a ViewMut<'_, T, D>) -> View<'a, T, D> {
    View {
        buf: &*x.buf,
        layout: x.layout,
    }
}

/// A dense operand in other sizes.
fn shaped<'a, T: Elem, D: Backend>(x: View<'a, T, D>, dims: &[usize]) -> View<'a, T, D> {
    View {
        buf: x.buf,
        layout: reshaped(x.layout, dims),
    }
}

fn shaped_mut<'a, T: Elem, D: Backend>(x: ViewMut<'a, T, D>, dims: &[usize]) -> ViewMut<'a, T, D> {
    ViewMut {
        layout: reshaped(x.layout, dims),
        buf: x.buf,
    }
}

fn reshaped(layout: Layout, dims: &[usize]) -> Layout {
    let dense = layout.reshape(Dims::new(dims));
    dense.expect("this operand is dense")
}

/// The sizes with 1 for the last.
fn row_dims(dims: &Dims) -> Dims {
    dims.with(dims.rank() - 1, 1)
}

#[track_caller]
pub(super) fn add_scaled<T: Float, D: Backend>(
    device: &D,
    alpha: T,
    x: View<'_, T, D>,
    mut y: ViewMut<'_, T, D>,
) {
    let dims = *y.layout.dims();
    let scaled = zip(device, Mul, Operand::View(x), Operand::Scalar(alpha), dims);
    if y.layout.is_contiguous() {
        return assign(device, Add, &mut y, scaled.x());
    }
    let sum = zip(device, Add, Operand::View(read(&y)), scaled.x(), dims);
    device.copy(sum.view(), y);
}

#[track_caller]
pub(super) fn extreme_pullback<T: Float, D: Backend>(
    device: &D,
    x: View<'_, T, D>,
    y: View<'_, T, D>,
    ct: View<'_, T, D>,
    write: Write,
    out: ViewMut<'_, T, D>,
) {
    let (dims, kept) = (*x.layout.dims(), *y.layout.dims());
    let mut equal = Temp::new(device, dims);
    let all = View {
        layout: y.layout.expand(&dims),
        ..y
    };
    device.compare(CompareOp::Eq, x, all, equal.out());
    let mut equals = Temp::<T, D>::new(device, dims);
    device.cast(equal.view(), equals.out());
    let hits = reduced(device, ReduceOp::Sum, equals.view(), kept);
    // NaN where nothing is equal, which is where `y` is NaN.
    let share = zip(device, Div, Operand::View(ct), hits.x(), kept);
    device.binary(Mul, equals.x(), share.x(), write, out);
}

#[track_caller]
pub(super) fn softmax<T: Float, D: Backend>(
    device: &D,
    op: SoftmaxOp,
    x: View<'_, T, D>,
    mut out: ViewMut<'_, T, D>,
) {
    let dims = *x.layout.dims();
    let below = below_largest(device, x);
    let powers = apply(device, UnaryOp::Exp, below.view());
    let sum = reduced(device, ReduceOp::Sum, powers.view(), row_dims(&dims));
    match op {
        SoftmaxOp::Softmax => device.binary(Div, powers.x(), sum.x(), Write::Set, again(&mut out)),
        SoftmaxOp::LogSoftmax => {
            let log = apply(device, UnaryOp::Ln, sum.view());
            device.binary(Sub, below.x(), log.x(), Write::Set, again(&mut out));
        }
    }
}

/// The distances of the elements of rows from the largest.
#[track_caller]
fn below_largest<T: Float, D: Backend>(device: &D, x: View<'_, T, D>) -> Temp<T, D> {
    let dims = *x.layout.dims();
    let largest = reduced(device, ReduceOp::Max, x, row_dims(&dims));
    zip(device, Sub, Operand::View(x), largest.x(), dims)
}

#[track_caller]
pub(super) fn softmax_pullback<T: Float, D: Backend>(
    device: &D,
    op: SoftmaxOp,
    y: View<'_, T, D>,
    ct: View<'_, T, D>,
    write: Write,
    out: ViewMut<'_, T, D>,
) {
    let dims = *y.layout.dims();
    let (y, ct_x) = (Operand::View(y), Operand::View(ct));
    match op {
        // y·(ct − Σ ct·y)
        SoftmaxOp::Softmax => {
            let products = zip(device, Mul, ct_x, y, dims);
            let sum = reduced(device, ReduceOp::Sum, products.view(), row_dims(&dims));
            let off = zip(device, Sub, ct_x, sum.x(), dims);
            device.binary(Mul, y, off.x(), write, out);
        }
        // ct − eʸ·Σ ct
        SoftmaxOp::LogSoftmax => {
            let sum = reduced(device, ReduceOp::Sum, ct, row_dims(&dims));
            let mut powers = Temp::new(device, dims);
            device.unary(UnaryOp::Exp, y, powers.out());
            let share = zip(device, Mul, powers.x(), sum.x(), dims);
            device.binary(Sub, ct_x, share.x(), write, out);
        }
    }
}

#[track_caller]
pub(super) fn cross_entropy<T: Float, I: Index, D: Backend>(
    device: &D,
    x: View<'_, T, D>,
    targets: View<'_, I, D>,
    lse: ViewMut<'_, T, D>,
    loss: ViewMut<'_, T, D>,
) -> Result<(), IndexError> {
    let rows = x.layout.dims()[0];
    let column = Dims::new(&[rows, 1]);
    let below = below_largest(device, x);
    let powers = apply(device, UnaryOp::Exp, below.view());
    let sum = reduced(device, ReduceOp::Sum, powers.view(), column);
    let log = apply(device, UnaryOp::Ln, sum.view());
    let mut picked = Temp::new(device, column);
    let targets = View {
        layout: targets.layout.unsqueeze(1),
        ..targets
    };
    device.take_along(1, below.view(), targets, picked.out())?;
    let losses = zip(device, Sub, log.x(), picked.x(), column);
    device.copy(log.view(), shaped_mut(lse, &[rows, 1]));
    let mean = reduced(device, ReduceOp::Mean, losses.view(), Dims::new(&[1, 1]));
    device.copy(shaped(mean.view(), &[]), loss);
    Ok(())
}

#[track_caller]
pub(super) fn cross_entropy_pullback<T: Float, I: Index, D: Backend>(
    device: &D,
    x: View<'_, T, D>,
    targets: View<'_, I, D>,
    lse: View<'_, T, D>,
    ct: View<'_, T, D>,
    write: Write,
    out: ViewMut<'_, T, D>,
) {
    let dims = *x.layout.dims();
    let rows = dims[0];
    let mut below = below_largest(device, x);
    let lse = View {
        layout: lse.layout.unsqueeze(1),
        ..lse
    };
    assign(device, Sub, &mut below.out(), Operand::View(lse));
    let mut share = apply(device, UnaryOp::Exp, below.view());
    // The probability of the target less 1.
    let mut minus = Temp::new(device, Dims::new(&[rows, 1]));
    device.fill(T::lit(-1.0), minus.out());
    let targets = View {
        layout: targets.layout.unsqueeze(1),
        ..targets
    };
    let known = device.add_along(1, minus.view(), targets, share.out());
    known.unwrap_or_else(|e| panic!("the forward pass accepted this index: {e}"));
    let scale = T::lit(1.0 / rows as f64);
    assign(device, Mul, &mut share.out(), Operand::Scalar(scale));
    device.binary(Mul, share.x(), Operand::View(ct), write, out);
}

/// The rows of a norm: their number, the groups, channels of a group, entries of a channel.
fn norm_dims(s: &NormShape) -> [usize; 4] {
    [s.rows / s.groups, s.groups, s.per_group, s.inner]
}

/// What is kept of each row, number `k`.
fn stat<'a, T: Elem, D: Backend>(s: &NormShape, x: View<'a, T, D>, k: usize) -> View<'a, T, D> {
    let [n, g, ..] = norm_dims(s);
    let layout = reshaped(x.layout, &[n, g, NormShape::STATS, 1]);
    View {
        buf: x.buf,
        layout: layout.slice(2, k, 1),
    }
}

/// `x̂` of rows.
#[track_caller]
fn normalised<T: Float, D: Backend>(
    device: &D,
    s: &NormShape,
    x: View<'_, T, D>,
    stats: View<'_, T, D>,
) -> Temp<T, D> {
    let dims = Dims::new(&norm_dims(s));
    let [mean, rest, r] = [0, 1, 2].map(|k| Operand::View(stat(s, stats, k)));
    let mut hat = zip(device, Sub, Operand::View(x), mean, dims);
    assign(device, Sub, &mut hat.out(), rest);
    assign(device, Mul, &mut hat.out(), r);
    hat
}

/// The derivative of `x̂`, a symmetric map: `r·(t − mean(t) − x̂·mean(x̂·t))`.
#[track_caller]
fn along_rows<T: Float, D: Backend>(
    device: &D,
    s: &NormShape,
    hat: &Temp<T, D>,
    stats: View<'_, T, D>,
    t: View<'_, T, D>,
    mut out: ViewMut<'_, T, D>,
) {
    let [n, g, ..] = norm_dims(s);
    let (dims, rows) = (Dims::new(&norm_dims(s)), Dims::new(&[n, g, 1, 1]));
    let products = zip(device, Mul, hat.x(), Operand::View(t), dims);
    let slope = reduced(device, ReduceOp::Mean, products.view(), rows);
    let back = zip(device, Mul, hat.x(), slope.x(), dims);
    device.binary(Sub, Operand::View(t), back.x(), Write::Set, again(&mut out));
    if s.centred {
        let mean = reduced(device, ReduceOp::Mean, t, rows);
        assign(device, Sub, &mut out, mean.x());
    }
    assign(device, Mul, &mut out, Operand::View(stat(s, stats, 2)));
}

#[track_caller]
pub(super) fn norm<T: Float, D: Backend>(
    device: &D,
    s: &NormShape,
    x: View<'_, T, D>,
    scale: View<'_, T, D>,
    shift: View<'_, T, D>,
    out: ViewMut<'_, T, D>,
    stats: ViewMut<'_, T, D>,
) {
    let [n, g, p, i] = norm_dims(s);
    let (dims, rows) = (Dims::new(&[n, g, p, i]), Dims::new(&[n, g, 1, 1]));
    let x = shaped(x, &[n, g, p, i]);
    let mut stats = shaped_mut(stats, &[n, g, NormShape::STATS, 1]);
    let mut keep = |k: usize, value: &Temp<T, D>| {
        let mut to = again(&mut stats);
        to.layout = to.layout.slice(2, k, 1);
        device.copy(value.view(), to);
    };
    let mut off = Temp::new(device, dims);
    device.copy(x, off.out());
    // The mean, and what rounding took from it.
    for k in 0..2 {
        let mut mean = Temp::new(device, rows);
        if s.centred {
            device.reduce(ReduceOp::Mean, off.view(), Write::Set, mean.out());
            assign(device, Sub, &mut off.out(), mean.x());
        } else {
            device.fill(T::ZERO, mean.out());
        }
        keep(k, &mean);
    }
    let squares = zip(device, Mul, off.x(), off.x(), dims);
    let mut r = reduced(device, ReduceOp::Mean, squares.view(), rows);
    assign(device, Add, &mut r.out(), Operand::Scalar(T::lit(s.eps)));
    device.unary(UnaryOp::Sqrt, Operand::Output, r.out());
    device.unary(UnaryOp::Recip, Operand::Output, r.out());
    keep(2, &r);
    assign(device, Mul, &mut off.out(), r.x());
    let [scale, shift] = [scale, shift].map(|c| Operand::View(shaped(c, &[1, g, p, 1])));
    let mut out = shaped_mut(out, &[n, g, p, i]);
    device.binary(Mul, off.x(), scale, Write::Set, again(&mut out));
    assign(device, Add, &mut out, shift);
}

#[track_caller]
#[allow(clippy::too_many_arguments)]
pub(super) fn norm_pullback<T: Float, D: Backend>(
    device: &D,
    s: &NormShape,
    x: View<'_, T, D>,
    stats: View<'_, T, D>,
    scale: View<'_, T, D>,
    ct: View<'_, T, D>,
    d_x: ViewMut<'_, T, D>,
    d_scale: ViewMut<'_, T, D>,
    d_shift: ViewMut<'_, T, D>,
) {
    let sizes = norm_dims(s);
    let [_, g, p, _] = sizes;
    let dims = Dims::new(&sizes);
    let (x, ct) = (shaped(x, &sizes), shaped(ct, &sizes));
    let hat = normalised(device, s, x, stats);
    let scale = Operand::View(shaped(scale, &[1, g, p, 1]));
    let scaled = zip(device, Mul, Operand::View(ct), scale, dims);
    let d_x = shaped_mut(d_x, &sizes);
    along_rows(device, s, &hat, stats, scaled.view(), d_x);
    let products = zip(device, Mul, hat.x(), Operand::View(ct), dims);
    for (from, to) in [(products.view(), d_scale), (ct, d_shift)] {
        let to = shaped_mut(to, &[1, g, p, 1]);
        device.reduce(ReduceOp::Sum, from, Write::Set, to);
    }
}

#[track_caller]
pub(super) fn norm_pushforward<T: Float, D: Backend>(
    device: &D,
    s: &NormShape,
    x: View<'_, T, D>,
    stats: View<'_, T, D>,
    t: View<'_, T, D>,
    out: ViewMut<'_, T, D>,
) {
    let sizes = norm_dims(s);
    let hat = normalised(device, s, shaped(x, &sizes), stats);
    let (t, out) = (shaped(t, &sizes), shaped_mut(out, &sizes));
    along_rows(device, s, &hat, stats, t, out);
}

#[track_caller]
pub(super) fn channel_affine<T: Float, D: Backend>(
    device: &D,
    sizes: [usize; 3],
    x: View<'_, T, D>,
    centre: View<'_, T, D>,
    scale: View<'_, T, D>,
    shift: View<'_, T, D>,
    out: ViewMut<'_, T, D>,
) {
    let of_channels = [1, sizes[1], 1];
    let [centre, scale, shift] =
        [centre, scale, shift].map(|c| Operand::View(shaped(c, &of_channels)));
    let mut out = shaped_mut(out, &sizes);
    let x = Operand::View(shaped(x, &sizes));
    device.binary(Sub, x, centre, Write::Set, again(&mut out));
    assign(device, Mul, &mut out, scale);
    assign(device, Add, &mut out, shift);
}

#[track_caller]
pub(super) fn channel_moments<T: Float, D: Backend>(
    device: &D,
    sizes: [usize; 3],
    x: View<'_, T, D>,
    centre: View<'_, T, D>,
    ct: View<'_, T, D>,
    out: ViewMut<'_, T, D>,
) {
    let (dims, of_channels) = (Dims::new(&sizes), [1, sizes[1], 1]);
    let centre = Operand::View(shaped(centre, &of_channels));
    let mut off = zip(device, Sub, Operand::View(shaped(x, &sizes)), centre, dims);
    let ct = Operand::View(shaped(ct, &sizes));
    assign(device, Mul, &mut off.out(), ct);
    let out = shaped_mut(out, &of_channels);
    device.reduce(ReduceOp::Sum, off.view(), Write::Set, out);
}

/// The indices of an axis, for each element of these sizes.
fn along<'a, I: Index, D: Backend>(
    axis: usize,
    index: View<'a, I, D>,
    dims: &Dims,
) -> View<'a, I, D> {
    let mut layout = index.layout;
    for _ in axis + 1..dims.rank() {
        layout = layout.unsqueeze(layout.dims().rank());
    }
    View {
        buf: index.buf,
        layout: layout.expand(dims),
    }
}

#[track_caller]
pub(super) fn select_axis<T: Elem, I: Index, D: Backend>(
    device: &D,
    axis: usize,
    x: View<'_, T, D>,
    index: View<'_, I, D>,
    out: ViewMut<'_, T, D>,
) -> Result<(), IndexError> {
    let index = along(axis, index, out.layout.dims());
    device.take_along(axis, x, index, out)
}

#[track_caller]
pub(super) fn add_axis<T: Float, I: Index, D: Backend>(
    device: &D,
    axis: usize,
    x: View<'_, T, D>,
    index: View<'_, I, D>,
    out: ViewMut<'_, T, D>,
) -> Result<(), IndexError> {
    let index = along(axis, index, x.layout.dims());
    device.add_along(axis, x, index, out)
}

#[track_caller]
pub(super) fn count<D: Backend>(device: &D, x: View<'_, bool, D>, out: ViewMut<'_, i64, D>) {
    let mut ones = Temp::<f64, D>::new(device, *x.layout.dims());
    device.cast(x, ones.out());
    let sum = reduced(device, ReduceOp::Sum, ones.view(), *out.layout.dims());
    device.cast(sum.view(), out);
}

/// The stream of random numbers of dropout, which no draw of users has.
const DROPOUT: u64 = u64::MAX;

#[track_caller]
pub(super) fn dropout<T: Float, D: Backend>(
    device: &D,
    p: f64,
    seed: u64,
    x: Operand<'_, T, D>,
    mut out: ViewMut<'_, T, D>,
) {
    let dims = *out.layout.dims();
    let mut drawn = Temp::<f32, D>::new(device, dims);
    let law = Random::Uniform {
        low: 0.0,
        high: 1.0,
    };
    device.random(law, seed, DROPOUT, drawn.out());
    let mut rate = Temp::<f32, D>::new(device, Dims::SCALAR);
    device.fill(p as f32, rate.out());
    let rate = View {
        layout: rate.layout.expand(&dims),
        ..rate.view()
    };
    let mut kept = Temp::new(device, dims);
    device.compare(CompareOp::Ge, drawn.view(), rate, kept.out());
    let factor = Operand::Scalar(T::lit(1.0 / (1.0 - p)));
    device.binary(Mul, x, factor, Write::Set, again(&mut out));
    device.select(kept.view(), Operand::Output, Operand::Scalar(T::ZERO), out);
}

/// `y ← a·y + b·x`
#[track_caller]
fn blend<T: Float, D: Backend>(
    device: &D,
    y: &mut ViewMut<'_, T, D>,
    a: f64,
    b: f64,
    x: View<'_, T, D>,
) {
    assign(device, Mul, y, Operand::Scalar(T::lit(a)));
    device.add_scaled(T::lit(b), x, again(y));
}

/// The gradient of the parameter with that of its penalty.
#[track_caller]
fn decayed<T: Float, D: Backend>(
    device: &D,
    param: &ViewMut<'_, T, D>,
    grad: View<'_, T, D>,
    decay: f64,
) -> Temp<T, D> {
    let mut g = Temp::new(device, *grad.layout.dims());
    device.copy(grad, g.out());
    if decay != 0.0 {
        device.add_scaled(T::lit(decay), read(param), g.out());
    }
    g
}

#[track_caller]
pub(super) fn sgd<T: Float, D: Backend>(
    device: &D,
    step: &SgdStep,
    param: ViewMut<'_, T, D>,
    grad: View<'_, T, D>,
    velocity: Option<ViewMut<'_, T, D>>,
) {
    let mut g = decayed(device, &param, grad, step.weight_decay);
    if let Some(mut v) = velocity {
        let fresh = 1.0 - step.dampening;
        blend(device, &mut v, step.momentum, fresh, g.view());
        if step.nesterov {
            device.add_scaled(T::lit(step.momentum), read(&v), g.out());
        } else {
            return device.add_scaled(T::lit(-step.lr), read(&v), param);
        }
    }
    device.add_scaled(T::lit(-step.lr), g.view(), param);
}

#[track_caller]
pub(super) fn adam<T: Float, D: Backend>(
    device: &D,
    step: &AdamStep,
    mut param: ViewMut<'_, T, D>,
    grad: View<'_, T, D>,
    mut first: ViewMut<'_, T, D>,
    mut second: ViewMut<'_, T, D>,
) {
    assert!(step.step > 0, "Adam counts its steps from 1");
    let t = step.step as f64;
    let (c1, c2) = (1.0 - step.beta1.powf(t), 1.0 - step.beta2.powf(t));
    let (coupled, keep) = match step.decay {
        Decay::Coupled => (step.weight_decay, 1.0),
        Decay::Decoupled => (0.0, 1.0 - step.lr * step.weight_decay),
    };
    let g = decayed(device, &param, grad, coupled);
    blend(device, &mut first, step.beta1, 1.0 - step.beta1, g.view());
    let squares = zip(device, Mul, g.x(), g.x(), *g.layout.dims());
    blend(
        device,
        &mut second,
        step.beta2,
        1.0 - step.beta2,
        squares.view(),
    );
    let mut scale = apply(device, UnaryOp::Sqrt, read(&second));
    let root = Operand::Scalar(T::lit(1.0 / c2.sqrt()));
    assign(device, Mul, &mut scale.out(), root);
    assign(
        device,
        Add,
        &mut scale.out(),
        Operand::Scalar(T::lit(step.eps)),
    );
    let dims = *g.layout.dims();
    let update = zip(device, Div, Operand::View(read(&first)), scale.x(), dims);
    blend(device, &mut param, keep, -step.lr / c1, update.view());
}
