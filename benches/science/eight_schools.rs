//! A Hamiltonian Monte Carlo sampler over a hierarchical model (eight schools).
use crate::{Report, Rng};
use differentiable::prelude::*;
use std::hint::black_box;

#[derive(Clone, Debug, Differentiable)]
struct Position {
    mu: f64,
    log_tau: f64,
    eta: [f64; 8],
}

struct Schools {
    effects: [f64; 8],
    errors: [f64; 8],
}

#[differentiable]
fn log_density(p: &Position, #[constant] data: &Schools) -> f64 {
    let tau = p.log_tau.exp();
    let prior = -0.5 * (p.mu / 5.0).powi(2) - (1.0 + (tau / 5.0).powi(2)).ln() + p.log_tau
        - 0.5 * p.eta.iter().map(|e| e.powi(2)).sum::<f64>();
    let likelihood: f64 = p
        .eta
        .iter()
        .zip(data.effects.iter().zip(&data.errors))
        .map(|(eta, (y, s))| -0.5 * ((y - p.mu - tau * eta) / s).powi(2))
        .sum();
    prior + likelihood
}

struct Hmc<F> {
    value_and_grad: F,
    step: f64,
    steps: usize,
}

impl<F: Fn(&Position) -> (f64, PositionTangent)> Hmc<F> {
    fn next(&self, q: &Position, rng: &mut Rng) -> (Position, bool) {
        let (value, mut g) = (self.value_and_grad)(q);
        let mut p = PositionTangent {
            mu: rng.normal(),
            log_tau: rng.normal(),
            eta: std::array::from_fn(|_| rng.normal()),
        };
        let kinetic = |p: &PositionTangent| {
            0.5 * (p.mu * p.mu + p.log_tau * p.log_tau + p.eta.iter().map(|e| e * e).sum::<f64>())
        };
        let start = value - kinetic(&p);
        let mut new = q.clone();
        let mut end = value;
        for _ in 0..self.steps {
            p += g * (0.5 * self.step);
            new.add_scaled(self.step, &p);
            (end, g) = (self.value_and_grad)(&new);
            p += g * (0.5 * self.step);
        }
        let accept = rng.uniform().ln() < end - kinetic(&p) - start;
        if accept {
            (new, true)
        } else {
            (q.clone(), false)
        }
    }
}

pub fn measure(report: &mut Report) {
    let data = Schools {
        effects: [28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0],
        errors: [15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0],
    };
    let p = Position {
        mu: 0.3,
        log_tau: 0.2,
        eta: std::array::from_fn(|i| 0.1 * i as f64),
    };
    report.case(
        "eight schools, the density",
        log_density(&p, &data),
        || log_density(black_box(&p), &data),
        || log_density::value_and_grad(black_box(&p), &data),
    );
    let gradient = |p: &Position| log_density::value_and_grad(p, &data);
    let hmc = Hmc {
        value_and_grad: gradient,
        step: 0.2,
        steps: 10,
    };
    let mut rng = Rng::new(1);
    let moved = (0..100).fold(p, |q, _| hmc.next(&q, &mut rng).0);
    assert!(log_density(&moved, &data).is_finite());
}
