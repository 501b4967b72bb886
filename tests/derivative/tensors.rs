//! Rules of functions of tensors, beside fused regions.

use differentiable::ad::check_grads;
use differentiable::prelude::*;

type Image = Tensor![2, 3];

/// Rounds in the forward pass, and lets cotangents through (a straight-through estimator).
fn rounded(x: &Image) -> Image {
    Tensor::from_vec(x.to_vec().into_iter().map(f32::round).collect()).unwrap()
}

#[derivative(of = rounded, jvp = rounded_forward)]
fn rounded_rule(x: &Image) -> (Image, impl Fn(Image) -> Image) {
    (rounded(x), |ct| ct)
}

fn rounded_forward((x, dx): (&Image, &Image)) -> (Image, Image) {
    (rounded(x), dx.clone())
}

#[differentiable]
fn quantized(x: &Tensor![2, 3], w: &Tensor![2, 3]) -> Tensor![] {
    let q = rounded(&(x * 4.0));
    (q * w + 1.0).square().sum()
}

/// The sum of squares, in one number.
fn energy(x: &Tensor![f64; 5]) -> f64 {
    x.to_vec().iter().map(|x| x * x).sum()
}

#[derivative(of = energy)]
fn energy_rule(x: &Tensor![f64; 5]) -> (f64, impl Fn(f64) -> Tensor![f64; 5]) {
    let kept = x.clone();
    (energy(x), move |ct| &kept * (2.0 * ct))
}

#[differentiable]
fn scaled(x: &Tensor![f64; 5], k: f64) -> f64 {
    energy(&(x * k).tanh()) * k
}

#[test]
fn straight_through() {
    let x = Tensor::from_vec(vec![0.3, -0.7, 1.1, 0.0, 2.4, -1.6]).unwrap();
    let w = Tensor::from_vec(vec![1.0, 2.0, -1.0, 0.5, 0.3, -0.2]).unwrap();
    let (dx, dw) = quantized::grad(&x, &w);
    let q: Vec<f32> = x.to_vec().iter().map(|x| (4.0 * x).round()).collect();
    for i in 0..6 {
        let (q, w) = (q[i], w.to_vec()[i]);
        let error = 2.0 * (q * w + 1.0);
        assert!((dx.to_vec()[i] - error * w * 4.0).abs() < 1e-4);
        assert!((dw.to_vec()[i] - error * q).abs() < 1e-4);
    }
    let (y, t) = quantized::jvp((&x, &dx), (&w, &dw));
    assert_eq!(y.item(), quantized(&x, &w).item());
    let expected = f64::from((&dx * &dx).sum().item()) + f64::from((&dw * &dw).sum().item());
    assert!((f64::from(t.item()) - expected).abs() < 1e-4 * expected);
}

#[test]
fn numbers_of_tensors() {
    let x = Tensor::from_vec(vec![0.3, -0.7, 1.1, 0.2, 0.4]).unwrap();
    check_grads::<energy, _>(&(x.clone(),)).unwrap();
    check_grads::<scaled, _>(&(x, 0.8)).unwrap();
}
