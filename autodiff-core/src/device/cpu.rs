//! The CPU: buffers from a pool, kernels from [`crate::kernel`].

use super::*;
use crate::kernel::drive::Src;
use crate::kernel::fused::{Output, block};
use crate::kernel::index::positions;
use crate::kernel::map::{Arg, map1};
use crate::kernel::nest::Nest;
use crate::kernel::pool::Buffer;

/// The processor that runs the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cpu;

/// The dense output: its elements, where they must lie without gaps.
pub(super) fn dense<'a, T: Elem>(out: ViewMut<'a, T, Cpu>) -> (&'a mut [T], Dims) {
    assert!(out.layout.is_contiguous(), "outputs are dense");
    let (at, n) = (out.layout.offset(), out.layout.numel());
    (&mut out.buf[at..at + n], *out.layout.dims())
}

/// A dense input.
pub(super) fn flat<'a, T: Elem>(x: View<'a, T, Cpu>) -> &'a [T] {
    assert!(x.layout.is_contiguous(), "this input is dense");
    &x.buf[x.layout.offset()..][..x.layout.numel()]
}

fn pair<'a, T: Elem>(x: View<'a, T, Cpu>) -> (&'a [T], Layout) {
    (x.buf, x.layout)
}

fn src<'a, T: Elem>(x: Operand<'a, T, Cpu>, dims: &Dims) -> Src<'a, T> {
    match x {
        Operand::Output => Src::Output,
        Operand::Scalar(s) => Src::Arg(Arg::Scalar(s)),
        Operand::View(v) => Src::Arg(arg(v, dims)),
    }
}

fn arg<'a, T: Elem>(v: View<'a, T, Cpu>, dims: &Dims) -> Arg<'a, T> {
    Arg::View(v.buf, v.layout.expand(dims))
}

/// A result of a region: dense, or a sum over the leading axes it lacks.
fn output<'a, T: Elem>(out: ViewMut<'a, T, Cpu>, dims: &Dims) -> Output<'a, T> {
    let (out, own) = dense(out);
    if own == *dims {
        Output::Dense(out)
    } else {
        Output::Sum(out, Layout::dense(own).expand(dims))
    }
}

/// The size of an axis, and the number of elements of one of its entries.
fn sizes_from(axis: usize, dims: &Dims) -> [usize; 2] {
    [dims[axis], dims[axis + 1..].iter().product()]
}

impl Device for Cpu {
    type Buf<T: Elem> = Buffer<T>;

    fn alloc<T: Elem>(&self, len: usize) -> Buffer<T> {
        Buffer::unspecified(len)
    }
    fn len<T: Elem>(buf: &Buffer<T>) -> usize {
        buf.len()
    }
    fn upload<T: Elem>(&self, data: &[T]) -> Buffer<T> {
        Buffer::from_slice(data)
    }
    fn download<T: Elem>(&self, x: View<'_, T, Self>) -> Vec<T> {
        if x.layout.is_contiguous() {
            return flat(x).to_vec();
        }
        let mut out = vec![T::default(); x.layout.numel()];
        map1(
            &mut out,
            x.layout.dims(),
            Arg::View(x.buf, x.layout),
            1,
            |_, x| x,
        );
        out
    }
    fn read<T: Elem, R>(&self, x: View<'_, T, Self>, read: impl FnOnce(&[T]) -> R) -> R {
        match x.layout.is_contiguous() {
            true => read(flat(x)),
            false => read(&self.download(x)),
        }
    }
    fn write<T: Elem>(&self, len: usize, write: impl FnOnce(&mut [T])) -> Buffer<T> {
        let mut buf = Buffer::unspecified(len);
        write(&mut buf);
        buf
    }

