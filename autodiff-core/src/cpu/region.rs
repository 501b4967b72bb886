//! Elementwise regions.

use super::*;

pub(super) fn region<R: Region<N>, T: Float, const N: usize>(
    _: R,
    x: [Operand<'_, T, Cpu>; N],
    out: ViewMut<'_, T, Cpu>,
) {
    let (out, dims) = dense(out);
    let x = x.map(|x| src(x, &dims));
    let out = &mut [Output::Dense(out)];
    T::region(&dims, &x, out, R::COST, &block::value::<R, T, N>);
}

pub(super) fn region_pullback<R: Region<N>, T: Float, const N: usize>(
    _: R,
    dims: &Dims,
    x: [Operand<'_, T, Cpu>; N],
    y: Option<View<'_, T, Cpu>>,
    ct: Operand<'_, T, Cpu>,
    cts: [Option<ViewMut<'_, T, Cpu>>; N],
) {
    let wanted = cts.each_ref().map(Option::is_some);
    let read = x.into_iter().zip(R::READS).filter(|(_, read)| *read);
    let mut inputs: Vec<_> = read.map(|(x, _)| src(x, dims)).collect();
    if R::READS_VALUE {
        let y = y.expect("the value of a region whose pullback reads it");
        inputs.push(Src::Arg(arg(y, dims)));
    }
    inputs.push(src(ct, dims));
    let cts = cts.into_iter().flatten().map(|c| output(c, dims));
    let op = |n: usize, x: &[&[T]], y: &mut [&mut [T]]| block::pullback::<R, T, N>(wanted, n, x, y);
    T::region(
        dims,
        &inputs,
        &mut cts.collect::<Vec<_>>(),
        2 * R::COST,
        &op,
    );
}

pub(super) fn region_sum<R: Region<N>, T: Float, const N: usize>(
    _: R,
    dims: &Dims,
    x: [Operand<'_, T, Cpu>; N],
    sum: ViewMut<'_, T, Cpu>,
    slopes: [Option<ViewMut<'_, T, Cpu>>; N],
) {
    let wanted = slopes.each_ref().map(Option::is_some);
    let x = x.map(|x| src(x, dims));
    let sum = Output::Sum(dense(sum).0, Layout::dense(Dims::SCALAR).expand(dims));
    if wanted == [false; N] {
        return T::region(dims, &x, &mut [sum], R::COST, &block::value::<R, T, N>);
    }
    let slopes = slopes.into_iter().flatten().map(|c| output(c, dims));
    let mut outputs: Vec<_> = core::iter::once(sum).chain(slopes).collect();
    let op = |n: usize, x: &[&[T]], y: &mut [&mut [T]]| {
        block::value_and_slopes::<R, T, N>(wanted, n, x, y)
    };
    T::region(dims, &x, &mut outputs, 3 * R::COST, &op);
}

pub(super) fn region_along<R: Region<N>, T: Float, const N: usize>(
    _: R,
    dims: &Dims,
    x: [Operand<'_, T, Cpu>; N],
    axis: usize,
    out: ViewMut<'_, T, Cpu>,
) {
    let x = x.map(|x| src(x, dims));
    let layout = Layout::dense(dims.with(axis, 1)).expand(dims);
    let out = &mut [Output::Sum(dense(out).0, layout)];
    T::region(dims, &x, out, R::COST, &block::value::<R, T, N>);
}

pub(super) fn region_pushforward<R: Region<N>, T: Float, const N: usize>(
    _: R,
    x: [Operand<'_, T, Cpu>; N],
    t: [Operand<'_, T, Cpu>; N],
    out: ViewMut<'_, T, Cpu>,
) {
    let (out, dims) = dense(out);
    let x: Vec<_> = x.into_iter().chain(t).map(|x| src(x, &dims)).collect();
    let op = &block::pushforward::<R, T, N>;
    T::region(&dims, &x, &mut [Output::Dense(out)], 3 * R::COST, op);
}
