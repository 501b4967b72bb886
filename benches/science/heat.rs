//! The conductivity of a plate from a late measurement: 10⁴ explicit steps with checkpoints.
use crate::Report;
use differentiable::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Plate {
    conductivity: Vec<Vec<f64>>,
    start: Vec<Vec<f64>>,
}

#[differentiable]
fn step(u: &[Vec<f64>], k: &[Vec<f64>], dt: f64) -> Vec<Vec<f64>> {
    let mut next = u.to_vec();
    for i in 1..u.len() - 1 {
        for j in 1..u[i].len() - 1 {
            let flux = |a: usize, b: usize| 0.5 * (k[i][j] + k[a][b]) * (u[a][b] - u[i][j]);
            next[i][j] += dt * (flux(i - 1, j) + flux(i + 1, j) + flux(i, j - 1) + flux(i, j + 1));
        }
    }
    next
}

#[differentiable]
fn misfit(
    plate: &Plate,
    #[constant] sensors: &[(usize, usize, f64)],
    dt: f64,
    steps: usize,
) -> f64 {
    let mut u = plate.start.clone();
    #[checkpoint]
    for _ in 0..steps {
        u = step(&u, &plate.conductivity, dt);
    }
    sensors.iter().map(|&(i, j, t)| (u[i][j] - t).powi(2)).sum()
}

#[differentiable]
fn misfit_in_place(
    plate: &Plate,
    #[constant] sensors: &[(usize, usize, f64)],
    dt: f64,
    steps: usize,
) -> f64 {
    let mut u = plate.start.clone();
    let mut next = u.clone();
    let k = &plate.conductivity;
    #[checkpoint]
    for _ in 0..steps {
        for i in 1..u.len() - 1 {
            for j in 1..u[0].len() - 1 {
                let c = u[i][j];
                next[i][j] = c + dt
                    * 0.5
                    * ((k[i][j] + k[i - 1][j]) * (u[i - 1][j] - c)
                        + (k[i][j] + k[i + 1][j]) * (u[i + 1][j] - c)
                        + (k[i][j] + k[i][j - 1]) * (u[i][j - 1] - c)
                        + (k[i][j] + k[i][j + 1]) * (u[i][j + 1] - c));
            }
        }
        std::mem::swap(&mut u, &mut next);
    }
    sensors.iter().map(|&(i, j, t)| (u[i][j] - t).powi(2)).sum()
}

pub fn measure(report: &mut Report) {
    let n = 24;
    let grid = |f: &dyn Fn(f64, f64) -> f64| -> Vec<Vec<f64>> {
        (0..n)
            .map(|i| (0..n).map(|j| f(f64::from(i), f64::from(j))).collect())
            .collect()
    };
    let plate = Plate {
        conductivity: grid(&|i, j| 1.0 + 0.3 * (0.5 * i).sin() * (0.4 * j).cos()),
        start: grid(&|i, j| (0.3 * i).cos() + (0.2 * j).sin()),
    };
    let sensors = [(5, 6, 0.2), (12, 12, 0.3), (18, 4, -0.1)];
    report.case(
        "heat, 10 000 steps that return a grid",
        misfit(&plate, &sensors, 0.1, 10_000),
        || misfit(&plate, &sensors, 0.1, 10_000),
        || misfit::value_and_grad(&plate, &sensors, 0.1, 10_000),
    );
    report.case(
        "heat, 10 000 steps in two grids",
        misfit_in_place(&plate, &sensors, 0.1, 10_000),
        || misfit_in_place(&plate, &sensors, 0.1, 10_000),
        || misfit_in_place::value_and_grad(&plate, &sensors, 0.1, 10_000),
    );
}