    fn fill<T: Elem>(&self, value: T, out: ViewMut<'_, T, Self>) {
        dense(out).0.fill(value);
    }
    fn copy<T: Elem>(&self, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>) {
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
    fn cast<T: Elem, U: Elem>(&self, x: View<'_, T, Self>, out: ViewMut<'_, U, Self>) {
        let (out, dims) = dense(out);
        let x = arg(x, &dims);
        if T::INTEGER {
            map1(out, &dims, x, 1, |_, x: T| U::from_i64(x.to_i64()));
        } else {
            map1(out, &dims, x, 1, |_, x: T| U::from_f64(x.to_f64()));
        }
    }
    fn random<T: Float>(&self, law: Random, seed: u64, stream: u64, out: ViewMut<'_, T, Self>) {
        T::random(law, seed, stream, dense(out).0);
    }

    fn gemm<T: Float>(
        &self,
        beta: T,
        a: View<'_, T, Self>,
        b: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::gemm(beta, pair(a), pair(b), (out.buf, out.layout));
    }

    fn unary<T: Float>(&self, op: UnaryOp, x: Operand<'_, T, Self>, out: ViewMut<'_, T, Self>) {
        let (out, dims) = dense(out);
        T::unary(op, out, &dims, src(x, &dims));
    }
    fn unary_pullback<T: Float>(
        &self,
        op: UnaryOp,
        saved: Operand<'_, T, Self>,
        ct: Operand<'_, T, Self>,
        write: Write,
        out: ViewMut<'_, T, Self>,
    ) {
        let (out, dims) = dense(out);
        T::unary_pullback(op, out, &dims, src(saved, &dims), src(ct, &dims), write);
    }
    fn binary<T: Float>(
        &self,
        op: BinaryOp,
        a: Operand<'_, T, Self>,
        b: Operand<'_, T, Self>,
        write: Write,
        out: ViewMut<'_, T, Self>,
    ) {
        let (out, dims) = dense(out);
        T::binary(op, out, &dims, src(a, &dims), src(b, &dims), write);
    }
    fn binary_pullback<T: Float>(
        &self,
        op: BinaryOp,
        side: Side,
        a: Operand<'_, T, Self>,
        b: Operand<'_, T, Self>,
        ct: Operand<'_, T, Self>,
        write: Write,
        out: ViewMut<'_, T, Self>,
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
    fn compare<T: Elem>(
        &self,
        op: CompareOp,
        a: View<'_, T, Self>,
        b: View<'_, T, Self>,
        out: ViewMut<'_, bool, Self>,
    ) {
        let (out, dims) = dense(out);
        T::compare(op, out, &dims, arg(a, &dims), arg(b, &dims));
    }
    fn integer<T: Integer>(
        &self,
        op: IntegerOp,
        a: View<'_, T, Self>,
        b: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        let (out, dims) = dense(out);
        T::integer(op, out, &dims, arg(a, &dims), arg(b, &dims));
    }
    fn integer_sum(&self, x: View<'_, i64, Self>, out: ViewMut<'_, i64, Self>) {
        crate::kernel::integer::sum(dense(out).0, x.buf, x.layout);
    }
    fn select<T: Elem>(
        &self,
        mask: View<'_, bool, Self>,
        a: Operand<'_, T, Self>,
        b: Operand<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        let (out, dims) = dense(out);
        T::select(out, &dims, arg(mask, &dims), src(a, &dims), src(b, &dims));
    }
    fn add_scaled<T: Float>(&self, alpha: T, x: View<'_, T, Self>, y: ViewMut<'_, T, Self>) {
        let from = x.layout.expand(y.layout.dims());
        <T as crate::kernel::FloatKernels>::add_scaled(alpha, (y.buf, y.layout), (x.buf, from));
    }

    fn reduce<T: Float>(
        &self,
        op: ReduceOp,
        x: View<'_, T, Self>,
        write: Write,
        out: ViewMut<'_, T, Self>,
    ) {
        let (out, dims) = dense(out);
        T::reduce(op, out, &dims, x.buf, x.layout, write);
    }
    fn extreme_pullback<T: Float>(
        &self,
        x: View<'_, T, Self>,
        y: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        write: Write,
        out: ViewMut<'_, T, Self>,
    ) {
        T::extreme_pullback(dense(out).0, pair(x), pair(y), pair(ct), write);
    }
    fn arg_reduce<T: Elem>(&self, op: ArgOp, x: View<'_, T, Self>, out: ViewMut<'_, i64, Self>) {
        T::arg(op, dense(out).0, x.buf, x.layout);
    }

    fn softmax<T: Float>(&self, op: SoftmaxOp, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>) {
        T::softmax(op, dense(out).0, x.buf, x.layout);
    }
    fn softmax_pullback<T: Float>(
        &self,
        op: SoftmaxOp,
        y: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        write: Write,
        out: ViewMut<'_, T, Self>,
    ) {
        T::softmax_pullback(op, dense(out).0, pair(y), pair(ct), write);
    }
    fn cross_entropy<T: Float, I: Index>(
        &self,
        x: View<'_, T, Self>,
        targets: View<'_, I, Self>,
        lse: ViewMut<'_, T, Self>,
        loss: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError> {
        let classes = x.layout.dims()[1];
        let targets = positions(targets.buf, targets.layout, classes)?;
        T::cross_entropy(pair(x), &targets, dense(lse).0, &mut dense(loss).0[0]);
        Ok(())
    }
    fn cross_entropy_pullback<T: Float, I: Index>(
        &self,
        x: View<'_, T, Self>,
        targets: View<'_, I, Self>,
        lse: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        write: Write,
        out: ViewMut<'_, T, Self>,
    ) {
        let classes = x.layout.dims()[1];
        let targets =
            positions(targets.buf, targets.layout, classes).unwrap_or_else(|e| panic!("{e}"));
        T::cross_entropy_pullback(
            dense(out).0,
            pair(x),
            &targets,
            pair(lse),
            flat(ct)[0],
            write,
        );
    }

    fn gather<T: Elem, I: Index>(
        &self,
        x: View<'_, T, Self>,
        index: View<'_, I, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError> {
        let picks = positions(index.buf, index.layout, x.layout.dims()[0])?;
        T::gather(dense(out).0, pair(x), &picks);
        Ok(())
    }
    fn scatter_add<T: Float, I: Index>(
        &self,
        x: View<'_, T, Self>,
        index: View<'_, I, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError> {
        let (out, dims) = dense(out);
        let picks = positions(index.buf, index.layout, dims[0])?;
        T::scatter_add(out, pair(x), &picks);
        Ok(())
    }

    fn norm<T: Float>(
        &self,
        shape: &NormShape,
        x: View<'_, T, Self>,
        scale: View<'_, T, Self>,
        shift: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
        stats: ViewMut<'_, T, Self>,
    ) {
        let (out, stats) = (dense(out).0, dense(stats).0);
        T::norm(shape, flat(x), flat(scale), flat(shift), out, stats);
    }
    fn norm_pullback<T: Float>(
        &self,
        shape: &NormShape,
        x: View<'_, T, Self>,
        stats: View<'_, T, Self>,
        scale: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        d_x: ViewMut<'_, T, Self>,
        d_scale: ViewMut<'_, T, Self>,
        d_shift: ViewMut<'_, T, Self>,
    ) {
        T::norm_pullback(
            shape,
            flat(x),
            flat(stats),
            flat(scale),
            flat(ct),
            dense(d_x).0,
            dense(d_scale).0,
            dense(d_shift).0,
        );
    }
    fn norm_pushforward<T: Float>(
        &self,
        shape: &NormShape,
        x: View<'_, T, Self>,
        stats: View<'_, T, Self>,
        t: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::norm_pushforward(shape, flat(x), flat(stats), flat(t), dense(out).0);
    }

    fn attention<T: Float>(
        &self,
        input: AttentionInput<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
        stats: ViewMut<'_, T, Self>,
    ) {
        T::attention(input.problem(), dense(out).0, dense(stats).0);
    }
    fn attention_pullback<T: Float>(
        &self,
        input: AttentionInput<'_, T, Self>,
        saved: [View<'_, T, Self>; 2],
        ct: View<'_, T, Self>,
        into: AttentionGradients<'_, T, Self>,
    ) {
        T::attention_pullback(input.problem(), saved.map(flat), flat(ct), into.slices());
    }
    fn attention_pushforward<T: Float>(
        &self,
        input: AttentionInput<'_, T, Self>,
        saved: [View<'_, T, Self>; 2],
        tangents: AttentionTangents<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        let (tangents, out) = (tangents.strided(), dense(out).0);
        T::attention_pushforward(input.problem(), saved.map(flat), tangents, out);
    }

    fn recurrence<T: Float>(
        &self,
        shape: &Recurrence,
        weights: View<'_, T, Self>,
        bias: View<'_, T, Self>,
        h0: View<'_, T, Self>,
        c0: View<'_, T, Self>,
        slots: ViewMut<'_, T, Self>,
        memory: ViewMut<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        let [weights, bias, h0, c0] = [weights, bias, h0, c0].map(flat);
        let [slots, memory, out] = [slots, memory, out].map(|x| dense(x).0);
        T::recurrence(shape, weights, bias, h0, c0, slots, memory, out);
    }
    fn recurrence_pullback<T: Float>(
        &self,
        shape: &Recurrence,
        weights: View<'_, T, Self>,
        ran: Recurred<'_, T, Self>,
        ct: RecurrentCotangents<'_, T, Self>,
        into: RecurrentGradients<'_, T, Self>,
    ) {
        let (weights, ran) = (flat(weights), ran.slices());
        T::recurrence_pullback(shape, weights, ran, ct.slices(), into.slices());
    }
    fn recurrence_pushforward<T: Float>(
        &self,
        shape: &Recurrence,
        weights: View<'_, T, Self>,
        ran: Recurred<'_, T, Self>,
        slots: View<'_, T, Self>,
        t_slots: View<'_, T, Self>,
        t_h0: View<'_, T, Self>,
        t_c: ViewMut<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        let [weights, slots, t_slots, t_h0] = [weights, slots, t_slots, t_h0].map(flat);
        let [t_c, out] = [t_c, out].map(|x| dense(x).0);
        T::recurrence_pushforward(shape, weights, ran.slices(), slots, t_slots, t_h0, t_c, out);
    }

    fn channel_affine<T: Float>(
        &self,
        sizes: [usize; 3],
        x: View<'_, T, Self>,
        centre: View<'_, T, Self>,
        scale: View<'_, T, Self>,
        shift: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        let of_channels = [flat(centre), flat(scale), flat(shift)];
        T::channel_affine(sizes, flat(x), of_channels, dense(out).0);
    }
    fn channel_moments<T: Float>(
        &self,
        sizes: [usize; 3],
        x: View<'_, T, Self>,
        centre: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::channel_moments(sizes, flat(x), flat(centre), flat(ct), dense(out).0);
    }
    fn select_axis<T: Elem, I: Index>(
        &self,
        axis: usize,
        x: View<'_, T, Self>,
        index: View<'_, I, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError> {
        let [n, inner] = sizes_from(axis, x.layout.dims());
        let picks = positions(index.buf, index.layout, n)?;
        T::select_axis(dense(out).0, flat(x), &picks, n, inner);
        Ok(())
    }
    fn add_axis<T: Float, I: Index>(
        &self,
        axis: usize,
        x: View<'_, T, Self>,
        index: View<'_, I, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError> {
        let (out, dims) = dense(out);
        let [n, inner] = sizes_from(axis, &dims);
        let picks = positions(index.buf, index.layout, n)?;
        T::add_axis(out, flat(x), &picks, n, inner);
        Ok(())
    }
    fn take_along<T: Elem, I: Index>(
        &self,
        axis: usize,
        x: View<'_, T, Self>,
        index: View<'_, I, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError> {
        let [n, inner] = sizes_from(axis, x.layout.dims());
        let picks = positions(index.buf, index.layout, n)?;
        let sizes = [n, index.layout.dims()[axis], inner];
        T::take_along(dense(out).0, flat(x), &picks, sizes);
        Ok(())
    }
    fn add_along<T: Float, I: Index>(
        &self,
        axis: usize,
        x: View<'_, T, Self>,
        index: View<'_, I, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError> {
        let (out, dims) = dense(out);
        let [n, inner] = sizes_from(axis, &dims);
        let picks = positions(index.buf, index.layout, n)?;
        let sizes = [n, index.layout.dims()[axis], inner];
        T::add_along(out, flat(x), &picks, sizes);
        Ok(())
    }
    fn put_along<T: Elem, I: Index>(
        &self,
        axis: usize,
        x: View<'_, T, Self>,
        index: View<'_, I, Self>,
        out: ViewMut<'_, T, Self>,
    ) -> Result<(), IndexError> {
        let (out, dims) = dense(out);
        let [n, inner] = sizes_from(axis, &dims);
        let picks = positions(index.buf, index.layout, n)?;
        let sizes = [n, index.layout.dims()[axis], inner];
        T::put_along(out, flat(x), &picks, sizes);
        Ok(())
    }
    fn triangle<T: Elem>(&self, upper: bool, k: isize, out: ViewMut<'_, T, Self>) {
        let (out, dims) = dense(out);
        let rank = dims.rank();
        T::triangle(out, [dims[rank - 2], dims[rank - 1]], upper, k);
    }

    fn sgd<T: Float>(
        &self,
        step: &SgdStep,
        param: ViewMut<'_, T, Self>,
        grad: View<'_, T, Self>,
        velocity: Option<ViewMut<'_, T, Self>>,
    ) {
        assert_eq!(
            param.layout.dims(),
            grad.layout.dims(),
            "parameter and gradient"
        );
        T::sgd(
            step,
            dense(param).0,
            flat(grad),
            velocity.map(|v| dense(v).0),
        );
    }
    fn adam<T: Float>(
        &self,
        step: &AdamStep,
        param: ViewMut<'_, T, Self>,
        grad: View<'_, T, Self>,
        first: ViewMut<'_, T, Self>,
        second: ViewMut<'_, T, Self>,
    ) {
        assert_eq!(
            param.layout.dims(),
            grad.layout.dims(),
            "parameter and gradient"
        );
        T::adam(
            step,
            dense(param).0,
            flat(grad),
            dense(first).0,
            dense(second).0,
        );
    }

    fn count(&self, x: View<'_, bool, Self>, out: ViewMut<'_, i64, Self>) {
        crate::kernel::mask::count(dense(out).0, x.buf, x.layout);
    }
    fn region<R: Region<N>, T: Float, const N: usize>(
        &self,
        _: R,
        x: [Operand<'_, T, Self>; N],
        out: ViewMut<'_, T, Self>,
    ) {
        let (out, dims) = dense(out);
        let x = x.map(|x| src(x, &dims));
        let out = &mut [Output::Dense(out)];
        T::region(&dims, &x, out, R::COST, &block::value::<R, T, N>);
    }
    fn region_pullback<R: Region<N>, T: Float, const N: usize>(
        &self,
        _: R,
        dims: &Dims,
        x: [Operand<'_, T, Self>; N],
        y: Option<View<'_, T, Self>>,
        ct: Operand<'_, T, Self>,
        cts: [Option<ViewMut<'_, T, Self>>; N],
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
        let op =
            |n: usize, x: &[&[T]], y: &mut [&mut [T]]| block::pullback::<R, T, N>(wanted, n, x, y);
        T::region(
            dims,
            &inputs,
            &mut cts.collect::<Vec<_>>(),
            2 * R::COST,
            &op,
        );
    }
    fn region_sum<R: Region<N>, T: Float, const N: usize>(
        &self,
        _: R,
        dims: &Dims,
        x: [Operand<'_, T, Self>; N],
        sum: ViewMut<'_, T, Self>,
        slopes: [Option<ViewMut<'_, T, Self>>; N],
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
    fn region_along<R: Region<N>, T: Float, const N: usize>(
        &self,
        _: R,
        dims: &Dims,
        x: [Operand<'_, T, Self>; N],
        axis: usize,
        out: ViewMut<'_, T, Self>,
    ) {
        let x = x.map(|x| src(x, dims));
        let layout = Layout::dense(dims.with(axis, 1)).expand(dims);
        let out = &mut [Output::Sum(dense(out).0, layout)];
        T::region(dims, &x, out, R::COST, &block::value::<R, T, N>);
    }
    fn region_pushforward<R: Region<N>, T: Float, const N: usize>(
        &self,
        _: R,
        x: [Operand<'_, T, Self>; N],
        t: [Operand<'_, T, Self>; N],
        out: ViewMut<'_, T, Self>,
    ) {
        let (out, dims) = dense(out);
        let x: Vec<_> = x.into_iter().chain(t).map(|x| src(x, &dims)).collect();
        let op = &block::pushforward::<R, T, N>;
        T::region(&dims, &x, &mut [Output::Dense(out)], 3 * R::COST, op);
    }

    fn dropout<T: Float>(
        &self,
        p: f64,
        seed: u64,
        x: Operand<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        let x = match x {
            Operand::Output => None,
            Operand::View(v) => Some(flat(v)),
            Operand::Scalar(_) => panic!("dropout is made of elements"),
        };
        T::dropout(p, seed, x, dense(out).0);
    }

    fn fold<T: Float>(&self, op: FoldOp, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>) {
        let (out, dims) = dense(out);
        T::fold(op, out, &dims, x.buf, x.layout);
    }
    fn fold_pullback<T: Float>(
        &self,
        op: FoldOp,
        x: View<'_, T, Self>,
        y: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::fold_pullback(op, dense(out).0, pair(x), pair(y), pair(ct));
    }
    fn scan<T: Float>(&self, op: ScanOp, x: View<'_, T, Self>, out: ViewMut<'_, T, Self>) {
        T::scan(op, dense(out).0, pair(x));
    }
    fn cumprod_pullback<T: Float>(
        &self,
        x: View<'_, T, Self>,
        y: View<'_, T, Self>,
        ct: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::cumprod_pullback(dense(out).0, pair(x), pair(y), pair(ct));
    }
    fn cumprod_pushforward<T: Float>(
        &self,
        x: View<'_, T, Self>,
        y: View<'_, T, Self>,
        t: View<'_, T, Self>,
        out: ViewMut<'_, T, Self>,
    ) {
        T::cumprod_pushforward(dense(out).0, pair(x), pair(y), pair(t));
    }

    fn argsort<T: Elem>(
        &self,
        order: SortOrder,
        x: View<'_, T, Self>,
        out: ViewMut<'_, i64, Self>,
    ) {
        let (out, dims) = dense(out);
        T::argsort(order, out, pair(x), dims[dims.rank() - 1]);
    }
}

// A type parameter of structs of tensors.
crate::__discrete!([] Cpu);
