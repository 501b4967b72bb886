//! Fine-tunes a network that PyTorch trained: a new head on a frozen body.
//!
//! `pretrain.py` trained a small convolutional network to tell the digits 0 to 4 and saved its weights. Here its head is
//! replaced by one for the digits 5 to 9, which the network has never seen, and the new head learns from ten images of
//! each. On images as small as these, random convolutions
//! do about as well: compare with `--untrained`.
//!
//! `cargo run --release --example fine_tune -- --help`

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::{Result, ensure};
use clap::Parser;
use differentiable::data::Labelled;
use differentiable::nn::torch::Import;
use differentiable::nn::*;
use differentiable::optim::{Adam, Optimizer};
use differentiable::prelude::*;
use std::path::Path;
use std::process::ExitCode;
use support::data::{Batch, digits};
use support::{Common, Goal, Plan, pictures};

/// Learns the digits 5 to 9 from ten images of each, with a network that knows the digits 0 to 4, and draws what it makes
/// of test images into the folder of --out. Prints the share of test images that are recognised.
#[derive(Debug, Parser)]
#[command(name = "fine_tune")]
struct Args {
    /// Training steps with all images, those of a resumed run included [default: 300]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    /// Leave the body as it is drawn, to see what its weights are worth
    #[arg(long)]
    untrained: bool,
    #[command(flatten)]
    common: Common,
}

/// The first digit that the new head knows, and how many it knows.
const FIRST: i64 = 5;
const CLASSES: usize = 5;
/// Images of each that it learns from.
const SHOWN: usize = 10;

#[module]
struct Body {
    conv1: Conv2d<1, 16, 3>,
    conv2: Conv2d<16, 32, 3>,
}

#[module]
struct Net {
    body: Body,
    head: Linear<128, CLASSES>,
}

#[differentiable]
impl Body {
    fn forward(&self, x: &Tensor![Batch, 64]) -> Tensor![Batch, 128] {
        let image = x.reshape::<shape![Batch, 1, 8, 8]>();
        let h = self.conv1.forward(&image).relu().max_pool::<2, 2>();
        self.conv2.forward(&h).relu().max_pool::<2, 2>().flatten()
    }
}

#[differentiable]
impl Net {
    /// The logits of the new digits.
    fn forward(&self, x: &Tensor![Batch, 64]) -> Tensor![Batch, { CLASSES }] {
        self.head.forward(&self.body.forward(x))
    }

    fn loss(&self, x: &Tensor![Batch, 64], y: &Tensor![i64; Batch]) -> Tensor![] {
        self.forward(x).cross_entropy(y)
    }
}

impl Net {
    /// A network with the body that PyTorch trained. The names in the file are those of `pretrain.py`.
    fn pretrained(seed: u64) -> Result<Self> {
        let mut net = Net::new(&mut Seeds::new(seed));
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fine_tune/backbone.safetensors");
        Import::new()
            .rename("features.0.{p}", "body.conv1.{p}")
            .rename("features.3.{p}", "body.conv2.{p}")
            .ignore("project.*") // features of the first digits alone
            .ignore("head.*")
            .partial() // the new head stays as it was drawn
            .load(&mut net, path)?;
        Ok(net)
    }
}

/// At most `most` images of each new digit, and which digit each is, from 0.
fn images(data: &Labelled, most: usize) -> Result<(Tensor![Batch, 64], Tensor![i64; Batch])> {
    let mut taken = [0; CLASSES];
    let mut rows = Vec::new();
    for (row, label) in data.labels().iter().enumerate() {
        if let Ok(class) = usize::try_from(label - FIRST)
            && taken[class] < most
        {
            taken[class] += 1;
            rows.push(row);
        }
    }
    let (x, y) = data.batch(&rows, Batch)?;
    let y = y.to_vec();
    let classes = Tensor::from_fn_with((Batch(y.len()),), |i| y[i] - FIRST);
    Ok((x, classes))
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let common = &args.common;
    let data = digits()?;
    let (x, y) = images(&data.train, SHOWN)?;
    let mut net = if args.untrained {
        Net::new(&mut Seeds::new(common.seed))
    } else {
        Net::pretrained(common.seed)?
    };
    let mut opt = Adam::new(1e-2).freeze("body.**");
    let plan = Plan {
        program: "fine_tune",
        unit: "step",
        measure: "loss",
        length: common.length(args.steps, 300, 150),
    };
    let before = net.body.conv1.weight.clone();
    common.train(&plan, &mut net, &mut opt, |net, opt, _| {
        let (loss, grad) = net.loss_value_and_grad(&x, &y);
        opt.step(net, &grad);
        Ok(f64::from(loss.item()))
    })?;
    ensure!(
        net.body.conv1.weight == before,
        "the frozen body has changed"
    );

    let (x, y) = images(&data.test, usize::MAX)?;
    let found = net.forward(&x).argmax::<1>().to_vec();
    if let Some(path) = common.file("fine_tune.png") {
        let shown = 30;
        let names: Vec<String> = found[..shown]
            .iter()
            .map(|c| (c + FIRST).to_string())
            .collect();
        pictures::images(&path, &x.to_vec()[..shown * 64], 8, 10, &names)?;
    }
    let right = found.iter().zip(y.to_vec()).filter(|(f, y)| **f == *y);
    let accuracy = right.count() as f64 / found.len() as f64;
    common.report("test accuracy", accuracy, Goal::AtLeast(0.75))
}
