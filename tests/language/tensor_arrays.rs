//! Arrays of tensors: taken apart, indexed, mapped and looped over.

#![allow(clippy::all)] // the language under test is written out

use differentiable::ad::check_grads;
use differentiable::prelude::*;
type M = Tensor![f64; 3, 6];
type P = Tensor![f64; 3, 2];
fn x() -> M {
    Tensor::from_fn(|i| ((i * 7 % 18) as f64 * 0.37).sin() + i as f64 * 0.01)
}
#[differentiable]
fn a1(x: &M) -> P {
    let [q, k, v] = x.chunk::<-1, 3>();
    q * k + v.sin()
}
#[differentiable]
fn a2(x: &M) -> P {
    let mut total = Tensor::zeros();
    for p in x.chunk::<1, 3>() {
        total = total * &p + p;
    }
    total
}
#[differentiable]
fn a3(x: &M) -> P {
    let [a, b, c] = x.chunk::<1, 3>().map(|p| p.sin() * 2.0);
    a * b - c
}
#[differentiable]
fn a4(x: &M) -> P {
    let parts = x.chunk::<1, 3>();
    &parts[1] * &parts[0] + parts[2].exp()
}
#[differentiable]
fn a5(x: &M) -> P {
    let (q, k, v) = x.split::<1, (Sz<2>, Sz<2>, Sz<2>)>();
    q * k + v.sin()
}
#[differentiable]
fn a6(x: &M) -> P {
    let mut total: P = Tensor::zeros();
    for p in &x.chunk::<1, 3>() {
        total = total + p * p;
    }
    for p in x.chunk::<1, 3>().iter() {
        total = total + p * p;
    }
    for (i, p) in x.chunk::<1, 3>().into_iter().enumerate() {
        total = total + p * (i as f64);
    }
    total
}
#[differentiable]
fn a7(x: &M) -> P {
    let [q, .., v] = x.chunk::<-1, 3>();
    let [a, b] = q.chunk::<1, 2>();
    (q * v) * (a * b).sum()
}
#[differentiable]
fn a8(x: &M) -> f64 {
    let [q, _, v] = x.chunk::<-1, 3>();
    let s: f64 = x.chunk::<1, 3>().iter().map(|p| p.sum().item()).sum();
    (q * v).sum().item() * s
}
#[differentiable]
fn a9(x: &M) -> P {
    let (q, r) = x.split_at::<1, 2>();
    let parts = r.chunk::<1, 2>().map(|p| p * 3.0);
    let [a, b]: [P; 2] = parts;
    q * a + b
}
#[test]
fn arrays_of_tensors() {
    checked!(a1, a2, a3, a4, a5, a6, a7, a8, a9);
}
#[differentiable]
fn b1(x: [f64; 3], v: Vec<f64>) -> f64 {
    let [a, b, c] = x;
    let mut s = a * b * c;
    for y in v {
        s += y * y;
    }
    s
}
#[test]
fn scalars() {
    check_grads::<b1, _>(&([1.0, 2.0, 3.0], vec![0.5, 0.6])).unwrap();
}
