//! A file of 100 lines, nearly all of them inside annotated functions, whose `cargo check` time is
//! measured by `scripts/measure_build.sh`.

use differentiable::prelude::*;

dim!(pub Batch);

/// A damped oscillator with a nonlinear spring.
#[derive(Differentiable, Clone)]
pub struct Oscillator {
    /// Linear stiffness.
    pub stiffness: f64,
    /// Cubic stiffness.
    pub hardening: f64,
    /// Damping.
    pub damping: f64,
}

/// Integrates the motion and measures the distance to observed positions.
#[differentiable]
pub fn misfit(model: &Oscillator, start: f64, observed: &[f64], #[constant] step: f64) -> f64 {
    let mut position = start;
    let mut velocity = 0.0;
    let mut error = 0.0;
    for i in 0..observed.len() {
        let spring = model.stiffness * position + model.hardening * position.powi(3);
        let force = -spring - model.damping * velocity;
        velocity += step * force;
        position += step * velocity;
        let distance = position - observed[i];
        error += distance * distance;
    }
    error / observed.len() as f64
}

/// The negative log-likelihood of a mixture of two normal distributions.
#[differentiable]
pub fn mixture(logit: f64, means: &[f64; 2], log_scales: &[f64; 2], data: &[f64]) -> f64 {
    let weight = 1.0 / (1.0 + (-logit).exp());
    let mut total = 0.0;
    for i in 0..data.len() {
        let a = (data[i] - means[0]) / log_scales[0].exp();
        let b = (data[i] - means[1]) / log_scales[1].exp();
        let left = weight.ln() - 0.5 * a * a - log_scales[0];
        let right = (1.0 - weight).ln() - 0.5 * b * b - log_scales[1];
        let (high, low) = if left > right {
            (left, right)
        } else {
            (right, left)
        };
        total -= high + (low - high).exp().ln_1p();
    }
    total
}

/// A polynomial by Horner's rule, with its coefficients in an array.
#[differentiable]
pub fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let mut value = 0.0;
    for i in 0..N {
        value = value * x + coefficients[N - 1 - i];
    }
    value
}

/// Smooths an array in place, then measures how rough it still is.
#[differentiable]
pub fn roughness(signal: &[f64; 32], strength: f64) -> f64 {
    let mut smooth = *signal;
    for round in 0..4 {
        for i in 1..31 {
            let mean = 0.5 * (smooth[i - 1] + smooth[i + 1]);
            let change = strength * (mean - smooth[i]);
            smooth[i] += if round % 2 == 0 { change } else { 0.5 * change };
        }
    }
    let mut sum = 0.0;
    for i in 1..32 {
        let slope = smooth[i] - smooth[i - 1];
        sum += slope.abs();
    }
    polynomial(&[0.0, 1.0, 0.25], sum)
}

/// The loss of a classifier with two layers.
#[differentiable]
pub fn classifier(
    #[constant] x: &Tensor![Batch, 64],
    #[constant] targets: &Tensor![i64; Batch],
    w1: &Tensor![64, 32],
    b1: &Tensor![32],
    w2: &Tensor![32, 10],
    b2: &Tensor![10],
) -> Tensor![] {
    let hidden = (x.matmul(w1) + b1).relu();
    let logits = hidden.matmul(w2) + b2;
    let penalty = (w1 * w1).sum() + (w2 * w2).sum();
    logits.cross_entropy(targets) + penalty * 0.0001
}
