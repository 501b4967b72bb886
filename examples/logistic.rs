//! Softmax regression on handwritten digits by gradient descent: one matrix, and a loop without anything hidden. It is the
//! program with which TensorFlow and tinyflow were introduced.
//!
//! `cargo run --release --example logistic -- --help`

use anyhow::Result;
use clap::Parser;
use differentiable::nn::*;
use differentiable::optim::{Optimizer, Sgd};
use differentiable::prelude::*;
use std::process::ExitCode;
use support::data::{Batch, accuracy, digits};
use support::{Common, Goal, Plan, pictures};

/// Learns one number for each pixel and digit, and draws into the folder of --out what each digit looks for: a dark pixel
/// speaks for it, a light one against it, grey is 0. Prints the share of test images that are recognised.
#[derive(Debug, Parser)]
#[command(name = "logistic")]
struct Args {
    /// Steps of 100 images, those of a resumed run included [default: 2000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    #[command(flatten)]
    common: Common,
}

#[module]
struct Logistic {
    #[init(Tensor::zeros())]
    weight: Tensor![64, 10],
}

#[differentiable]
impl Logistic {
    /// The logits of the digits, whose `softmax` are the probabilities.
    fn forward(&self, x: &Tensor![Batch, 64]) -> Tensor![Batch, 10] {
        x.matmul(&self.weight)
    }

    /// The mean of `−ln` of the probability of the right digit.
    fn loss(&self, x: &Tensor![Batch, 64], y: &Tensor![i64; Batch]) -> Tensor![] {
        self.forward(x).cross_entropy(y)
    }
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let common = &args.common;
    let data = digits()?;
    let mut net = Logistic::new(&mut Seeds::new(common.seed));
    let mut opt = Sgd::new(0.5);
    let plan = Plan {
        program: "logistic",
        unit: "step",
        measure: "loss",
        length: common.length(args.steps, 2000, 200),
    };
    common.train(&plan, &mut net, &mut opt, |net, opt, step| {
        let rows: Vec<usize> = (0..100).map(|_| step.below(data.train.len())).collect();
        let (x, y) = data.train.batch(&rows, Batch)?;
        let (loss, grad) = net.loss_value_and_grad(&x, &y);
        opt.step(net, &grad);
        Ok(f64::from(loss.item()))
    })?;

    let (x, y) = data.test.all(Batch)?;
    if let Some(path) = common.file("logistic.png") {
        let most = net.weight.abs().max().item();
        let grey = |i: usize| 0.5 + 0.5 * net.weight.at([i % 64, i / 64]) / most;
        let pixels: Vec<f32> = (0..640).map(grey).collect();
        let names: Vec<String> = (0..10).map(|digit| digit.to_string()).collect();
        pictures::images(&path, &pixels, 8, 10, &names)?;
    }
    let reached = accuracy(&net.forward(&x), &y);
    common.report("test accuracy", reached, Goal::AtLeast(0.85))
}
