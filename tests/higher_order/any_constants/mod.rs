//! Constants of any type over any scalar, which no derive asks for: against central differences.

use crate::near;

mod made;
mod reads;
mod within;

/// The derivative at zero, by differences of two steps.
fn slope(f: impl Fn(f64) -> f64) -> f64 {
    let d = |h: f64| (f(h) - f(-h)) / (2.0 * h);
    (4.0 * d(5e-4) - d(1e-3)) / 3.0
}

/// Compares a gradient with differences of the function, and a Hessian with those of the gradient.
fn slopes<const N: usize>(
    x: &[f64; N],
    f: impl Fn(&[f64]) -> f64,
    grad: impl Fn(&[f64]) -> Vec<f64>,
    hessian: impl Fn(&[f64]) -> Vec<Vec<f64>>,
) {
    let moved = |j: usize, d: f64| {
        let mut x = *x;
        x[j] += d;
        x
    };
    let (g, h) = (grad(x), hessian(x));
    for j in 0..N {
        near(g[j], slope(|d| f(&moved(j, d))), 1e-7);
        for i in 0..N {
            near(h[i][j], slope(|d| grad(&moved(j, d))[i]), 1e-7);
        }
    }
}
