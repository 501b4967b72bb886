//! From scalars to tensors and back.

#![allow(clippy::all)] // the language under test is written out

use differentiable::ad::check_grads;
use differentiable::prelude::*;
type M = Tensor![f64; 3, 2];
fn x() -> M {
    Tensor::from_fn(|i| ((i * 7 % 18) as f64 * 0.37).sin() + i as f64 * 0.01)
}
#[differentiable]
fn a1(x: &M, a: f64) -> M {
    x * M::full(a * a)
}
#[differentiable]
fn a2(a: f64, b: f64) -> Tensor![f64; 2] {
    tensor([a * b, a.sin()])
}
#[differentiable]
fn a3(v: [f64; 3]) -> Tensor![f64; 3] {
    let t: Tensor![f64; 3] = tensor(v);
    t.sin()
}
#[differentiable]
fn a4(a: f64, b: f64) -> Tensor![f64; 2, 2] {
    let c = a * b;
    tensor([[a, b], [c, 1.0]])
}
#[differentiable]
fn a5(v: &[f64]) -> Tensor![f64; 3] {
    let t: Tensor![f64; 3] = Tensor::from_slice(v).unwrap();
    t.exp()
}
#[differentiable]
fn a6(v: Vec<f64>) -> Tensor![f64; 3] {
    let t: Tensor![f64; 3] = Tensor::from_vec(v).unwrap();
    t.exp()
}
#[differentiable]
fn a7(x: &M) -> f64 {
    x.sum().item() * x[[1, 1]] + x.get([2, 0]).unwrap()
}
#[differentiable]
fn a8(a: f64) -> Tensor![f64; ] {
    Tensor::full(a)
}
#[differentiable]
fn a9(x: &M, a: f64) -> M {
    let s = tensor(a);
    x * s
}
#[differentiable]
fn a10(x: &M, a: f64) -> M {
    let s = Tensor::<shape![2], f64>::full(a);
    x * s
}
#[differentiable]
fn a11(x: &M) -> M {
    let m = x.mean().item();
    let s: M = Tensor::full(m);
    x - s
}
dim!(Batch);
#[differentiable]
fn a12(x: &Tensor![f64; Batch, 2], a: f64) -> Tensor![f64; Batch, 2] {
    x * Tensor::full_with(x.shape(), a)
}
#[test]
fn scalars_to_tensors() {
    check_grads::<a1, _>(&(x(), 0.7)).unwrap();
    check_grads::<a2, _>(&(0.7, 0.3)).unwrap();
    check_grads::<a3, _>(&([0.7, 0.3, 0.5],)).unwrap();
    check_grads::<a4, _>(&(0.7, 0.3)).unwrap();
    check_grads::<a5, _>(&(vec![0.7, 0.3, 0.5],)).unwrap();
    check_grads::<a6, _>(&(vec![0.7, 0.3, 0.5],)).unwrap();
    check_grads::<a7, _>(&(x(),)).unwrap();
    check_grads::<a8, _>(&(0.5,)).unwrap();
    check_grads::<a9, _>(&(x(), 0.5)).unwrap();
    check_grads::<a10, _>(&(x(), 0.5)).unwrap();
    check_grads::<a11, _>(&(x(),)).unwrap();
    check_grads::<a12, _>(&(Tensor::from_fn_with((Batch(4), Sz), |i| i as f64), 0.3)).unwrap();
}
