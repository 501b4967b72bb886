//! Cameras on an arc look at points; from where each camera saw each point, the poses of the cameras and the
//! points are found (bundle adjustment), by the method of Levenberg and Marquardt with a sparse Jacobian.
//!
//! `cargo run --release -p differentiable --example bundle_adjustment [-- --outliers 0.03 --picture PICTURE.png]`

mod normal;
mod picture;
#[path = "../support/png.rs"]
mod png_file;
mod scene;

use anyhow::{Context, Result};
use clap::Parser;
use differentiable::prelude::*;
use differentiable::sparse::{Assembly, Csr};
use scene::{FOCAL, Scene};
use std::path::PathBuf;
use std::time::Instant;

/// Finds cameras and points from images.
#[derive(Parser)]
struct Settings {
    /// How many cameras there are.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u16).range(2..))]
    cameras: u16,
    /// How many points there are.
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(10..))]
    points: u32,
    /// The standard deviation of an observation, in pixels.
    #[arg(long, default_value_t = 0.5)]
    noise: f64,
    /// The share of observations that are wrong by many pixels.
    #[arg(long, default_value_t = 0.0)]
    outliers: f64,
    /// Where random numbers start.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the picture goes: images of the points before and after, in one camera.
    #[arg(long)]
    picture: Option<PathBuf>,
}

/// Rotates `x` about the direction of `r` by its length (Rodrigues).
#[differentiable(higher_order)]
fn rotate(r: [f64; 3], x: [f64; 3]) -> [f64; 3] {
    let across = [
        r[1] * x[2] - r[2] * x[1],
        r[2] * x[0] - r[0] * x[2],
        r[0] * x[1] - r[1] * x[0],
    ];
    let squared = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    if squared < 1e-16 {
        return [x[0] + across[0], x[1] + across[1], x[2] + across[2]];
    }
    let angle = squared.sqrt();
    let (sine, cosine) = (angle.sin() / angle, angle.cos());
    let along = (1.0 - cosine) / squared * (r[0] * x[0] + r[1] * x[1] + r[2] * x[2]);
    [
        cosine * x[0] + sine * across[0] + along * r[0],
        cosine * x[1] + sine * across[1] + along * r[1],
        cosine * x[2] + sine * across[2] + along * r[2],
    ]
}

/// How many pixels the image of a point is from where the camera saw it. A camera is its rotation and its centre.
#[differentiable(higher_order)]
fn residual(
    camera: &[f64; 6],
    point: &[f64; 3],
    #[constant] seen: &[f64; 2],
    #[constant] weight: f64,
) -> [f64; 2] {
    let [r0, r1, r2, c0, c1, c2] = *camera;
    let x = rotate([r0, r1, r2], [point[0] - c0, point[1] - c1, point[2] - c2]);
    [
        weight * (FOCAL * x[0] / x[2] - seen[0]),
        weight * (FOCAL * x[1] / x[2] - seen[1]),
    ]
}

/// Where Huber's loss goes from squares to distances, in standard deviations.
const HUBER: f64 = 2.5;

impl Scene {
    /// The pixels between the image and the observation `i`.
    fn distance(&self, i: usize) -> f64 {
        let o = &self.observations[i];
        let [x, y] = residual(&self.cameras[o.camera], &self.points[o.point], &o.seen, 1.0);
        x.hypot(y)
    }

    /// The root of the mean squared distance of observations that are not outliers, by coordinate.
    fn deviation(&self) -> f64 {
        let right = (0..self.observations.len()).filter(|i| !self.observations[*i].outlier);
        let (sum, n) = right.fold((0.0, 0), |(s, n), i| (s + self.distance(i).powi(2), n + 2));
        (sum / f64::from(n)).sqrt()
    }

    /// Huber's loss of all observations.
    fn loss(&self, limit: f64) -> f64 {
        let each = (0..self.observations.len()).map(|i| match self.distance(i) {
            d if d <= limit => 0.5 * d * d,
            d => limit * (d - 0.5 * limit),
        });
        each.sum()
    }

    /// The weight of each observation: with it, squares have the gradient of Huber's loss.
    fn weights(&self, limit: f64) -> Vec<f64> {
        let each = (0..self.observations.len()).map(|i| (limit / self.distance(i)).min(1.0).sqrt());
        each.collect()
    }

