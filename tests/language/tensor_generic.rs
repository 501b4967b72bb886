//! Functions that are generic over the element of a tensor and its shape.

#![allow(clippy::all)] // the language under test is written out

use differentiable::ad::check_grads;
use differentiable::prelude::*;
#[differentiable]
fn a1<T: Float, N: Dim>(x: &Tensor<(N,), T>, k: T) -> Tensor<(N,), T> {
    x * k
}
#[differentiable]
fn a2<T: Float, N: Dim>(x: &Tensor<(N,), T>, k: T) -> Tensor<(N,), T> {
    x * T::from_f64(0.5) + x.sin() * k - k
}
#[differentiable]
fn a3<T: Float, N: Dim>(x: &Tensor<(N,), T>, k: T) -> Tensor<(N,), T> {
    let h = T::ONE / (T::ONE + k * k).sqrt();
    (x + T::from_f64(0.5) * k) / h - h.sin() * T::lit(3.0)
}
#[differentiable]
fn b1<T: Float>(x: T, k: T) -> T {
    T::from_f64(0.5) * x * k * T::lit(0.5) + T::ONE - x / k + (-x).exp() - T::ZERO
}
#[differentiable]
fn b2<T: Float, N: Dim>(x: &Tensor<(N,), T>, k: T) -> T {
    x.sum().item() * k
}
#[differentiable]
fn b3<T: Float, N: Dim>(x: &Tensor<(N,), T>, k: T) -> T
where
    T: Float,
{
    let mut s = T::ZERO;
    for i in 0..3 {
        s = s + x.at([i]) * k;
    }
    s
}
#[differentiable]
fn b4<T: Float>(k: T) -> Tensor<(Sz<2>,), T> {
    tensor([k, k * k]) * Tensor::<(Sz<2>,), T>::full(k)
}
type V = Tensor![f64; 4];
#[differentiable]
fn u1(x: &V, k: f64) -> V {
    a1(x, k) * a2(x, k) - a3(x, k)
}
#[differentiable]
fn u2(x: &V, k: f64) -> f64 {
    b1(k, k + 2.0) + b2(x, k) * b3(x, k)
}
#[differentiable]
fn u3(k: f32) -> Tensor![f32; 2] {
    b4(k)
}
#[test]
fn generic() {
    let x = tensor([1.0, 2.0, 3.0, 4.0]);
    check_grads::<u1, _>(&(x.clone(), 0.5)).unwrap();
    check_grads::<u2, _>(&(x.clone(), 0.5)).unwrap();
    let (y, g) = b1::value_and_grad(0.5f32, 0.25);
    println!("{y} {g:?}");
}
