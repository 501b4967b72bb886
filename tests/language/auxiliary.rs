//! Values beside a loss: of a tuple the first part is differentiated.

use crate::check_outputs;
use differentiable::prelude::*;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Info {
    count: usize,
    name: String,
    parts: Vec<f64>,
}

#[differentiable]
fn with_info(x: f64, w: &[f64]) -> (f64, Info) {
    let mut parts = Vec::new();
    let mut total = 0.0;
    for v in w {
        let p = (v * x).sin();
        parts.push(p);
        total += p * p;
    }
    let name = "sines".to_string();
    (
        total,
        Info {
            count: w.len(),
            name,
            parts,
        },
    )
}

#[differentiable]
fn total(x: f64, w: &[f64]) -> f64 {
    with_info(x, w).0
}

#[differentiable]
fn uses_both(x: f64, w: &[f64]) -> f64 {
    let (total, info) = with_info(x, w);
    total * info.parts[0]
}

#[test]
fn the_first_part_is_the_loss() {
    let w = [0.4, 1.2];
    let ((value, info), g) = with_info::value_and_grad(0.7, &w);
    assert_eq!((value, g.clone()), total::value_and_grad(0.7, &w));
    assert_eq!((value, info), with_info(0.7, &w));
    assert_eq!(g, with_info::grad(0.7, &w));
    crate::check::<uses_both, _>(&(0.7, w.to_vec()));
}

#[differentiable]
fn two_numbers(x: f64, y: f64) -> (f64, f64) {
    let a = x * y;
    (a.exp(), a + y)
}

#[differentiable]
fn of_any_scalar<T: differentiable::ad::Scalar>(x: T, y: T) -> (T, [T; 2], bool) {
    let a = x * y;
    (a.exp(), [a, y], x > y)
}

#[differentiable]
fn left_early(x: f32) -> (f32, Option<f32>) {
    if x < 0.0 {
        return (x * x, None);
    }
    let root = x.sqrt();
    (root * x, Some(stop_gradient(root)))
}

#[test]
fn auxiliary_values_of_any_type() {
    let e = 0.15f64.exp();
    assert_eq!(two_numbers::grad(0.3, 0.5), (0.5 * e, 0.3 * e));
    // A Jacobian still has a row for each.
    assert_eq!(two_numbers::jacobian(0.3, 0.5).1, (0.5, 1.3));
    check_outputs::<two_numbers, _>(&(0.3, 0.5));
    let ((_, pair, larger), g) = of_any_scalar::value_and_grad(0.3, 0.5);
    assert_eq!((pair, larger, g), ([0.15, 0.5], false, (0.5 * e, 0.3 * e)));
    assert_eq!(left_early::value_and_grad(4.0), ((8.0, Some(2.0)), 3.0));
    assert_eq!(left_early::value_and_grad(-2.0), ((4.0, None), -4.0));
}

#[derive(Clone, Differentiable)]
struct Model {
    w: f64,
}

#[differentiable]
trait Loss {
    fn loss(&self, x: f64, #[constant] calls: &mut u32) -> (f64, f64);
}

#[differentiable]
impl Loss for Model {
    fn loss(&self, x: f64, #[constant] calls: &mut u32) -> (f64, f64) {
        *calls += 1;
        let y = self.w * x;
        (y * y, no_grad!(y))
    }
}

#[test]
fn of_methods_of_traits() {
    let mut calls = 0;
    let ((value, y), (g, gx)) = Model { w: 3.0 }.loss_value_and_grad(2.0, &mut calls);
    assert_eq!((value, y, g.w, gx, calls), (36.0, 6.0, 24.0, 36.0, 1));
}
