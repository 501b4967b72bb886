//! A machine that brings only what is required: the other operations are composed of that, or go through the host.
//! The results are those of the CPU, whose every operation is its own.

use differentiable::device::{
    BinaryOp, CompareOp, DeviceError, Dims, Fourier, Images, Index, IndexError, Linalg, Operand,
    Random, ReduceOp, Region, Side, UnaryOp, View, ViewMut, Write,
};
use differentiable::prelude::*;

/// The processor with a small vocabulary.
#[derive(Clone, Debug, PartialEq)]
struct Minimal;

type Buf<T> = <Cpu as Backend>::Buf<T>;

fn read<T: Elem>(x: View<'_, T, Minimal>) -> View<'_, T, Cpu> {
    View {
        buf: x.buf,
        layout: x.layout,
    }
}

fn write<T: Elem>(x: ViewMut<'_, T, Minimal>) -> ViewMut<'_, T, Cpu> {
    ViewMut {
        buf: x.buf,
        layout: x.layout,
    }
}

fn operand<T: Elem>(x: Operand<'_, T, Minimal>) -> Operand<'_, T, Cpu> {
    match x {
        Operand::View(x) => Operand::View(read(x)),
        Operand::Scalar(x) => Operand::Scalar(x),
        Operand::Output => Operand::Output,
    }
}

type X<'a, T> = View<'a, T, Minimal>;
type Out<'a, T> = ViewMut<'a, T, Minimal>;
type Any<'a, T> = Operand<'a, T, Minimal>;

impl Backend for Minimal {
    type Buf<T: Elem> = Buf<T>;

    fn current() -> Self {
        Minimal
    }
    fn alloc<T: Elem>(&self, len: usize) -> Buf<T> {
        Cpu.alloc(len)
    }
    fn len<T: Elem>(buf: &Buf<T>) -> usize {
        Cpu::len(buf)
    }
    fn upload<T: Elem>(&self, data: &[T]) -> Buf<T> {
        Cpu.upload(data)
    }
    fn download<T: Elem>(&self, x: X<'_, T>) -> Result<Vec<T>, DeviceError> {
        Cpu.download(read(x))
    }

    fn fill<T: Elem>(&self, value: T, out: Out<'_, T>) {
        Cpu.fill(value, write(out));
    }
    fn copy<T: Elem>(&self, x: X<'_, T>, out: Out<'_, T>) {
        Cpu.copy(read(x), write(out));
    }
    fn cast<T: Elem, U: Elem>(&self, x: X<'_, T>, out: Out<'_, U>) {
        Cpu.cast(read(x), write(out));
    }
    fn random<T: Float>(&self, law: Random, seed: u64, stream: u64, out: Out<'_, T>) {
        Cpu.random(law, seed, stream, write(out));
    }
    fn gemm<T: Float>(&self, beta: T, a: X<'_, T>, b: X<'_, T>, out: Out<'_, T>) {
        Cpu.gemm(beta, read(a), read(b), write(out));
    }
    fn unary<T: Float>(&self, op: UnaryOp, x: Any<'_, T>, out: Out<'_, T>) {
        Cpu.unary(op, operand(x), write(out));
    }
    fn unary_pullback<T: Float>(
        &self,
        op: UnaryOp,
        saved: Any<'_, T>,
        ct: Any<'_, T>,
        how: Write,
        out: Out<'_, T>,
    ) {
        Cpu.unary_pullback(op, operand(saved), operand(ct), how, write(out));
    }
    fn binary<T: Float>(
        &self,
        op: BinaryOp,
        a: Any<'_, T>,
        b: Any<'_, T>,
        how: Write,
        out: Out<'_, T>,
    ) {
        Cpu.binary(op, operand(a), operand(b), how, write(out));
    }
    fn binary_pullback<T: Float>(
        &self,
        op: BinaryOp,
        side: Side,
        a: Any<'_, T>,
        b: Any<'_, T>,
        ct: Any<'_, T>,
        how: Write,
        out: Out<'_, T>,
    ) {
        let [a, b, ct] = [a, b, ct].map(operand);
        Cpu.binary_pullback(op, side, a, b, ct, how, write(out));
    }
    fn compare<T: Elem>(&self, op: CompareOp, a: X<'_, T>, b: X<'_, T>, out: Out<'_, bool>) {
        Cpu.compare(op, read(a), read(b), write(out));
    }
    fn select<T: Elem>(&self, mask: X<'_, bool>, a: Any<'_, T>, b: Any<'_, T>, out: Out<'_, T>) {
        Cpu.select(read(mask), operand(a), operand(b), write(out));
    }
    fn reduce<T: Float>(&self, op: ReduceOp, x: X<'_, T>, how: Write, out: Out<'_, T>) {
        Cpu.reduce(op, read(x), how, write(out));
    }
    fn gather<T: Elem, I: Index>(
        &self,
        x: X<'_, T>,
        index: X<'_, I>,
        out: Out<'_, T>,
    ) -> Result<(), IndexError> {
        Cpu.gather(read(x), read(index), write(out))
    }
    fn scatter_add<T: Float, I: Index>(
        &self,
        x: X<'_, T>,
        index: X<'_, I>,
        out: Out<'_, T>,
    ) -> Result<(), IndexError> {
        Cpu.scatter_add(read(x), read(index), write(out))
    }
    fn take_along<T: Elem, I: Index>(
        &self,
        axis: usize,
        x: X<'_, T>,
        index: X<'_, I>,
        out: Out<'_, T>,
    ) -> Result<(), IndexError> {
        Cpu.take_along(axis, read(x), read(index), write(out))
    }
    fn add_along<T: Float, I: Index>(
        &self,
        axis: usize,
        x: X<'_, T>,
        index: X<'_, I>,
        out: Out<'_, T>,
    ) -> Result<(), IndexError> {
        Cpu.add_along(axis, read(x), read(index), write(out))
    }
    fn region<R: Region<N>, T: Float, const N: usize>(
        &self,
        region: R,
        x: [Any<'_, T>; N],
        out: Out<'_, T>,
    ) {
        Cpu.region(region, x.map(operand), write(out));
    }
    fn region_pullback<R: Region<N>, T: Float, const N: usize>(
        &self,
        region: R,
        dims: &Dims,
        x: [Any<'_, T>; N],
        y: Option<X<'_, T>>,
        ct: Any<'_, T>,
        cts: [Option<Out<'_, T>>; N],
    ) {
        let cts = cts.map(|c| c.map(write));
        Cpu.region_pullback(region, dims, x.map(operand), y.map(read), operand(ct), cts);
    }
    fn region_sum<R: Region<N>, T: Float, const N: usize>(
        &self,
        region: R,
        dims: &Dims,
        x: [Any<'_, T>; N],
        sum: Out<'_, T>,
        slopes: [Option<Out<'_, T>>; N],
    ) {
        let slopes = slopes.map(|c| c.map(write));
        Cpu.region_sum(region, dims, x.map(operand), write(sum), slopes);
    }
    fn region_along<R: Region<N>, T: Float, const N: usize>(
        &self,
        region: R,
        dims: &Dims,
        x: [Any<'_, T>; N],
        axis: usize,
        out: Out<'_, T>,
    ) {
        Cpu.region_along(region, dims, x.map(operand), axis, write(out));
    }
    fn region_pushforward<R: Region<N>, T: Float, const N: usize>(
        &self,
        region: R,
        x: [Any<'_, T>; N],
        t: [Any<'_, T>; N],
        out: Out<'_, T>,
    ) {
        Cpu.region_pushforward(region, x.map(operand), t.map(operand), write(out));
    }
}

impl Images for Minimal {}
impl Linalg for Minimal {}
impl Fourier for Minimal {}

/// Runs an annotated function and its derivatives on both, and compares all numbers.
macro_rules! agree {
    ($(fn $name:ident($($x:ident: [$($dims:literal),*]),*) -> $body:expr;)*) => { $(
        #[test]
        fn $name() {
            #[differentiable]
            fn f<D: Backend + Images + Linalg + Fourier>($($x: &Tensor<($(Sz<$dims>,)*), f64, D>),*) -> Tensor<(), f64, D> {
                let y = $body;
                let weights = (y.square() + 1.0).ln();
                (y * weights).sum()
            }
            fn all<D: Backend + Images + Linalg + Fourier>(device: &D) -> Vec<f64> {
                let mut seed = 3;
                $( seed += 1; let $x: Tensor<($(Sz<$dims>,)*), f64, D> = Tensor::randn_on(device, seed); )*
                let (value, grads) = f::value_and_grad($(&$x),*);
                let mut numbers = vec![value.item()];
                let (_, tangent) = f::jvp($((&$x, &$x.ones_like())),*);
                numbers.push(tangent.item());
                differentiable::ad::Tangent::each(&grads, &mut |x| numbers.push(x));
                numbers
            }
            close(&all(&Cpu), &all(&Minimal));
        }
    )* };
}

#[track_caller]
fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        let near = (a - b).abs() <= 1e-11 * (1.0 + a.abs());
        assert!(near || a.is_nan() && b.is_nan(), "number {i}: {a} and {b}");
    }
}

agree! {
    fn softmax(x: [3, 4]) -> x.softmax::<1>() * x;
    fn log_softmax(x: [2, 3, 4]) -> x.log_softmax::<-1>();
    fn largest(x: [3, 4]) -> x.max_axis::<1>() + x.min_axis::<1>();
    fn layer_norm(x: [3, 4], s: [4], b: [4]) -> x.layer_norm(s, b, 1e-5);
    fn rms_norm(x: [3, 4], s: [4]) -> x.rms_norm(s, 1e-5);
    fn group_norm(x: [2, 4, 3, 2], s: [4], b: [4]) -> x.group_norm::<2>(s, b, 1e-5);
    fn selected(x: [3, 4]) -> x.softmax::<0>().slice::<1, 1, 2>();
    fn sums(x: [3, 4]) -> x.cumsum::<1>() + x.cumprod::<1>();
    fn folds(x: [3, 4]) -> x.var_axis::<1>(1) + x.logsumexp_axis::<1>();
    fn attention(q: [2, 3, 4], k: [2, 5, 4], v: [2, 5, 6]) -> q.attention(k, v, Attention::new().causal());
    fn convolution(x: [2, 2, 5, 5], w: [3, 2, 3, 3]) -> x.conv2d(w, Win::new().pad::<1>());
    fn pooling(x: [1, 2, 4, 4]) -> x.max_pool::<2, 2>() + x.avg_pool::<2, 2>();
    fn lstm(x: [3, 2, 2], w: [4, 3, 2], r: [4, 3, 3], b: [4, 3], h: [2, 3]) -> x.lstm(w, r, b, h, h).0;
    fn solve(a: [3, 3], b: [3, 2]) -> (a.matmul(&a.t()) + a.matmul(&a.t())).solve(b);
    fn transform(x: [8]) -> x.rfft::<-1>().0;
    fn triangle(x: [3, 3]) -> x.tril(0) + x.triu(1);
}
