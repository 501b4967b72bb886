//! Point by point, so that what the reverse needs stays in the cache: the weight of component k for
//! a point, the softmax of the terms, multiplies the gradient of −½‖Q (x − μ)‖².

use std::f64::consts::PI;

pub struct Gradient {
    pub alpha: Vec<f64>,
    pub mu: Vec<f64>,
    pub q: Vec<f64>,
    pub l: Vec<f64>,
}

/// Replaces the terms by their softmax; returns the logarithm of the sum of their exponentials.
fn softmax(terms: &mut [f64]) -> f64 {
    let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for term in terms.iter_mut() {
        *term = (*term - largest).exp();
        sum += *term;
    }
    let scale = 1.0 / sum;
    for term in terms.iter_mut() {
        *term *= scale;
    }
    largest + sum.ln()
}

/// Four sums at once: one sum would wait for each addition.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a_blocks, b_blocks) = (a.chunks_exact(4), b.chunks_exact(4));
    let (a_rest, b_rest) = (a_blocks.remainder(), b_blocks.remainder());
    for (a, b) in a_blocks.zip(b_blocks) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

fn add_scaled(y: &mut [f64], factor: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// `log_constant` is that of the prior, `degrees` its m.
#[allow(clippy::too_many_arguments)]
pub fn log_posterior(
    alpha: &[f64],
    mu: &[f64],
    q: &[f64],
    l: &[f64],
    x: &[f64],
    gamma: f64,
    degrees: usize,
    log_constant: f64,
) -> (f64, Gradient) {
    let k = alpha.len();
    let d = mu.len() / k;
    let n = x.len() / d;
    let below = d * (d - 1) / 2;
    let diagonals: Vec<f64> = q.iter().map(|v| v.exp()).collect();
    let log_determinants: Vec<f64> = q.chunks_exact(d).map(|row| row.iter().sum()).collect();

    let mut gradient = Gradient {
        alpha: vec![0.0; k],
        mu: vec![0.0; k * d],
        q: vec![0.0; k * d],
        l: vec![0.0; k * below],
    };
    // By the entries of the diagonals; their logarithms come last.
    let mut of_diagonals = vec![0.0; k * d];
    let mut centered = vec![0.0; k * d];
    let mut transformed = vec![0.0; k * d];
    let mut terms = vec![0.0; k];

    let mut total = -0.5 * (n * d) as f64 * (2.0 * PI).ln();
    for point in x.chunks_exact(d) {
        for c in 0..k {
            let row = c * d..(c + 1) * d;
            let mu = &mu[row.clone()];
            let diagonal = &diagonals[row.clone()];
            let lower = &l[c * below..(c + 1) * below];
            let centered = &mut centered[row.clone()];
            let transformed = &mut transformed[row];
            for j in 0..d {
                centered[j] = point[j] - mu[j];
                transformed[j] = diagonal[j] * centered[j];
            }
            let mut start = 0;
            for j in 0..d {
                let end = start + d - j - 1;
                add_scaled(&mut transformed[j + 1..], centered[j], &lower[start..end]);
                start = end;
            }
            terms[c] = alpha[c] + log_determinants[c] - 0.5 * dot(transformed, transformed);
        }
        total += softmax(&mut terms);
        for c in 0..k {
            let weight = terms[c];
            gradient.alpha[c] += weight;
            let row = c * d..(c + 1) * d;
            let diagonal = &diagonals[row.clone()];
            let lower = &l[c * below..(c + 1) * below];
            let centered = &centered[row.clone()];
            let of_transformed = &mut transformed[row.clone()];
            for entry in of_transformed.iter_mut() {
                *entry *= -weight;
            }
            let of_mu = &mut gradient.mu[row.clone()];
            let of_diagonal = &mut of_diagonals[row];
            let of_lower = &mut gradient.l[c * below..(c + 1) * below];
            let mut start = 0;
            for j in 0..d {
                let end = start + d - j - 1;
                let rest = &of_transformed[j + 1..];
                of_mu[j] -= diagonal[j] * of_transformed[j] + dot(&lower[start..end], rest);
                of_diagonal[j] += of_transformed[j] * centered[j];
                add_scaled(&mut of_lower[start..end], centered[j], rest);
                start = end;
            }
        }
    }

    // The weights of a component over all points multiply its log-determinant.
    let count = n as f64;
    for c in 0..k {
        for j in c * d..(c + 1) * d {
            let square = gamma * gamma * diagonals[j] * diagonals[j];
            gradient.q[j] =
                of_diagonals[j] * diagonals[j] + gradient.alpha[c] - square + degrees as f64;
        }
    }
    for (entry, value) in gradient.l.iter_mut().zip(l) {
        *entry -= gamma * gamma * value;
    }
    terms.copy_from_slice(alpha);
    total -= count * softmax(&mut terms);
    for (entry, weight) in gradient.alpha.iter_mut().zip(&terms) {
        *entry -= count * weight;
    }
    let squares = dot(&diagonals, &diagonals) + dot(l, l);
    let log_prior =
        0.5 * gamma * gamma * squares - degrees as f64 * log_determinants.iter().sum::<f64>();
    (total + k as f64 * log_constant - log_prior, gradient)
}
