//! A machine that brings only what is required: the other operations are composed of that, or go through the host.
//! The results are those of the CPU, whose every operation is its own.

use differentiable::device::{
    BinaryOp, CompareOp, DeviceError, Dims, Fourier, Images, Index, IndexError, Linalg, Operand,
    Random, ReduceOp, Region, Side, UnaryOp, View, ViewMut, Write,
};
use differentiable::optim::{Adam, AdamW, AnyOptimizer, Optimizer, Sgd};
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
        let near = a == b || (a - b).abs() <= 1e-11 * (1.0 + a.abs());
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
    fn batch_norm(x: [3, 2, 4], s: [2], b: [2]) -> x.batch_norm(s, b, 1e-5);
    fn instance_norm(x: [3, 2, 4], s: [2], b: [2]) -> x.instance_norm(s, b, 1e-5);
    fn running_norm(x: [3, 2, 4], m: [2], v: [2], s: [2], b: [2]) -> x.batch_norm_inference(m, &(v.square() + 0.5), s, b, 1e-5);
    fn norm_of_no_rows(x: [0, 4], s: [4], b: [4]) -> x.layer_norm(s, b, 1e-5);
    fn norm_of_no_channels(x: [2, 0, 3], s: [0], b: [0]) -> x.batch_norm(s, b, 1e-5);
    fn softmax_of_no_rows(x: [0, 3]) -> x.softmax::<1>();
}

/// Runs a generic function on both.
macro_rules! both {
    ($f:ident) => {
        close(&$f(&Cpu), &$f(&Minimal))
    };
}

/// All numbers of a tensor.
fn numbers<S: Shape, T: Elem, D: Backend>(x: &Tensor<S, T, D>) -> Vec<f64> {
    x.to_vec().into_iter().map(T::to_f64).collect()
}

#[differentiable]
fn picked<D: Backend>(
    x: &Tensor<(Sz<4>, Sz<3>), f64, D>,
    ids: &Tensor<(Sz<5>,), i64, D>,
    places: &Tensor<(Sz<4>, Sz<2>), i64, D>,
    targets: &Tensor<(Sz<4>,), i64, D>,
) -> Tensor<(), f64, D> {
    let rows = x.embedding(ids).square().sum();
    let columns = x.index_select::<1, _, _>(ids).exp().sum();
    let each = x.gather::<1, _, _>(places);
    let put = x.scatter::<1, _, _>(places, &each.sin());
    let added = x.scatter_add::<1, _, _>(places, &each);
    rows + columns + (put * added).sum() + x.cross_entropy(targets)
}

#[test]
fn numbered_elements() {
    fn all<D: Backend>(device: &D) -> Vec<f64> {
        let x = Tensor::randn_on(device, 1);
        let ids = Tensor::from_slice_on(device, &[2, 0, 1, 2, 2]).expect("five");
        let places = Tensor::from_slice_on(device, &[0, 2, 1, 1, 2, 0, 0, 0]).expect("eight");
        let targets = Tensor::from_slice_on(device, &[2, 0, 0, 1]).expect("four");
        let (value, grad) = picked::value_and_grad(&x, &ids, &places, &targets);
        let (_, tangent) = picked::jvp((&x, &x.ones_like()), &ids, &places, &targets);
        let mut all = vec![value.item(), tangent.item()];
        all.extend(numbers(&grad));
        all
    }
    both!(all);
    let x: Tensor<(Sz<4>, Sz<3>), f64, Minimal> = Tensor::zeros_on(&Minimal);
    let wrong = Tensor::<(Sz<4>,), i64, Minimal>::full_on(&Minimal, 3);
    let failed = std::panic::catch_unwind(|| x.cross_entropy(&wrong));
    let text = failed.expect_err("a panic");
    let text = text.downcast_ref::<String>().expect("a message");
    assert!(
        text.contains("index 3 at position 0 is out of range"),
        "{text}"
    );
}

#[test]
fn special_values() {
    fn all<D: Backend>(device: &D) -> Vec<f64> {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let x = [
            [1.0, 1.0, 0.5], // a tie
            [nan, 2.0, 1.0],
            [inf, 0.0, -inf],
            [-inf, -inf, -inf],
        ];
        let x = Tensor::<(Sz<4>, Sz<3>), f64, D>::from_slice_on(device, x.as_flattened());
        let x = x.expect("twelve");
        #[differentiable]
        fn largest<D: Backend>(x: &Tensor<(Sz<4>, Sz<3>), f64, D>) -> Tensor<(Sz<4>,), f64, D> {
            x.max_axis::<1>()
        }
        let (value, pull) = largest::vjp(&x);
        let mut all = numbers(&value);
        all.extend(numbers(&pull(value.ones_like())));
        all.extend(numbers(&x.softmax::<1>()));
        all.extend(numbers(&x.log_softmax::<1>()));
        all.extend(numbers(&x.gt(0.0).count_axis::<1>()));
        all
    }
    both!(all);
}

#[test]
fn steps_of_optimisers() {
    fn all<D: Backend>(device: &D) -> Vec<f64> {
        let start = Tensor::<(Sz<5>,), f64, D>::randn_on(device, 1);
        let grad = Tensor::<(Sz<5>,), f64, D>::randn_on(device, 2);
        let sgd = || AnyOptimizer::from(Sgd::new(0.1).weight_decay(0.01));
        let momentum = Sgd::new(0.1).momentum(0.9).weight_decay(0.01);
        let optimizers = [
            sgd(),
            AnyOptimizer::from(momentum.clone()),
            AnyOptimizer::from(momentum.nesterov()),
            AnyOptimizer::from(Adam::new(0.1)),
            AnyOptimizer::from(AdamW::new(0.1)),
        ];
        let mut all = Vec::new();
        for mut optimizer in optimizers {
            let mut w = start.clone();
            for _ in 0..3 {
                optimizer.step(&mut w, &grad);
            }
            all.extend(numbers(&w));
        }
        all
    }
    both!(all);
}

/// The draws are the machine's own; value and pullback drop the same elements.
#[test]
fn dropout() {
    #[differentiable]
    fn dropped(x: &Tensor<(Sz<1000>,), f64, Minimal>) -> Tensor<(Sz<1000>,), f64, Minimal> {
        x.dropout(0.25, 7)
    }
    let x = Tensor::ones_on(&Minimal);
    let (value, pull) = dropped::vjp(&x);
    let kept = numbers(&value);
    assert!(
        kept.iter()
            .all(|v| *v == 0.0 || (v - 4.0 / 3.0).abs() < 1e-12)
    );
    let count = kept.iter().filter(|v| **v != 0.0).count();
    assert!((700..800).contains(&count), "{count} of 1000 are kept");
    assert_eq!(numbers(&pull(x.clone())), kept);
    assert_eq!(numbers(&x.dropout(0.0, 7)), numbers(&x));
}
