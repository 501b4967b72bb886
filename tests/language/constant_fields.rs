//! Constant fields of structs of the file are read as what has no derivative, also while other fields change.

use crate::check;
use differentiable::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Medium {
    speed: f64,
    #[constant]
    depth: Vec<f64>,
    #[constant]
    neighbours: Vec<Vec<usize>>,
    #[constant]
    weights: [[f64; 2]; 2],
    #[constant]
    scale: f64,
    #[constant]
    limits: (f64, usize),
    #[constant]
    name: String,
}

#[derive(Clone, Debug, Differentiable)]
struct Model {
    medium: Medium,
    #[constant]
    reference: Medium,
    u: Vec<f64>,
    #[constant]
    seen: Vec<f64>,
}

#[differentiable]
fn weighted(x: &[f64], w: &[f64], k: f64) -> f64 {
    x.iter().zip(w).map(|(x, w)| x * w * k).sum()
}

#[differentiable]
fn raised(#[constant] place: &mut f64, #[constant] by: f64) -> f64 {
    let before = *place;
    *place += by;
    before
}

#[differentiable]
impl Medium {
    fn flux(&self, u: &[f64], i: usize) -> f64 {
        let mut f = 0.0;
        for &j in &self.neighbours[i] {
            f += self.speed * (u[j] - u[i]) * self.depth[j] / self.depth[i];
        }
        if f.abs() < self.limits.0 && i < self.limits.1 {
            f * self.weights[i % 2][0]
        } else {
            f * self.scale
        }
    }
}

#[differentiable]
impl Model {
    /// What is constant changes between the reads.
    fn step(&mut self, rate: f64) {
        for i in 0..self.u.len() {
            let flux = self.medium.flux(&self.u, i);
            self.u[i] += rate * flux * self.medium.depth[i] * self.reference.depth[0];
            self.medium.depth[i] *= 1.02;
            self.medium.scale += 0.02;
            self.u[i] *= self.medium.depth[i] * self.medium.scale * 0.9;
            self.seen[i] = self.medium.depth[i] + self.seen[0];
        }
        self.medium.limits.0 *= 0.5;
        let before = raised(&mut self.medium.scale, 0.01);
        self.u[0] += 0.01 * before + 0.01 * raised(&mut self.medium.depth[0], 0.02);
        let d = self.medium.depth.clone();
        self.medium.weights[0][1] = d[0];
    }

    fn misfit(&self) -> f64 {
        let k = self.medium.scale;
        let [a, b] = self.medium.weights[0];
        let squares: f64 = self
            .u
            .iter()
            .zip(&self.seen)
            .map(|(u, s)| (u - s * k) * (u - s))
            .sum();
        let depth = &self.medium.depth;
        let deep: f64 = self.u.iter().enumerate().map(|(i, u)| u * depth[i]).sum();
        let named = self.medium.name.len() as f64;
        squares
            + a * deep
            + b * weighted(&self.u, &self.medium.depth, named)
            + weighted(&self.u, &self.reference.depth, self.medium.speed)
            + self.reference.speed * self.medium.speed
    }
}

fn medium(n: usize) -> Medium {
    Medium {
        speed: 0.4,
        depth: (0..n).map(|i| 1.0 + 0.1 * i as f64).collect(),
        neighbours: (0..n).map(|i| vec![(i + 1) % n, (i + n - 1) % n]).collect(),
        weights: [[0.3, 0.6], [0.9, 0.2]],
        scale: 0.7,
        limits: (0.21, 2),
        name: "sea".into(),
    }
}

#[differentiable]
fn run(start: &Model, rate: f64, steps: usize) -> f64 {
    let mut m = start.clone();
    let mut sum = 0.0;
    for _ in 0..steps {
        m.step(rate);
        let first = m.seen[0];
        sum += m.misfit() * first;
    }
    sum + m.misfit() * m.medium.depth[0]
}

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Springs {
    rest: f64,
    #[constant]
    stiff: Vec<f64>,
}

#[differentiable(higher_order)]
fn energy(s: &Springs, x: &[f64]) -> f64 {
    let mut e = 0.0;
    for i in 0..x.len() {
        let d = x[i] * x[i] - s.rest;
        e += s.stiff[i] * d * d * s.stiff[0];
    }
    e
}

#[differentiable(higher_order)]
fn at(x: &[f64], #[constant] s: &Springs) -> f64 {
    energy(s, x)
}

#[test]
fn constant_fields_are_read() {
    for n in [1, 2, 3, 6] {
        for steps in [0, 1, 3] {
            let start = Model {
                medium: medium(n),
                reference: medium(n + 1),
                u: (0..n).map(|i| 0.3 + 0.17 * (i * i) as f64).collect(),
                seen: vec![0.2; n],
            };
            check::<run, _>(&(start, 0.11, steps));
        }
    }
}

#[test]
fn constant_fields_of_marked_structs() {
    let s = Springs {
        rest: 0.8,
        stiff: vec![0.5, 1.5, 2.5],
    };
    let x = [0.3, -0.7, 1.1];
    check::<energy, _>(&(s.clone(), x.to_vec()));
    let h = at::hessian(&x, &s);
    for i in 0..3 {
        let expected = 0.5 * s.stiff[i] * (12.0 * x[i] * x[i] - 4.0 * s.rest);
        assert!((h[i][i] - expected).abs() < 1e-12, "{h:?}");
    }
}
