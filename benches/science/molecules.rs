//! jax-md: Lennard-Jones with species, a neighbour list, forces, leapfrog through forces, and phonons.
use crate::Report;
use differentiable::prelude::*;
use std::collections::HashMap;

type Vec3 = [f64; 3];

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
enum Species {
    A,
    B,
}

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Pair {
    epsilon: f64,
    sigma: f64,
}

/// What does not move.
#[derive(Clone)]
struct Setup {
    species: Vec<Species>,
    pairs: HashMap<(Species, Species), Pair>,
    side: f64,
    cutoff: f64,
}

fn neighbours(x: &[Vec3], setup: &Setup) -> Vec<Vec<usize>> {
    let r2 = (setup.cutoff + 0.3).powi(2);
    (0..x.len())
        .map(|i| {
            (i + 1..x.len())
                .filter(|&j| distance2(&x[i], &x[j], setup.side) < r2)
                .collect()
        })
        .collect()
}

#[differentiable(higher_order)]
fn distance2(a: &Vec3, b: &Vec3, side: f64) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| {
            let d = a - b;
            let d = d - side * (d / side).round();
            d * d
        })
        .sum()
}

#[differentiable(higher_order)]
fn lennard_jones(r2: f64, p: &Pair, cutoff: f64) -> f64 {
    let s6 = (p.sigma * p.sigma / r2).powi(3);
    let c6 = (p.sigma / cutoff).powi(6);
    4.0 * p.epsilon * (s6 * s6 - s6 - c6 * c6 + c6)
}

#[differentiable(higher_order)]
fn energy(x: &[Vec3], #[constant] setup: &Setup, #[constant] neighbours: &[Vec<usize>]) -> f64 {
    let mut total = 0.0;
    for (i, list) in neighbours.iter().enumerate() {
        for &j in list {
            let r2 = distance2(&x[i], &x[j], setup.side);
            if r2 > setup.cutoff * setup.cutoff {
                continue;
            }
            let key = (
                setup.species[i].min(setup.species[j]),
                setup.species[i].max(setup.species[j]),
            );
            total += lennard_jones(r2, &setup.pairs[&key], setup.cutoff);
        }
    }
    total
}

#[differentiable]
fn kinetic_after(x: &[Vec3], v: &[Vec3], #[constant] setup: &Setup, dt: f64, steps: usize) -> f64 {
    let (mut x, mut v) = (x.to_vec(), v.to_vec());
    let list = no_grad!(neighbours(&x, setup));
    for _ in 0..steps {
        let gradient = energy::grad(&x, setup, &list);
        for ((x, v), g) in x.iter_mut().zip(v.iter_mut()).zip(&gradient) {
            for k in 0..3 {
                v[k] -= dt * g[k];
                x[k] += dt * v[k];
            }
        }
    }
    0.5 * v.iter().flatten().map(|v| v * v).sum::<f64>()
}

pub fn measure(report: &mut Report) {
    let pair = |epsilon, sigma| Pair { epsilon, sigma };
    let pairs = HashMap::from([
        ((Species::A, Species::A), pair(1.0, 1.0)),
        ((Species::A, Species::B), pair(1.5, 0.8)),
        ((Species::B, Species::B), pair(0.5, 0.88)),
    ]);
    let (n, a) = (6, 1.1);
    let wave = |k: usize, f: f64, h: f64| -> Vec3 {
        std::array::from_fn(|c| h * (f * (3 * k + c) as f64).sin())
    };
    let place = |k: usize| -> Vec3 {
        let (w, g) = (wave(k, 1.7, 0.05), [k / (n * n), k / n % n, k % n]);
        std::array::from_fn(|c| a * g[c] as f64 + w[c])
    };
    let x: Vec<Vec3> = (0..n * n * n).map(place).collect();
    let v: Vec<Vec3> = (0..x.len()).map(|k| wave(k, 0.9, 0.1)).collect();
    let direction =
        |k: usize| -> Vec3 { std::array::from_fn(|c| (0.3 * (3 * k + c) as f64).cos()) };
    let t: Vec<Vec3> = (0..x.len()).map(direction).collect();
    let species = (0..x.len())
        .map(|i| if i % 5 == 0 { Species::B } else { Species::A })
        .collect();
    let setup = Setup {
        species,
        pairs,
        side: a * n as f64,
        cutoff: 2.0,
    };
    let list = neighbours(&x, &setup);
    report.case(
        "Lennard-Jones, 3452 pairs",
        energy(&x, &setup, &list),
        || energy(&x, &setup, &list),
        || energy::value_and_grad(&x, &setup, &list),
    );
    report.case(
        "Lennard-Jones, a Hessian-vector product after a gradient",
        energy::hvp((&x, &t), &setup, &list)[0][2],
        || energy::value_and_grad(&x, &setup, &list),
        || energy::hvp((&x, &t), &setup, &list),
    );
    report.case(
        "Lennard-Jones, through 50 steps of leapfrog",
        kinetic_after(&x, &v, &setup, 1e-3, 50),
        || kinetic_after(&x, &v, &setup, 1e-3, 50),
        || kinetic_after::value_and_grad(&x, &v, &setup, 1e-3, 50),
    );
}
