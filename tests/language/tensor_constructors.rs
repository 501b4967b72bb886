//! Constructors of tensors where a value is expected.

#![allow(clippy::all)] // the language under test is written out

use differentiable::ad::check_grads;
use differentiable::prelude::*;
type M = Tensor![f64; 3, 2];
fn x() -> M {
    Tensor::from_fn(|i| ((i * 7 % 18) as f64 * 0.37).sin() + i as f64 * 0.01)
}
#[differentiable]
fn a2(x: &M) -> M {
    x + &Tensor::<shape![3, 2], f64>::ones()
}
#[differentiable]
fn a3(x: &M) -> M {
    x * Tensor::<shape![3, 2], f64>::full(2.0)
}
#[differentiable]
fn a4(x: &M) -> M {
    x + 0.1 * Tensor::<shape![3, 2], f64>::randn(1)
}
#[differentiable]
fn a5(x: &M) -> M {
    x.sin() * <Tensor![f64; 3, 2]>::full(2.0) - M::ones()
}
#[differentiable]
fn a6(x: &M) -> Tensor![f64; 6, 2] {
    x.concat::<0, _>(&M::ones())
}
#[differentiable]
fn a7(x: &M) -> M {
    x + 0.1 * M::randn(1) * x * &(&M::ones() * 2.0)
}
#[differentiable]
fn a8(x: &M) -> M {
    x.lerp(&Tensor::ones(), 0.25)
}
#[differentiable]
fn g(x: &M, y: M, z: &M) -> M {
    x * y + z
}
#[differentiable]
fn b1(x: &M) -> M {
    g(x, Tensor::ones(), &Tensor::full(2.0))
}
#[differentiable]
fn b2(x: &M) -> M {
    let mut y = x.clone();
    for k in 0..3 {
        y = g(&y, Tensor::full(k as f64), &Tensor::full(2.0));
    }
    y
}
#[differentiable]
fn b3(x: &M) -> M {
    g(
        &tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        Tensor::randn(3),
        x,
    ) * x
}
#[differentiable]
fn b4(x: &Tensor![f32; 3, 2]) -> Tensor![f32; 3, 2] {
    x + 0.1 * Tensor::<shape![3, 2], f32>::randn(1)
}
#[differentiable]
fn p8(x: &M) -> M {
    x.lerp(&Tensor::ones(), 0.5)
}
#[differentiable]
fn p9(x: &M) -> M {
    x * Tensor::<shape![3, 2], _>::full(2.0)
}
#[test]
fn constructors() {
    checked!(p8, p9, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3);
}
