//! The programs themselves, against formulas in another form.

use crate::evals::{ba, gmm, llsq, lstm};
use crate::problems;
use crate::support::assert_close;
use std::f64::consts::{LN_2, PI};

/// With matrices written out, densities not in logarithms, and Γ of halves by its recurrence.
#[test]
fn gmm_is_the_logarithm_of_a_density() {
    for (d, k, n) in [(2, 3, 4), (3, 1, 2), (4, 2, 1)] {
        let mut p = problems::mixture(d, k, n);
        p.prior = gmm::Wishart { m: 1, gamma: 1.3 };
        let weights: Vec<f64> = p.alpha.iter().map(|a| a.exp()).collect();
        let sum: f64 = weights.iter().sum();
        let root = |c: usize| {
            let mut q = vec![vec![0.0; d]; d];
            let mut below = p.l[c * d * (d - 1) / 2..].iter();
            for column in 0..d {
                q[column][column] = p.q[c * d + column].exp();
                for row in column + 1..d {
                    q[row][column] = *below.next().unwrap();
                }
            }
            q
        };
        let mut expected = 0.0;
        for point in p.x.chunks(d) {
            let mut density = 0.0;
            for c in 0..k {
                let q = root(c);
                let determinant: f64 = (0..d).map(|j| q[j][j]).product();
                let mut square = 0.0;
                for row in &q {
                    let centered = |j: usize| point[j] - p.mu[c * d + j];
                    let entry: f64 = (0..d).map(|j| row[j] * centered(j)).sum();
                    square += entry * entry;
                }
                let normal = determinant * (-0.5 * square).exp() / (2.0 * PI).powf(d as f64 / 2.0);
                density += weights[c] / sum * normal;
            }
            expected += density.ln();
        }
        let degrees = (d + 2) as f64;
        let mut log_gammas = (d * (d - 1)) as f64 / 4.0 * PI.ln();
        for j in 1..=d {
            log_gammas += gamma_of_half(d + 2 + 1 - j).ln();
        }
        let constant = degrees * d as f64 * (1.3_f64.ln() - 0.5 * LN_2) - log_gammas;
        for c in 0..k {
            let q = root(c);
            let squares: f64 = q.iter().flatten().map(|v| v * v).sum();
            let log_determinant: f64 = (0..d).map(|j| q[j][j].ln()).sum();
            expected += constant - (0.5 * 1.3 * 1.3 * squares - log_determinant);
        }
        let found = gmm::log_posterior(&p.alpha, &p.mu, &p.q, &p.l, &p.x, p.prior);
        assert_close("gmm", &[found], &[expected], 1e-12);
    }
}

/// Γ(n / 2).
fn gamma_of_half(n: usize) -> f64 {
    match n {
        1 => PI.sqrt(),
        2 => 1.0,
        n => (n as f64 / 2.0 - 1.0) * gamma_of_half(n - 2),
    }
}

#[test]
fn log_gamma() {
    for n in 1..60 {
        let found = gmm::log_gamma(n as f64 / 2.0);
        assert_close("ln Γ", &[found], &[gamma_of_half(n).ln()], 1e-14);
    }
}

#[test]
fn ba_by_a_known_rotation() {
    // A quarter turn about z takes (1, 0, 2) to (0, 1, 2).
    let camera = [0.0, 0.0, PI / 2.0, 0.0, 0.0, 0.0, 10.0, 1.0, 2.0, 0.0, 0.0];
    let error = ba::reprojection_error(&camera, &[1.0, 0.0, 2.0], 2.0, &[0.25, 0.5]);
    assert_close(
        "error",
        &error,
        &[2.0 * 0.75, 2.0 * (5.0 + 2.0 - 0.5)],
        1e-14,
    );
    // Distortion: s = 1/4, so 1 + 4·s + 16·s² = 3.
    let camera = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 10.0, 0.0, 0.0, 4.0, 16.0];
    let error = ba::reprojection_error(&camera, &[1.0, 1.0, 2.0], 1.0, &[0.0, 0.0]);
    assert_close("error", &error, &[15.0, 0.0], 1e-14);
    assert_eq!(ba::weight_error(0.5), 0.75);
}

#[test]
fn least_squares_of_a_line() {
    // −1, 0, 1 minus the values −0.5, 0.5, 1.5 of 0.5 + t.
    assert_eq!(llsq::half_squares(&[0.5, 1.0], 3), 0.375);
}

#[test]
fn one_step_of_one_cell() {
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    let main = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
    let cell: f64 =
        0.25 * sigmoid(0.6 * 0.1 + 0.5) + sigmoid(-0.5 * 0.2 + 0.6) * (-0.5 * 0.4 + 0.8_f64).tanh();
    let predicted = sigmoid(0.6 * 0.3 + 0.7) * cell.tanh() * 1.5 + 0.9;
    let expected = -3.0 * (predicted - (2.0 + predicted.exp()).ln());
    let found = lstm::loss(&main, &[0.3, 1.5, 0.9], &[-0.5, 0.25], &[2.0, 3.0]);
    assert_close("lstm", &[found], &[expected], 1e-14);
}
