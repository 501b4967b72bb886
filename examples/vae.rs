//! A variational autoencoder (Kingma & Welling 2014) of handwritten digits: eight numbers for each image.
//!
//! The encoder gives a normal distribution for the eight numbers, the decoder an image for each choice of them. What is
//! learned is the evidence bound: how well the image comes back, less how far the distribution is from the standard one.
//!
//! `cargo run --release --example vae -- --help`

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::Result;
use clap::Parser;
use differentiable::data::Batches;
use differentiable::nn::*;
use differentiable::optim::{Adam, Optimizer};
use differentiable::prelude::*;
use std::process::ExitCode;
use support::data::{Batch, digits};
use support::{Common, Goal, Plan, Step, pictures};

/// Learns what handwritten digits look like, and draws some of its own into the folder of --out. Prints the evidence
/// bound of the test images, in nats for an image.
#[derive(Debug, Parser)]
#[command(name = "vae")]
struct Args {
    /// How often the images are seen, a resumed run included [default: 100]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    epochs: Option<u64>,
    #[command(flatten)]
    common: Common,
}

/// How many numbers stand for an image.
const CODE: usize = 8;

#[module]
struct Vae {
    encoder: Linear<64, 256>,
    mean: Linear<256, CODE>,
    log_var: Linear<256, CODE>,
    up: Linear<CODE, 256>,
    out: Linear<256, 64>,
}

#[differentiable]
impl Vae {
    /// Mean and logarithm of the variance of each number.
    fn encode(
        &self,
        x: &Tensor![Batch, 64],
    ) -> (Tensor![Batch, { CODE }], Tensor![Batch, { CODE }]) {
        let h = self.encoder.forward(x).relu();
        (self.mean.forward(&h), self.log_var.forward(&h))
    }

    /// The logits of the pixels.
    fn decode(&self, z: &Tensor![Batch, { CODE }]) -> Tensor![Batch, 64] {
        self.out.forward(&self.up.forward(z).relu())
    }

    /// The negative evidence bound, and the part of it that is the distance of the distributions. The first is
    /// differentiated.
    fn loss(&self, x: &Tensor![Batch, 64], ctx: &mut Ctx) -> (Tensor![], Tensor![]) {
        let (mean, log_var) = self.encode(x);
        // A choice by the distribution as a function of its mean and variance, so that both have a gradient.
        let z = &mean + (&log_var * 0.5).exp() * ctx.randn_like(&mean);
        let seen = self.decode(&z).bce_with_logits(x) * 64.0;
        let apart = kl_normal(&mean, &log_var);
        (&seen + &apart, apart)
    }
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let common = &args.common;
    let data = digits()?;
    let mut net = Vae::new(&mut Seeds::new(common.seed));
    let mut opt = Adam::new(1e-3);
    let batches = Batches::new(data.train.len(), 64).seed(common.seed);
    let plan = Plan {
        program: "vae",
        unit: "epoch",
        measure: "loss",
        length: common.length(args.epochs, 100, 15),
    };
    common.train(&plan, &mut net, &mut opt, |net, opt, epoch: &mut Step| {
        let mut ctx = Ctx::train(net, epoch.seeds.next_seed());
        let mut sum = 0.0;
        for rows in &batches.epoch(epoch.index) {
            let own = epoch.share(rows);
            let (x, _) = data.train.batch(own, Batch)?;
            let ((loss, _), grad) = net.loss_value_and_grad(&x, &mut ctx);
            opt.step(net, &grad);
            sum += f64::from(loss.item()) * rows.len() as f64;
        }
        Ok(sum / data.train.len() as f64)
    })?;

    let (x, _) = data.test.all::<_, 64>(Batch)?;
    let ctx = &mut Ctx::eval_with_seed(common.seed);
    if let Some(path) = common.file("vae.png") {
        // Two rows of test images, below each what becomes of it, then four rows that the decoder makes up.
        let seen: Tensor![Batch, 64] = x.narrow::<0, _>(0, Batch(20));
        let back = net.decode(&net.encode(&seen).0).sigmoid();
        let z = Tensor::randn_with((Batch(40), Sz), common.seed);
        let made = net.decode(&z).sigmoid().to_vec();
        let (seen, back) = (seen.to_vec(), back.to_vec());
        let row = 10 * 64;
        let all = [
            &seen[..row],
            &back[..row],
            &seen[row..],
            &back[row..],
            &made,
        ];
        pictures::images(&path, &all.concat(), 8, 10, &[])?;
    }
    let bound = -f64::from(net.loss(&x, ctx).0.item());
    common.report("evidence bound", bound, Goal::AtLeast(-30.0))
}
