//! A scene made up from a seed.

use super::{Settings, residual};

/// The focal length, in pixels.
pub const FOCAL: f64 = 800.0;
/// How far the cameras are from the middle.
const RADIUS: f64 = 6.0;

/// Where a camera saw a point.
#[derive(Clone)]
pub struct Observation {
    pub camera: usize,
    pub point: usize,
    pub seen: [f64; 2],
    pub outlier: bool,
}

/// Cameras and points, as far as they are known, and what was observed.
#[derive(Clone)]
pub struct Scene {
    pub cameras: Vec<[f64; 6]>,
    pub points: Vec<[f64; 3]>,
    pub observations: Vec<Observation>,
}

/// Random numbers (xorshift).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Random((seed ^ 0x9e37_79b9_7f4a_7c15).max(1))
    }

    /// Between 0 and 1.
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Normally distributed: a sum of uniform ones.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

impl Scene {
    /// The observations of a true scene, and a first guess of cameras and points. Each point is seen by two
    /// thirds of the cameras, and by two at least.
    pub fn new(settings: &Settings) -> Self {
        let mut random = Random::new(settings.seed);
        let cameras = usize::from(settings.cameras);
        let camera = |k: usize| {
            let turn = 1.6 * (k as f64 / (cameras - 1) as f64 - 0.5);
            let (sine, cosine) = turn.sin_cos();
            // It looks at the origin.
            [0.0, turn, 0.0, RADIUS * sine, 0.0, -RADIUS * cosine]
        };
        let cameras: Vec<[f64; 6]> = (0..cameras).map(camera).collect();
        let points: Vec<[f64; 3]> = (0..settings.points).map(|_| point(&mut random)).collect();
        let mut observations = Vec::new();
        for (p, point) in points.iter().enumerate() {
            for (c, camera) in cameras.iter().enumerate() {
                let always = (c + p) % cameras.len() < 2;
                if !always && random.uniform() > 2.0 / 3.0 {
                    continue;
                }
                let mut seen = residual(camera, point, &[0.0, 0.0], 1.0);
                seen.iter_mut()
                    .for_each(|x| *x += settings.noise * random.normal());
                let outlier = random.uniform() < settings.outliers;
                if outlier {
                    seen.iter_mut().for_each(|x| *x += 60.0 * random.normal());
                }
                observations.push(Observation {
                    camera: c,
                    point: p,
                    seen,
                    outlier,
                });
            }
        }
        let mut guess = |x: f64, by: f64| x + by * random.normal();
        Scene {
            cameras: cameras
                .iter()
                .map(|c| std::array::from_fn(|k| guess(c[k], if k < 3 { 0.02 } else { 0.1 })))
                .collect(),
            points: points
                .iter()
                .map(|p| std::array::from_fn(|k| guess(p[k], 0.1)))
                .collect(),
            observations,
        }
    }
}

/// A point of a ring that stands upright.
fn point(random: &mut Random) -> [f64; 3] {
    let (around, across) = (6.3 * random.uniform(), 6.3 * random.uniform());
    let radius = 1.2 + 0.5 * across.cos();
    [
        radius * around.cos(),
        radius * around.sin(),
        0.5 * across.sin(),
    ]
}
