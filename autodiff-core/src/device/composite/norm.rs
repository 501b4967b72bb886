//! Norms of rows and channels; the formulas are in [`kernel::norm`](crate::kernel::norm).

use super::*;

/// The rows of a norm: their number, the groups, channels of a group, entries of a channel.
fn norm_dims(s: &NormShape) -> [usize; 4] {
    // Of no channels there are no groups.
    let rows = s.rows.checked_div(s.groups).unwrap_or(0);
    [rows, s.groups, s.per_group, s.inner]
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
pub fn norm<T: Float, D: Backend>(
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
pub fn norm_pullback<T: Float, D: Backend>(
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
pub fn norm_pushforward<T: Float, D: Backend>(
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
pub fn channel_affine<T: Float, D: Backend>(
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
pub fn channel_moments<T: Float, D: Backend>(
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
