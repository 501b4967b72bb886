//! Softmax and cross-entropy of rows.

use super::*;

#[track_caller]
pub fn softmax<T: Float, D: Backend>(
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
pub fn softmax_pullback<T: Float, D: Backend>(
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

/// A vector as a matrix of one column.
fn column_of<T: Elem, D: Backend>(x: View<'_, T, D>) -> View<'_, T, D> {
    View {
        layout: x.layout.unsqueeze(1),
        ..x
    }
}

#[track_caller]
pub fn cross_entropy<T: Float, I: Index, D: Backend>(
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
    device.take_along(1, below.view(), column_of(targets), picked.out())?;
    let losses = zip(device, Sub, log.x(), picked.x(), column);
    device.copy(log.view(), shaped_mut(lse, &[rows, 1]));
    let mean = reduced(device, ReduceOp::Mean, losses.view(), Dims::new(&[1, 1]));
    device.copy(shaped(mean.view(), &[]), loss);
    Ok(())
}

#[track_caller]
pub fn cross_entropy_pullback<T: Float, I: Index, D: Backend>(
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
    assign(device, Sub, &mut below.out(), Operand::View(column_of(lse)));
    let mut share = apply(device, UnaryOp::Exp, below.view());
    // The probability of the target less 1.
    let mut minus = Temp::new(device, Dims::new(&[rows, 1]));
    device.fill(T::lit(-1.0), minus.out());
    let known = device.add_along(1, minus.view(), column_of(targets), share.out());
    known.unwrap_or_else(|e| panic!("the forward pass accepted this index: {e}"));
    let scale = T::lit(1.0 / rows as f64);
    assign(device, Mul, &mut share.out(), Operand::Scalar(scale));
    device.binary(Mul, share.x(), Operand::View(ct), write, out);
}
