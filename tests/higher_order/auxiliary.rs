//! Products with Hessians of losses that give other values beside: of the first part of the value.

use crate::near;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

#[differentiable(higher_order)]
fn beside(x: &[f64], k: f64, n: usize) -> (f64, Vec<f64>, usize) {
    let y: Vec<f64> = x.iter().map(|v| (v * k).sin()).collect();
    (y.iter().map(|v| v * v * k).sum::<f64>(), y, n)
}

#[differentiable(higher_order)]
fn alone(x: &[f64], k: f64) -> f64 {
    beside(x, k, 3).0
}

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Net {
    w: Vec<f64>,
}

#[differentiable(higher_order)]
impl Net {
    fn loss(&self, k: f64) -> (f64, Vec<f64>) {
        let (loss, outputs, _) = beside(&self.w, k, 1);
        (loss, outputs)
    }
}

#[differentiable(higher_order)]
fn of_tensors(w: &Tensor![f64; 2]) -> (f64, Tensor![f64; 2]) {
    let h = w.sin();
    ((&h * &h).sum().item(), h)
}

/// Inside of another function.
#[differentiable]
fn within(x: &[f64], k: f64) -> f64 {
    let (h, by_k) = beside::hvp((x, &[1.0, k]), (k, x[0]), 2);
    let rows = beside::hessian(x, k, 2);
    h[0] * h[1] * by_k + rows.0[0].0[1] + rows.1.1
}

#[test]
fn of_the_first_part() {
    let (x, v, k) = ([0.3, 0.7], [1.0, -2.0], 1.3);
    assert_eq!(
        beside::hvp((&x, &v), (k, 0.5), 3),
        alone::hvp((&x, &v), (k, 0.5))
    );
    assert_eq!(beside::hessian(&x, k, 3), alone::hessian(&x, k));
    let (gradient, product) = beside::grad_and_hvp((&x, &v), (k, 0.5), 3);
    assert_eq!(gradient, alone::grad(&x, k));
    let net = Net { w: x.to_vec() };
    let along = NetTangent { w: v.to_vec() };
    let (h, by_k) = net.loss_hvp(&along, (k, 0.5));
    assert_eq!((h.w, by_k), product);
    check_grads::<within, _>(&(x.to_vec(), k)).unwrap();
    let h = of_tensors::hvp((&tensor([0.1, 0.2]), &tensor([1.0, 0.0])));
    near(h.to_vec()[0], 2.0 * 0.2f64.cos(), 1e-14);
}
