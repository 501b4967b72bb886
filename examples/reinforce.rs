//! Learns to balance a pole on a cart by trial and error: REINFORCE (Williams 1992).
//!
//! A network gives the probability of a push to the left and to the right. After some episodes, what was done becomes
//! likelier if it went better than usual and less likely if it went worse. No one tells it which push would have been
//! right, and no gradient goes through the cart.
//!
//! `cargo run --release --example reinforce -- --help`

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::Result;
use clap::Parser;
use differentiable::data::Categorical;
use differentiable::nn::*;
use differentiable::optim::{Adam, Optimizer, clip_grad_norm};
use differentiable::prelude::*;
use std::process::ExitCode;
use support::pictures::{self, Line, Plot, Style};
use support::{Common, Goal, Plan, Step};

/// Learns to balance a pole, and draws into the folder of --out how long it stood while it learned. Prints the mean steps
/// of 20 episodes, each of which ends when the pole falls, or after 500.
#[derive(Debug, Parser)]
#[command(name = "reinforce")]
struct Args {
    /// Training steps of 8 episodes, those of a resumed run included [default: 150]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    #[command(flatten)]
    common: Common,
}

/// A cart on a rail and a pole that is hinged to it (Barto, Sutton & Anderson 1983), in metres, seconds and radians.
#[derive(Clone, Copy, Debug)]
struct Cart {
    place: f64,
    speed: f64,
    angle: f64,
    turning: f64,
}

const LONGEST: usize = 500;
const INTERVAL: f64 = 0.02;

impl Cart {
    /// Nearly upright.
    fn start(seeds: &mut Seeds) -> Self {
        let mut small = || 0.1 * (seeds.next_seed() as f64 / u64::MAX as f64 - 0.5);
        Cart {
            place: small(),
            speed: small(),
            angle: small(),
            turning: small(),
        }
    }

    /// After a push of 10 N to the right or to the left: a step of Euler's method.
    fn pushed(self, right: bool) -> Self {
        const GRAVITY: f64 = 9.8;
        const POLE: f64 = 0.1; // kg
        const BOTH: f64 = 1.1; // kg
        const HALF: f64 = 0.5; // of the pole, m
        let force = if right { 10.0 } else { -10.0 };
        let (sin, cos) = self.angle.sin_cos();
        let push = (force + POLE * HALF * self.turning.powi(2) * sin) / BOTH;
        let turn = (GRAVITY * sin - cos * push) / (HALF * (4.0 / 3.0 - POLE * cos * cos / BOTH));
        let pull = push - POLE * HALF * turn * cos / BOTH;
        Cart {
            place: self.place + INTERVAL * self.speed,
            speed: self.speed + INTERVAL * pull,
            angle: self.angle + INTERVAL * self.turning,
            turning: self.turning + INTERVAL * turn,
        }
    }

    /// The cart is on the rail, and the pole leans by less than 12°.
    fn stands(&self) -> bool {
        self.place.abs() < 2.4 && self.angle.abs() < 12.0_f64.to_radians()
    }

    fn seen(&self) -> [f32; 4] {
        [self.place, self.speed, self.angle, self.turning].map(|x| x as f32)
    }
}

dim!(Moment);

#[module]
struct Policy {
    hidden: Linear<4, 32>,
    out: Linear<32, 2>,
}

#[differentiable]
impl Policy {
    /// The logits of left and right.
    fn forward<B: Dim>(&self, x: &Tensor![B, 4]) -> Tensor![B, 2] {
        self.out.forward(&self.hidden.forward(x).tanh())
    }

    /// `−Σ advantage · ln p(action) / n`. `weights` has the advantage of each moment at the action that was chosen and 0
    /// at the other one. The gradient is that of the expected return, up to its sign.
    fn loss(&self, x: &Tensor![Moment, 4], weights: &Tensor![Moment, 2]) -> Tensor![] {
        -(self.forward(x).log_softmax::<-1>() * weights)
            .sum_axis::<1>()
            .mean()
    }
}

