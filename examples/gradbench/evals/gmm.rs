//! The log-likelihood of a Gaussian mixture with a Wishart prior.

use super::lse::log_sum_exp;
use super::{EvalError, Evaluation, Fields, Repeats};
use differentiable::prelude::*;
use serde_json::{Value, json};
use std::f64::consts::{LN_2, PI};

/// The prior of the precision matrices.
#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Wishart {
    /// The number of degrees of freedom beyond the dimension.
    pub m: usize,
    #[constant]
    pub gamma: f64,
}

impl Wishart {
    /// The logarithm of its normalising constant in `d` dimensions.
    pub fn log_constant(self, d: usize) -> f64 {
        let degrees = (d + self.m + 1) as f64;
        degrees * d as f64 * (self.gamma.ln() - 0.5 * LN_2)
            - log_multivariate_gamma(0.5 * degrees, d)
    }
}

fn log_multivariate_gamma(a: f64, d: usize) -> f64 {
    let mut sum = (d * (d - 1)) as f64 / 4.0 * PI.ln();
    for j in 0..d {
        sum += log_gamma(a - 0.5 * j as f64);
    }
    sum
}

/// ln Γ(x) for x > 0: Stirling's series, after Γ(x + 1) = x·Γ(x) has made the argument large.
pub fn log_gamma(x: f64) -> f64 {
    let mut shifted = x;
    let mut product = 1.0;
    while shifted < 16.0 {
        product *= shifted;
        shifted += 1.0;
    }
    // B₂ₙ / (2n(2n − 1)), to the power −15 of at least 16.
    const SERIES: [f64; 8] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
        -3617.0 / 122_400.0,
    ];
    let square = 1.0 / (shifted * shifted);
    let series = SERIES.iter().rev().fold(0.0, |sum, c| sum * square + c) / shifted;
    (shifted - 0.5) * shifted.ln() - shifted + 0.5 * (2.0 * PI).ln() + series - product.ln()
}

/// The logarithm of the posterior density of a mixture, given the points `x`.
///
/// `mu`, `q` and `l` have one row for each component: its mean, the logarithms of the diagonal of
/// the root Q of its precision matrix, and what is below the diagonal, column by column.
#[differentiable]
pub fn log_posterior(
    alpha: &[f64],
    mu: &[f64],
    q: &[f64],
    l: &[f64],
    #[constant] x: &[f64],
    #[constant] prior: Wishart,
) -> f64 {
    let k = alpha.len();
    let d = mu.len() / k;
    let n = x.len() / d;
    let below = d * (d - 1) / 2;

    let diagonals: Vec<f64> = q.iter().map(|v| v.exp()).collect();
    let mut log_determinants = Vec::with_capacity(k);
    for row in q.chunks_exact(d) {
        log_determinants.push(row.iter().sum::<f64>());
    }

    let mut total = -0.5 * (n * d) as f64 * (2.0 * PI).ln();
    // One of each for all points: x − μ goes through Q in `transformed`.
    let mut transformed = vec![0.0; d];
    let mut terms = vec![0.0; k];
    for point in x.chunks_exact(d) {
        for c in 0..k {
            let mu = &mu[c * d..(c + 1) * d];
            let diagonal = &diagonals[c * d..(c + 1) * d];
            let lower = &l[c * below..(c + 1) * below];
            for j in 0..d {
                transformed[j] = diagonal[j] * (point[j] - mu[j]);
            }
            for j in 0..d {
                let centered = point[j] - mu[j];
                let start = j * (2 * d - j - 1) / 2;
                let column = &lower[start..start + d - j - 1];
                for i in 0..column.len() {
                    transformed[j + 1 + i] += column[i] * centered;
                }
            }
            let distance: f64 = transformed.iter().map(|v| v * v).sum();
            terms[c] = alpha[c] + log_determinants[c] - 0.5 * distance;
        }
        let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = terms.iter().map(|v| (v - largest).exp()).sum();
        total += largest + sum.ln();
    }
    total -= n as f64 * log_sum_exp(alpha);

    let squares =
        diagonals.iter().map(|v| v * v).sum::<f64>() + l.iter().map(|v| v * v).sum::<f64>();
    let log_prior = 0.5 * prior.gamma * prior.gamma * squares
        - prior.m as f64 * log_determinants.iter().sum::<f64>();
    total + k as f64 * prior.log_constant(d) - log_prior
}

pub fn evaluate(function: &str, input: &Value) -> Result<Evaluation, EvalError> {
    let fields = Fields::of(input)?;
    let repeats = Repeats::of(&fields)?;
    let d = fields.size("d", 1)?;
    let k = fields.size("k", 1)?;
    let n = fields.size("n", 1)?;
    let below = d * (d - 1) / 2;
    let alpha = fields.vector("alpha", Some(k))?;
    let mu = fields.matrix("mu", k, d)?;
    let q = fields.matrix("q", k, d)?;
    let l = fields.matrix("l", k, below)?;
    let x = fields.matrix("x", n, d)?;
    let m = fields.integer("m")?;
    let gamma = fields.number("gamma")?;
    if gamma <= 0.0 {
        return Err(EvalError::Value {
            field: "gamma".into(),
            expected: "a positive number".into(),
            found: gamma.to_string(),
        });
    }
    let prior = Wishart { m, gamma };
    match function {
        "objective" => Ok(repeats.run(
            || log_posterior(&alpha, &mu, &q, &l, &x, prior),
            Value::from,
        )),
        "jacobian" => Ok(repeats.run(
            || log_posterior::grad(&alpha, &mu, &q, &l, &x, prior),
            |(alpha, of_mu, of_q, of_l)| {
                json!({
                    "alpha": alpha,
                    "mu": rows(&of_mu, k, d),
                    "q": rows(&of_q, k, d),
                    "l": rows(&of_l, k, below),
                })
            },
        )),
        _ => Err(EvalError::UnknownFunction {
            module: "gmm",
            found: function.into(),
        }),
    }
}

fn rows(entries: &[f64], rows: usize, columns: usize) -> Vec<&[f64]> {
    (0..rows)
        .map(|row| &entries[row * columns..(row + 1) * columns])
        .collect()
}
