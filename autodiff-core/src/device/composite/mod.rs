//! Operations composed of those that every machine has, one function for each line `composed` of the seam.
//!
//! A machine that adds nothing runs them, at several launches an operation and without a copy to the host. The
//! formulas are those of the kernels; their order of sums is the machine's.

mod norm;
mod optim;
mod rows;

pub(super) use norm::{channel_affine, channel_moments, norm, norm_pullback, norm_pushforward};
pub(super) use optim::{adam, sgd};
pub(super) use rows::{cross_entropy, cross_entropy_pullback, softmax, softmax_pullback};

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

/// The bias is written first, and the product added to it.
#[track_caller]
pub(crate) fn affine<T: Float, D: Backend>(
    device: &D,
    x: View<'_, T, D>,
    weight: View<'_, T, D>,
    bias: View<'_, T, D>,
    out: ViewMut<'_, T, D>,
) {
    let rows = View {
        layout: bias.layout.expand(out.layout.dims()),
        ..bias
    };
    let (buf, layout) = (out.buf, out.layout);
    device.copy(rows, ViewMut { buf, layout });
    device.gemm(T::ONE, x, weight, ViewMut { buf, layout });
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
