//! The rates of four reactions are found from noisy measurements of concentrations.
//!
//! ```text
//! A ⇌ B        forth and back
//! B → C
//! B + C → A + C
//! ```
//!
//! Residuals are those of a solution with steps of a chosen size, and so is the Jacobian, by forward mode: four
//! directions and ninety measurements. Rates are positive and of different sizes, so their logarithms are fitted, by
//! the method of Levenberg and Marquardt.
//!
//! `cargo run --release --example chemical_kinetics`

use differentiable::ode::{OdeError, Options, dopri5_at};
use differentiable::prelude::*;
use std::process::ExitCode;

const REACTIONS: [&str; 4] = ["A → B", "B → A", "B → C", "B + C → A + C"];
/// What is to be found, 1/s and for the last 1/(mol s).
const RATES: [f64; 4] = [2.0, 0.5, 0.3, 12.0];
const MEASUREMENTS: usize = 30;
const NOISE: f64 = 0.002;
/// Of which the rates found may be off, relative.
const ALLOWED: f64 = 0.05;

/// How fast the concentrations of A, B and C change.
#[differentiable]
fn reactions(c: &[f64; 3], rates: &[f64; 4]) -> [f64; 3] {
    let forth = rates[0] * c[0] - rates[1] * c[1];
    let decay = rates[2] * c[1];
    let with_c = rates[3] * c[1] * c[2];
    [with_c - forth, forth - decay - with_c, decay]
}

/// The concentrations at these times, one after the other.
#[differentiable]
fn concentrations(log_rates: &[f64; 4], #[constant] times: &[f64]) -> Result<Vec<f64>, OdeError> {
    let rates = [
        log_rates[0].exp(),
        log_rates[1].exp(),
        log_rates[2].exp(),
        log_rates[3].exp(),
    ];
    let options = no_grad!(Options {
        rtol: 1e-8,
        atol: 1e-10,
        ..Options::default()
    });
    let start = [1.0, 0.0, 0.0];
    let states = dopri5_at(
        |_, c: &[f64; 3]| reactions(c, &rates),
        &start,
        0.0,
        times,
        &options,
    )?;
    let mut all = Vec::new();
    for c in states.iter() {
        for k in 0..3 {
            all.push(c[k]);
        }
    }
    Ok(all)
}

/// Normally distributed numbers from a fixed seed: sums of uniform ones.
fn noise() -> impl FnMut() -> f64 {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut uniform = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    move || (0..12).map(|_| uniform()).sum::<f64>() - 6.0
}

/// Solves a symmetric positive definite system of four, by Cholesky's method.
fn solve(mut a: [[f64; 4]; 4], mut b: [f64; 4]) -> [f64; 4] {
    for j in 0..4 {
        for k in 0..j {
            for i in j..4 {
                a[i][j] -= a[i][k] * a[j][k];
            }
        }
        let root = a[j][j].sqrt();
        (j..4).for_each(|i| a[i][j] /= root);
    }
    for i in 0..4 {
        b[i] = (b[i] - (0..i).map(|k| a[i][k] * b[k]).sum::<f64>()) / a[i][i];
    }
    for i in (0..4).rev() {
        b[i] = (b[i] - (i + 1..4).map(|k| a[k][i] * b[k]).sum::<f64>()) / a[i][i];
    }
    b
}

/// The sum of squares, its gradient and the product of the Jacobian with itself.
struct Normal {
    squares: f64,
    gradient: [f64; 4],
    matrix: [[f64; 4]; 4],
}

fn normal(x: &[f64; 4], times: &[f64], measured: &[f64]) -> Result<Normal, OdeError> {
    let mut columns = Vec::new();
    let mut residuals = Vec::new();
    for k in 0..4 {
        let mut unit = [0.0; 4];
        unit[k] = 1.0;
        let (computed, column) = concentrations::jvp((x, &unit), times);
        residuals = computed?.iter().zip(measured).map(|(c, m)| c - m).collect();
        columns.push(column.expect("a tangent of a solution"));
    }
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
    Ok(Normal {
        squares: dot(&residuals, &residuals),
        gradient: std::array::from_fn(|i| dot(&columns[i], &residuals)),
        matrix: std::array::from_fn(|i| std::array::from_fn(|j| dot(&columns[i], &columns[j]))),
    })
}

/// Levenberg's and Marquardt's method: the logarithms found, and the number of steps.
fn fit(mut x: [f64; 4], times: &[f64], measured: &[f64]) -> Result<([f64; 4], usize), OdeError> {
    let mut here = normal(&x, times, measured)?;
    let mut damping = 1e-2;
    for step in 0..100 {
        let mut damped = here.matrix;
        (0..4).for_each(|i| damped[i][i] += damping * here.matrix[i][i].max(1e-9));
        let d = solve(damped, here.gradient);
        let next: [f64; 4] = std::array::from_fn(|i| x[i] - d[i].clamp(-2.0, 2.0));
        let there = normal(&next, times, measured)?;
        if there.squares < here.squares {
            let gain = 1.0 - there.squares / here.squares;
            (x, here) = (next, there);
            damping *= 0.2;
            if gain < 1e-10 {
                return Ok((x, step + 1));
            }
        } else {
            damping *= 5.0;
            if damping > 1e9 {
                return Ok((x, step + 1));
            }
        }
    }
    Ok((x, 100))
}

fn main() -> Result<ExitCode, OdeError> {
    // Dense at first, where much happens.
    let times: Vec<f64> = (1..=MEASUREMENTS)
        .map(|i| 12.0 * (i as f64 / MEASUREMENTS as f64).powi(2))
        .collect();
    let mut error = noise();
    let mut measured = concentrations(&RATES.map(f64::ln), &times)?;
    measured.iter_mut().for_each(|c| *c += NOISE * error());

    let start = [1.0; 4];
    let before = normal(&start.map(f64::ln), &times, &measured)?.squares;
    let (found, steps) = fit(start.map(f64::ln), &times, &measured)?;
    let after = normal(&found, &times, &measured)?.squares;
    let found = found.map(f64::exp);

    let off = |squares: f64| (squares / measured.len() as f64).sqrt();
    println!(
        "{steps} steps, from an error of {:.4} to {:.4}, with noise of {NOISE}",
        off(before),
        off(after)
    );
    println!(
        "{:<16}{:>8}{:>8}{:>8}",
        "reaction", "start", "found", "true"
    );
    let mut worst: f64 = 0.0;
    for k in 0..4 {
        println!(
            "{:<16}{:>8.3}{:>8.3}{:>8.3}",
            REACTIONS[k], start[k], found[k], RATES[k]
        );
        worst = worst.max((found[k] / RATES[k] - 1.0).abs());
    }
    println!("off by at most {:.1} %", 100.0 * worst);
    Ok(match worst < ALLOWED {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