/// What was seen and done in an episode.
#[derive(Debug, Default)]
struct Episode {
    seen: Vec<[f32; 4]>,
    right: Vec<bool>,
}

impl Policy {
    fn episode(&self, seeds: &mut Seeds) -> Episode {
        let (mut episode, mut cart) = (Episode::default(), Cart::start(seeds));
        let ctx = &mut Ctx::eval_with_seed(seeds.next_seed());
        while cart.stands() && episode.seen.len() < LONGEST {
            let seen = cart.seen();
            let logits = self.forward(&tensor([seen])).index::<0>(0);
            let right = Categorical::sample(&logits, ctx).item() == 1;
            episode.seen.push(seen);
            episode.right.push(right);
            cart = cart.pushed(right);
        }
        episode
    }
}

/// The advantage of each moment of all episodes: the steps that the pole stood from then on, each less than the one before
/// by a hundredth, against the mean, in standard deviations.
fn advantages(episodes: &[Episode]) -> Vec<f32> {
    let mut returns = Vec::new();
    for episode in episodes {
        let first = returns.len();
        let mut sum = 0.0;
        for _ in &episode.seen {
            sum = 1.0 + 0.99 * sum;
            returns.push(sum);
        }
        returns[first..].reverse();
    }
    let n = returns.len() as f32;
    let mean = returns.iter().sum::<f32>() / n;
    let variance = returns.iter().map(|r| (r - mean).powi(2)).sum::<f32>() / n;
    let deviation = variance.sqrt().max(1e-6);
    returns.iter().map(|r| (r - mean) / deviation).collect()
}

fn mean_steps(episodes: &[Episode]) -> f64 {
    episodes.iter().map(|e| e.seen.len()).sum::<usize>() as f64 / episodes.len() as f64
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let common = &args.common;
    let mut net = Policy::new(&mut Seeds::new(common.seed));
    let mut opt = Adam::new(1e-2);
    let plan = Plan {
        program: "reinforce",
        unit: "step",
        measure: "mean steps",
        length: common.length(args.steps, 150, 30),
    };
    // What is shown and kept is not the loss, which says little here, but how long the pole stood.
    let curve = common.train(&plan, &mut net, &mut opt, |net, opt, step: &mut Step| {
        let episodes: Vec<Episode> = (0..8).map(|_| net.episode(&mut step.seeds)).collect();
        let seen: Vec<[f32; 4]> = episodes.iter().flat_map(|e| e.seen.clone()).collect();
        let right: Vec<bool> = episodes.iter().flat_map(|e| e.right.clone()).collect();
        let advantages = advantages(&episodes);
        let moments = Moment(seen.len());
        let x = Tensor::from_fn_with((moments, Sz), |i| seen[i / 4][i % 4]);
        let weights = Tensor::from_fn_with((moments, Sz), |i| {
            let chosen = usize::from(right[i / 2]) == i % 2;
            if chosen { advantages[i / 2] } else { 0.0 }
        });
        let (_, grad) = net.loss_value_and_grad(&x, &weights);
        opt.step(net, &clip_grad_norm(grad, 1.0).0);
        Ok(mean_steps(&episodes))
    })?;

    if let Some(path) = common.file("reinforce.png") {
        let points = curve.iter().enumerate();
        let line = Line {
            name: "mean of 8 episodes".into(),
            points: points
                .map(|(i, steps)| ((8 * (i + 1)) as f64, *steps))
                .collect(),
            style: Style::Line,
        };
        let plot = Plot {
            x: "episodes",
            y: "steps",
            series: vec![line],
        };
        pictures::plot(&path, &plot)?;
    }
    let seeds = &mut Seeds::new(!common.seed);
    let episodes: Vec<Episode> = (0..20).map(|_| net.episode(seeds)).collect();
    common.report("mean steps", mean_steps(&episodes), Goal::AtLeast(60.0))
}
