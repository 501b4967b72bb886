//! Black-box variational inference: samples of a Gaussian through a density of the user.
use crate::Report;
use differentiable::prelude::*;
use std::f64::consts::PI;

/// An unnormalised log density of a user.
#[differentiable]
trait LogDensity {
    fn log_prob(&self, x: &[f64]) -> f64;
}

#[differentiable]
fn norm_logpdf(x: f64, mean: f64, std: f64) -> f64 {
    -0.5 * ((x - mean) / std).powi(2) - std.ln() - 0.5 * (2.0 * PI).ln()
}

#[derive(Clone, Differentiable)]
struct Funnel {
    width: f64,
}

#[differentiable]
impl LogDensity for Funnel {
    fn log_prob(&self, x: &[f64]) -> f64 {
        let [mu, log_sigma] = x else {
            panic!("two dimensions")
        };
        norm_logpdf(*log_sigma, 0.0, self.width) + norm_logpdf(*mu, 0.0, log_sigma.exp())
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Gaussian {
    mean: Vec<f64>,
    log_std: Vec<f64>,
}

#[differentiable]
impl Gaussian {
    fn entropy(&self) -> f64 {
        0.5 * self.mean.len() as f64 * (1.0 + (2.0 * PI).ln()) + self.log_std.iter().sum::<f64>()
    }

    fn sample(&self, noise: &[f64]) -> Vec<f64> {
        self.mean
            .iter()
            .zip(&self.log_std)
            .zip(noise)
            .map(|((m, s), e)| m + s.exp() * e)
            .collect()
    }
}

#[differentiable]
fn objective<P: LogDensity + differentiable::ad::Differentiable>(
    q: &Gaussian,
    #[constant] target: &P,
    #[constant] noise: &[Vec<f64>],
) -> f64 {
    let expected = noise
        .iter()
        .map(|e| target.log_prob(&q.sample(e)))
        .sum::<f64>()
        / noise.len() as f64;
    -(q.entropy() + expected)
}

pub fn measure(report: &mut Report) {
    let wave = |i: i32| {
        vec![
            (1.3 * f64::from(i)).sin() * 1.4,
            (2.1 * f64::from(i)).cos() * 1.4,
        ]
    };
    let noise: Vec<Vec<f64>> = (0..2000).map(wave).collect();
    let q = Gaussian {
        mean: vec![-1.0, -1.0],
        log_std: vec![-1.0, -1.0],
    };
    let funnel = Funnel { width: 1.35 };
    report.case(
        "variational inference, 2000 samples",
        objective(&q, &funnel, &noise),
        || objective(&q, &funnel, &noise),
        || objective::value_and_grad(&q, &funnel, &noise),
    );
}
