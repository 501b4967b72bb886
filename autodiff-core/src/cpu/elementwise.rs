//! Elementwise operations, copies and conversions.

use super::*;

pub(super) fn fill<T: Elem>(value: T, out: ViewMut<'_, T, Cpu>) {
    dense(out).0.fill(value);
}

pub(super) fn copy<T: Elem>(x: View<'_, T, Cpu>, out: ViewMut<'_, T, Cpu>) {
    if out.layout.is_contiguous() {
        if x.layout.is_contiguous() {
            return dense(out).0.copy_from_slice(flat(x));
        }
        let (out, dims) = dense(out);
        return T::copy(out, &dims, Arg::View(x.buf, x.layout));
    }
    let nest = Nest::new(out.layout.dims(), [&x.layout, &out.layout]);
    let (from, to) = (nest.inner_stride(0), nest.inner_stride(1));
    nest.runs(0, out.layout.numel(), usize::MAX, |_, [a, b], n| {
        if from == 1 && to == 1 {
            out.buf[b..b + n].copy_from_slice(&x.buf[a..a + n]);
        } else {
            for i in 0..n {
                out.buf[b + i * to] = x.buf[a + i * from];
            }
        }
    });
}

pub(super) fn cast<T: Elem, U: Elem>(x: View<'_, T, Cpu>, out: ViewMut<'_, U, Cpu>) {
    let (out, dims) = dense(out);
    let x = arg(x, &dims);
    if T::INTEGER {
        map1(out, &dims, x, 1, |_, x: T| U::from_i64(x.to_i64()));
    } else {
        map1(out, &dims, x, 1, |_, x: T| U::from_f64(x.to_f64()));
    }
}

pub(super) fn random<T: Float>(law: Random, seed: u64, stream: u64, out: ViewMut<'_, T, Cpu>) {
    T::random(law, seed, stream, dense(out).0);
}

pub(super) fn unary<T: Float>(op: UnaryOp, x: Operand<'_, T, Cpu>, out: ViewMut<'_, T, Cpu>) {
    let (out, dims) = dense(out);
    T::unary(op, out, &dims, src(x, &dims));
}

pub(super) fn unary_pullback<T: Float>(
    op: UnaryOp,
    saved: Operand<'_, T, Cpu>,
    ct: Operand<'_, T, Cpu>,
    write: Write,
    out: ViewMut<'_, T, Cpu>,
) {
    let (out, dims) = dense(out);
    T::unary_pullback(op, out, &dims, src(saved, &dims), src(ct, &dims), write);
}

pub(super) fn binary<T: Float>(
    op: BinaryOp,
    a: Operand<'_, T, Cpu>,
    b: Operand<'_, T, Cpu>,
    write: Write,
    out: ViewMut<'_, T, Cpu>,
) {
    let (out, dims) = dense(out);
    T::binary(op, out, &dims, src(a, &dims), src(b, &dims), write);
}

pub(super) fn binary_pullback<T: Float>(
    op: BinaryOp,
    side: Side,
    a: Operand<'_, T, Cpu>,
    b: Operand<'_, T, Cpu>,
    ct: Operand<'_, T, Cpu>,
    write: Write,
    out: ViewMut<'_, T, Cpu>,
) {
    let (out, dims) = dense(out);
    T::binary_pullback(
        op,
        side,
        out,
        &dims,
        src(a, &dims),
        src(b, &dims),
        src(ct, &dims),
        write,
    );
}

pub(super) fn compare<T: Elem>(
    op: CompareOp,
    a: View<'_, T, Cpu>,
    b: View<'_, T, Cpu>,
    out: ViewMut<'_, bool, Cpu>,
) {
    let (out, dims) = dense(out);
    T::compare(op, out, &dims, arg(a, &dims), arg(b, &dims));
}

pub(super) fn integer<T: Integer>(
    op: IntegerOp,
    a: View<'_, T, Cpu>,
    b: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    let (out, dims) = dense(out);
    T::integer(op, out, &dims, arg(a, &dims), arg(b, &dims));
}

pub(super) fn select<T: Elem>(
    mask: View<'_, bool, Cpu>,
    a: Operand<'_, T, Cpu>,
    b: Operand<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    let (out, dims) = dense(out);
    T::select(out, &dims, arg(mask, &dims), src(a, &dims), src(b, &dims));
}

pub(super) fn add_scaled<T: Float>(alpha: T, x: View<'_, T, Cpu>, y: ViewMut<'_, T, Cpu>) {
    let from = x.layout.expand(y.layout.dims());
    <T as crate::kernel::FloatKernels>::add_scaled(alpha, (y.buf, y.layout), (x.buf, from));
}

pub(super) fn triangle<T: Elem>(upper: bool, k: isize, out: ViewMut<'_, T, Cpu>) {
    let (out, dims) = dense(out);
    let rank = dims.rank();
    T::triangle(out, [dims[rank - 2], dims[rank - 1]], upper, k);
}

pub(super) fn dropout<T: Float>(
    p: f64,
    seed: u64,
    x: Operand<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    let x = match x {
        Operand::Output => None,
        Operand::View(v) => Some(flat(v)),
        Operand::Scalar(_) => panic!("dropout is made of elements"),
    };
    T::dropout(p, seed, x, dense(out).0);
}