    /// Two rows for each observation; its columns are those of its camera and of its point.
    fn assembly(&self) -> Result<Assembly> {
        let cameras = 6 * self.cameras.len();
        let shape = (2 * self.observations.len(), cameras + 3 * self.points.len());
        let blocks = self.observations.iter().enumerate().map(|(i, o)| {
            let columns: [usize; 9] = std::array::from_fn(|k| match k {
                0..6 => 6 * o.camera + k,
                _ => cameras + 3 * o.point + k - 6,
            });
            ([2 * i, 2 * i + 1], columns)
        });
        Ok(Assembly::new(shape, blocks)?)
    }

    fn residuals(&self, weights: &[f64]) -> Vec<f64> {
        let each = self.observations.iter().zip(weights);
        each.flat_map(|(o, w)| {
            residual(&self.cameras[o.camera], &self.points[o.point], &o.seen, *w)
        })
        .collect()
    }

    fn jacobian(&self, assembly: &Assembly, weights: &[f64], to: &mut Csr<f64>) {
        assembly.assemble_into(to, |i, block| {
            let o = &self.observations[i];
            let (camera, point) = (&self.cameras[o.camera], &self.points[o.point]);
            residual::jacobian_into(block, camera, point, &o.seen, weights[i]);
        });
    }

    fn moved(&self, step: &[f64]) -> Scene {
        let mut moved = self.clone();
        let scalars = moved
            .cameras
            .iter_mut()
            .flatten()
            .chain(moved.points.iter_mut().flatten());
        scalars.zip(step).for_each(|(x, d)| *x += d);
        moved
    }
}

/// Steps until the loss no longer falls; prints the loss after each.
fn adjust(mut scene: Scene, limit: f64) -> Result<Scene> {
    let assembly = scene.assembly()?;
    let (mut jacobian, mut damping) = (Csr::default(), 1e-3);
    let mut loss = scene.loss(limit);
    println!("step     loss/observation   damping   Jacobian ms   solve ms");
    println!("   0  {:>19.4}", loss / scene.observations.len() as f64);
    for step in 1..=50 {
        let start = Instant::now();
        let weights = scene.weights(limit);
        let residuals = scene.residuals(&weights);
        scene.jacobian(&assembly, &weights, &mut jacobian);
        let (derivatives, start) = (start.elapsed(), Instant::now());
        let normal = normal::Equations::new(&scene, &jacobian, &residuals);
        let before = loss;
        let mut taken = false;
        while !taken && damping < 1e12 {
            let change = normal.solve(damping)?;
            let next = scene.moved(&change);
            let next_loss = next.loss(limit);
            taken = next_loss < loss;
            if taken {
                (scene, loss, damping) = (next, next_loss, (damping / 10.0).max(1e-12));
            } else {
                damping *= 10.0;
            }
        }
        println!(
            "{step:>4}  {:>19.4}   {damping:>7.0e}   {:>11.2}   {:>8.2}",
            loss / scene.observations.len() as f64,
            derivatives.as_secs_f64() * 1e3,
            start.elapsed().as_secs_f64() * 1e3,
        );
        if before - loss <= 1e-6 * before {
            break;
        }
    }
    Ok(scene)
}

fn main() -> Result<()> {
    let settings = Settings::parse();
    let scene = Scene::new(&settings);
    println!(
        "{} cameras, {} points, {} observations",
        scene.cameras.len(),
        scene.points.len(),
        scene.observations.len()
    );
    let before = scene.clone();
    // Without noise the limit is that of a tenth of a pixel.
    let found = adjust(scene, HUBER * settings.noise.max(0.1))?;
    let (start, end) = (before.deviation(), found.deviation());
    println!(
        "deviation: {start:.3} pixels before, {end:.3} after (noise {})",
        settings.noise
    );

    let path = match settings.picture {
        Some(path) => path,
        None => std::env::temp_dir().join("bundle_adjustment.png"),
    };
    picture::draw(&before, &found, &path)
        .with_context(|| format!("{}: cannot write the picture", path.display()))?;
    println!(
        "observations (grey) and images before and after: {}",
        path.display()
    );
    if end.is_nan() || end > 1.2 * settings.noise + 0.02 {
        eprintln!("the adjustment did not converge");
        std::process::exit(1);
    }
    Ok(())
}
