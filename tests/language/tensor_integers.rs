//! Tensors of integers: positions that come out of tuples, and owned ones as arguments.

#![allow(clippy::all)] // the language under test is written out

use differentiable::ad::check_grads;
use differentiable::prelude::*;

type M = Tensor![f64; 3, 6];
fn x() -> M {
    Tensor::from_fn(|i| ((i * 7 % 18) as f64 * 0.37).sin() + i as f64 * 0.01)
}

#[differentiable]
fn a1(x: &M) -> Tensor![f64; 3, 1] {
    let (v, i) = x.topk::<1, 2>();
    let first = i.slice::<1, 0, 1>();
    v.sum_axis_keepdim::<1>() + x.gather::<1, _, _>(&first)
}
#[differentiable]
fn a2(x: &M) -> Tensor![f64; 3, 2] {
    let (_, i) = x.topk::<1, 2>();
    x.gather::<1, _, _>(&((i + 1) % 6))
}
#[differentiable]
fn a3(x: &M) -> Tensor![f64; 3, 2] {
    let i = x.topk::<1, 2>().1;
    let j = i.sort::<1>();
    x.gather::<1, _, _>(&j) * x.topk::<1, 2>().0
}
#[differentiable]
fn a4(x: &M) -> Tensor![f64; 3, 2] {
    let top = x.topk::<1, 2>();
    let i = top.1.flip::<1>();
    x.gather::<1, _, _>(&i) + top.0
}
#[differentiable]
fn a5(x: &M) -> Tensor![f64; 3, 2] {
    x.gather::<1, _, _>(&x.topk::<1, 2>().1.flip::<1>()) * 2.0
}
#[differentiable]
fn a6(x: &M) -> Tensor![f64; 3, 2] {
    let (v, i) = (x * 2.0).topk::<1, 2>();
    let (w, _) = v.topk::<1, 2>();
    let mut total = w * 0.5;
    for k in 0..2 {
        let j = &i + k;
        total = total + x.gather::<1, _, _>(&(j % 6));
    }
    total
}
#[differentiable]
fn top(x: &M) -> (Tensor![f64; 3, 2], Tensor![i64; 3, 2]) {
    x.topk::<1, 2>()
}
#[differentiable]
fn a7(x: &M) -> Tensor![f64; 3, 2] {
    let (v, i): (Tensor![f64; 3, 2], Tensor![i64; 3, 2]) = top(x);
    v * x.gather::<1, _, _>(&i.flip::<1>())
}
#[differentiable]
fn a8(x: &M) -> Tensor![f64; 3, 2] {
    let ((v, i), k) = (x.topk::<1, 2>(), 2.0);
    let n = i.at([0, 0]) as f64;
    (v * x.gather::<1, _, _>(&i.flip::<1>())) * k + n
}
#[test]
fn integers_of_tuples() {
    checked!(a1, a2, a3, a4, a5, a6, a7, a8);
}

#[differentiable]
fn g1(x: &M, i: &Tensor![i64; 3, 2]) -> Tensor![f64; 3, 2] {
    let j = i + 1;
    x.gather::<1, _, _>(&(j % 6))
}
#[differentiable]
fn g2(x: &M) -> Tensor![f64; 3, 6] {
    let j = x.argsort::<1>();
    x.gather::<1, _, _>(&(j % 6)) * x.gather::<1, _, _>(&(x.argsort::<1>() % 6))
}
#[differentiable]
fn g3(x: &M, i: Tensor![i64; 3, 2]) -> Tensor![f64; 3, 2] {
    let y = x.gather::<1, _, _>(&(i % 6));
    y * 2.0
}
#[differentiable]
fn g4(x: &M, i: Tensor![i64; 3, 2]) -> Tensor![f64; 3, 2] {
    let j: Tensor![i64; 3, 2] = i * 5;
    let k = -j;
    let y = x.gather::<1, _, _>(&((k + 600) % 6));
    y * 2.0
}
#[test]
fn owned_positions() {
    let i: Tensor![i64; 3, 2] = tensor([[0, 5], [3, 2], [1, 1]]);
    check_grads::<g1, _>(&(x(), i.clone())).unwrap();
    check_grads::<g2, _>(&(x(),)).unwrap();
    check_grads::<g3, _>(&(x(), i.clone())).unwrap();
    check_grads::<g4, _>(&(x(), i)).unwrap();
}
