//! Products, sums, folds, scans and orders.

use super::*;

pub(super) fn gemm<T: Float>(
    beta: T,
    a: View<'_, T, Cpu>,
    b: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::gemm(beta, pair(a), pair(b), (out.buf, out.layout));
}

pub(super) fn affine<T: Float>(
    x: View<'_, T, Cpu>,
    weight: View<'_, T, Cpu>,
    bias: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    crate::device::composite::affine(&Cpu, x, weight, bias, out);
}

pub(super) fn integer_sum(x: View<'_, i64, Cpu>, out: ViewMut<'_, i64, Cpu>) {
    crate::kernel::integer::sum(dense(out).0, x.buf, x.layout);
}

pub(super) fn reduce<T: Float>(
    op: ReduceOp,
    x: View<'_, T, Cpu>,
    write: Write,
    out: ViewMut<'_, T, Cpu>,
) {
    let (out, dims) = dense(out);
    T::reduce(op, out, &dims, x.buf, x.layout, write);
}

pub(super) fn extreme_pullback<T: Float>(
    x: View<'_, T, Cpu>,
    y: View<'_, T, Cpu>,
    ct: View<'_, T, Cpu>,
    write: Write,
    out: ViewMut<'_, T, Cpu>,
) {
    T::extreme_pullback(dense(out).0, pair(x), pair(y), pair(ct), write);
}

pub(super) fn arg_reduce<T: Elem>(op: ArgOp, x: View<'_, T, Cpu>, out: ViewMut<'_, i64, Cpu>) {
    T::arg(op, dense(out).0, x.buf, x.layout);
}

pub(super) fn fold<T: Float>(op: FoldOp, x: View<'_, T, Cpu>, out: ViewMut<'_, T, Cpu>) {
    let (out, dims) = dense(out);
    T::fold(op, out, &dims, x.buf, x.layout);
}

pub(super) fn fold_pullback<T: Float>(
    op: FoldOp,
    x: View<'_, T, Cpu>,
    y: View<'_, T, Cpu>,
    ct: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::fold_pullback(op, dense(out).0, pair(x), pair(y), pair(ct));
}

pub(super) fn scan<T: Float>(op: ScanOp, x: View<'_, T, Cpu>, out: ViewMut<'_, T, Cpu>) {
    T::scan(op, dense(out).0, pair(x));
}

pub(super) fn cumprod_pullback<T: Float>(
    x: View<'_, T, Cpu>,
    y: View<'_, T, Cpu>,
    ct: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::cumprod_pullback(dense(out).0, pair(x), pair(y), pair(ct));
}

pub(super) fn cumprod_pushforward<T: Float>(
    x: View<'_, T, Cpu>,
    y: View<'_, T, Cpu>,
    t: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::cumprod_pushforward(dense(out).0, pair(x), pair(y), pair(t));
}

pub(super) fn argsort<T: Elem>(order: SortOrder, x: View<'_, T, Cpu>, out: ViewMut<'_, i64, Cpu>) {
    let (out, dims) = dense(out);
    T::argsort(order, out, pair(x), dims[dims.rank() - 1]);
}

pub(super) fn count(x: View<'_, bool, Cpu>, out: ViewMut<'_, i64, Cpu>) {
    crate::kernel::mask::count(dense(out).0, x.buf, x.layout);
}
