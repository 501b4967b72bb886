//! Inputs of the programs in `examples/gradbench`, of any size, the same in every run.

use crate::by_hand;
use crate::evals::{ba, gmm};

/// Numbers in [−scale, scale] without a pattern.
pub fn numbers(n: usize, scale: f64) -> Vec<f64> {
    let entry = |i: usize| (0.37 + i as f64 * 1.618_033_988_7 + (i as f64 * 0.731).cos()).sin();
    (0..n).map(|i| scale * entry(i)).collect()
}

pub struct Mixture {
    pub alpha: Vec<f64>,
    pub mu: Vec<f64>,
    pub q: Vec<f64>,
    pub l: Vec<f64>,
    pub x: Vec<f64>,
    pub prior: gmm::Wishart,
}

pub fn mixture(d: usize, k: usize, n: usize) -> Mixture {
    // Scaled so that several components matter for each point.
    let scale = 1.0 / (d as f64).sqrt();
    Mixture {
        alpha: numbers(k, 1.0),
        mu: numbers(k * d, 0.5),
        q: numbers(k * d, 0.3 * scale),
        l: numbers(k * d * (d - 1) / 2, 0.5 * scale),
        x: numbers(n * d, scale),
        prior: gmm::Wishart { m: 0, gamma: 1.0 },
    }
}

impl Mixture {
    pub fn by_hand(&self) -> (f64, by_hand::gmm::Gradient) {
        let d = self.mu.len() / self.alpha.len();
        by_hand::gmm::log_posterior(
            &self.alpha,
            &self.mu,
            &self.q,
            &self.l,
            &self.x,
            self.prior.gamma,
            self.prior.m,
            self.prior.log_constant(d),
        )
    }
}

/// Cameras near the origin that look along z at points in front of them.
pub fn adjustment(n: usize, m: usize, p: usize) -> ba::Problem {
    let noise = numbers(11 * n + 3 * m + 3 * p, 1.0);
    let (of_cameras, rest) = noise.split_at(11 * n);
    let (of_points, of_observations) = rest.split_at(3 * m);
    let camera = |v: &[f64]| {
        let scales = [0.3, 0.3, 0.3, 0.5, 0.5, 0.5, 50.0, 5.0, 5.0, 0.1, 0.01];
        let mut camera: ba::Camera = std::array::from_fn(|j| scales[j] * v[j]);
        camera[6] += 500.0;
        camera
    };
    ba::Problem {
        cameras: of_cameras.chunks_exact(11).map(camera).collect(),
        points: of_points
            .chunks_exact(3)
            .map(|v| [v[0], v[1], 5.0 + v[2]])
            .collect(),
        weights: of_observations[..p].iter().map(|v| 1.0 + 0.2 * v).collect(),
        features: of_observations[p..]
            .chunks_exact(2)
            .map(|v| [10.0 * v[0], 10.0 * v[1]])
            .collect(),
    }
}

pub struct Recurrent {
    pub main: Vec<f64>,
    pub extra: Vec<f64>,
    pub state: Vec<f64>,
    pub sequence: Vec<f64>,
}

pub fn recurrent(layers: usize, c: usize, b: usize) -> Recurrent {
    let sequence = numbers(c * b, 1.0);
    Recurrent {
        main: numbers(layers * 8 * b, 0.8),
        extra: numbers(3 * b, 0.9),
        state: numbers(layers * 2 * b, 0.5),
        // The suite's are characters: few entries are 1.
        sequence: sequence
            .iter()
            .map(|v| if *v > 0.8 { 1.0 } else { 0.1 * v })
            .collect(),
    }
}
