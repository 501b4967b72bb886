//! A neural differential equation (Chen et al. 2018): a small network learns the velocity of a point from its path.
//!
//! The path is a spiral, `y' = A·y³` with `A = [[−0.1, 2], [−2, −0.1]]` from `(2, 0)`, seen 200 times with noise of 0.02.
//! The network is the right-hand side of an equation that a solver follows, and the gradient goes through the solver's
//! steps. It learns from short pieces of the path and is judged by the whole one.
//!
//! `cargo run --release --example neural_ode -- --help`

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::Result;
use clap::Parser;
use differentiable::ode::{rk4, rk4_path};
use differentiable::optim::{Adam, Optimizer};
use differentiable::prelude::*;
use std::process::ExitCode;
use support::data::below;
use support::pictures::{self, Line, Plot, Style};
use support::{Common, Goal, Plan, Step};

/// Learns the motion along a spiral from noisy places, and draws the path that it would take into the folder of --out.
/// Prints the mean distance from the true path, whose radius is 2 at first.
#[derive(Debug, Parser)]
#[command(name = "neural_ode")]
struct Args {
    /// Training steps of 16 pieces, those of a resumed run included [default: 3000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    #[command(flatten)]
    common: Common,
}

const UNITS: usize = 24;
/// How often the point is seen, and the time between.
const SEEN: usize = 200;
const INTERVAL: f64 = 0.05;
const NOISE: f64 = 0.02;
/// Intervals in a piece that the network learns from.
const PIECE: usize = 8;

type Point = [f64; 2];

/// The velocity of the point: what has made the data.
#[differentiable]
fn spiral(y: &Point) -> Point {
    let (a, b) = (y[0].powi(3), y[1].powi(3));
    [-0.1 * a + 2.0 * b, -2.0 * a - 0.1 * b]
}

/// A network with one hidden layer, from a place to a velocity. It is small, so plain numbers are faster than tensors.
#[derive(Clone, Differentiable, Module)]
struct Velocity {
    /// Of each hidden unit: two weights and a bias.
    hidden: [[f64; 3]; UNITS],
    out: [[f64; UNITS]; 2],
}

impl Velocity {
    fn new(seeds: &mut Seeds) -> Self {
        let normal: Tensor![f64; { 5 * UNITS }] = Tensor::randn(seeds.next_seed());
        let normal = normal.to_vec();
        let scale = 4.0 / (UNITS as f64).sqrt(); // the point moves at up to 16 a second
        Velocity {
            hidden: std::array::from_fn(|i| std::array::from_fn(|j| normal[3 * i + j])),
            out: std::array::from_fn(|i| {
                std::array::from_fn(|j| scale * normal[(3 + i) * UNITS + j])
            }),
        }
    }
}

#[differentiable]
impl Velocity {
    fn at(&self, y: &Point) -> Point {
        let mut v = [0.0; 2];
        for i in 0..UNITS {
            let [a, b, bias] = self.hidden[i];
            let h = (a * y[0] + b * y[1] + bias).tanh();
            v[0] += self.out[0][i] * h;
            v[1] += self.out[1][i] * h;
        }
        v
    }

    /// The mean square of the distance to the path, in pieces that each start on it.
    fn loss(&self, #[constant] path: &[Point], starts: &[usize]) -> f64 {
        let mut sum = 0.0;
        for start in starts {
            let mut y = path[*start];
            for i in 1..=PIECE {
                y = rk4(|_, y: &Point| self.at(y), &y, 0.0, INTERVAL, 2);
                let truth = path[*start + i];
                sum += (y[0] - truth[0]).powi(2) + (y[1] - truth[1]).powi(2);
            }
        }
        sum / (starts.len() * PIECE) as f64
    }
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let common = &args.common;
    let seeds = &mut Seeds::new(common.seed);
    // Twenty small steps for each time that the point is seen.
    let time = INTERVAL * SEEN as f64;
    let all = rk4_path(|_, y: &Point| spiral(y), &[2.0, 0.0], 0.0, time, 20 * SEEN);
    let truth: Vec<Point> = all.into_iter().step_by(20).collect();
    let noise: Tensor![f64; { 2 * (SEEN + 1) }] = Tensor::randn(seeds.next_seed());
    let noise = noise.to_vec();
    let seen: Vec<Point> = (0..=SEEN)
        .map(|i| std::array::from_fn(|j| truth[i][j] + NOISE * noise[2 * i + j]))
        .collect();

    let mut net = Velocity::new(seeds);
    let mut opt = Adam::new(2e-2);
    let plan = Plan {
        program: "neural_ode",
        unit: "step",
        measure: "loss",
        length: common.length(args.steps, 3000, 1000),
    };
    common.train(&plan, &mut net, &mut opt, |net, opt, step: &mut Step| {
        let last = seen.len() - PIECE;
        let starts: Vec<usize> = (0..16).map(|_| below(&mut step.seeds, last)).collect();
        opt.set_learning_rate(2e-2 / (1.0 + step.index as f64 / 500.0));
        let (loss, grad) = net.loss_value_and_grad(&seen, &starts);
        opt.step(net, &grad);
        Ok(loss)
    })?;

    let found = rk4_path(|_, y: &Point| net.at(y), &[2.0, 0.0], 0.0, time, 4 * SEEN);
    if let Some(path) = common.file("neural_ode.png") {
        let line = |name: &str, points: &[Point], style| Line {
            name: name.into(),
            points: points.iter().map(|p| (p[0], p[1])).collect(),
            style,
        };
        let series = vec![
            line("found", &found, Style::Line),
            line("seen", &seen, Style::Dots),
        ];
        let plot = Plot {
            x: "y1",
            y: "y2",
            series,
        };
        pictures::plot(&path, &plot)?;
    }
    let apart = found.iter().step_by(4).zip(&truth);
    let sum: f64 = apart.map(|(f, t)| (f[0] - t[0]).hypot(f[1] - t[1])).sum();
    common.report("mean distance", sum / truth.len() as f64, Goal::AtMost(1.5))
}
