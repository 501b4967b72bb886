//! Generic annotated functions, instantiated in release too.
#![allow(missing_docs)]

use differentiable::ad::Tangent;
use differentiable::prelude::*;
use differentiable::shape::Affine;

#[derive(Clone, Debug, Differentiable)]
struct Dense<const I: usize, const O: usize> {
    w: Tensor<(Sz<I>, Sz<O>), f64>,
}

#[differentiable]
impl<const I: usize, const O: usize> Dense<I, O> {
    fn rows<B: Dim>(&self, x: &Tensor<(B, Sz<I>), f64>) -> Tensor<(B, Sz<O>), f64> {
        x.matmul(&self.w).tanh()
    }

    fn energy<B: Dim>(&self, x: &Tensor<(B, Sz<I>), f64>) -> Tensor<(), f64> {
        self.rows(x).sum()
    }
}

fn only_bounds<S: Affine<2, 3>>() -> usize {
    S::RANK
}

#[test]
fn dense() {
    assert_eq!(only_bounds::<(Sz<5>, Sz<2>)>(), 2);
    let layer = Dense::<2, 3> {
        w: Tensor::randn(1),
    };
    let x: Tensor<(Sz<4>, Sz<2>), f64> = Tensor::randn(2);
    let (v, (g, gx)) = layer.energy_value_and_grad(&x);
    assert_eq!(v.item(), layer.energy(&x).item());
    let h = 1e-6;
    let mut moved = layer.clone();
    moved.add_scaled(h, &g);
    let mut back = layer.clone();
    back.add_scaled(-h, &g);
    let slope = (moved.energy(&x).item() - back.energy(&x).item()) / (2.0 * h);
    assert!((slope - g.dot(&g)).abs() < 1e-6 * (1.0 + slope.abs()));
    assert_eq!(gx.to_vec().len(), 8);
}
