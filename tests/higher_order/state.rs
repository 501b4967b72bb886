//! Constant fields that are written, and values beside a loss, in functions of higher order.

use differentiable::prelude::*;

#[derive(Clone, Differentiable)]
#[differentiable(higher_order)]
struct State {
    w: f64,
    #[constant]
    mean: f64,
    #[constant]
    history: Vec<f64>,
    steps: usize,
}

#[differentiable(higher_order)]
fn with_a_state(w: f64, x: &[f64]) -> f64 {
    let mut s = State {
        w,
        mean: 0.5,
        history: Vec::new(),
        steps: 0,
    };
    let mut y = 0.0;
    for v in x {
        s.mean = stop_gradient(0.9 * s.mean + 0.1 * v);
        s.mean *= 0.5;
        s.history.push(s.mean);
        s.steps += 1;
        y += s.w * s.w * v.sin() * s.mean + s.history[0] * s.w.exp();
    }
    y
}

#[test]
fn constant_fields_are_written() {
    let x = [0.4, 1.1, -0.3];
    let g = |w: f64| with_a_state::grad(w, &x).0;
    let difference = (g(0.8 + 1e-5) - g(0.8 - 1e-5)) / 2e-5;
    let product = with_a_state::hvp((0.8, 1.0), (&x, &[0.0; 3])).0;
    assert!(
        (difference - product).abs() < 1e-8,
        "{difference} {product}"
    );
    assert_eq!(with_a_state::hessian(0.8, &x).0.0, product);
}
