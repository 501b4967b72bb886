//! A convolutional network reads handwritten digits. Two threads prepare the batches, in which each image is moved by up to
//! a pixel, anew in each epoch.
//!
//! `cargo run --release --example cnn -- --help`

use anyhow::Result;
use clap::Parser;
use differentiable::data::{Dataset, Loader, random_shift};
use differentiable::nn::*;
use differentiable::optim::{Adam, exponential};
use differentiable::prelude::*;
use differentiable::train::{Objective, Predict, accuracy, fit};
use std::process::ExitCode;
use support::data::{Batch, Digit, DigitBatch, digits, images};
use support::{Common, Goal, pictures};

/// Learns handwritten digits with a convolutional network, and draws into the folder of --out the test digits that it finds
/// hardest: below each, the digit and its probability, or what the digit was taken for. Prints the share of test images that
/// are recognised.
#[derive(Debug, Parser)]
#[command(name = "cnn")]
struct Args {
    /// How often the images are seen, a resumed run included [default: 30]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    epochs: Option<u64>,
    #[command(flatten)]
    common: Common,
}

#[module]
struct Cnn {
    conv1: Conv2d<1, 32, 3>,
    norm1: BatchNorm<32>,
    conv2: Conv2d<32, 64, 3>,
    norm2: BatchNorm<64>,
    #[init(Dropout::new(0.25))]
    drop: Dropout,
    out: Linear<256, 10>,
}

#[differentiable]
impl Cnn {
    /// The logits of the digits.
    fn forward(&self, x: &Tensor![Batch, 1, 8, 8], ctx: &mut Ctx) -> Tensor![Batch, 10] {
        let h = self.norm1.forward(&self.conv1.forward(x), ctx);
        let h = self.conv2.forward(&h.relu().max_pool::<2, 2>());
        let h = self.norm2.forward(&h, ctx).relu().max_pool::<2, 2>();
        self.out.forward(&self.drop.forward(&h.flatten(), ctx))
    }
}

#[differentiable]
impl Objective<DigitBatch> for Cnn {
    fn loss(&self, batch: &DigitBatch, ctx: &mut Ctx) -> Tensor![] {
        self.forward(&batch.x, ctx).cross_entropy(&batch.y)
    }
}

impl Predict<DigitBatch> for Cnn {
    type Output = Tensor![Batch, 10];
    type Target = Tensor![i64; Batch];

    fn predict(&self, batch: &DigitBatch, ctx: &mut Ctx) -> (Self::Output, Self::Target) {
        (self.forward(&batch.x, ctx), batch.y.clone())
    }
}

impl Cnn {
    /// The `count` images whose digits are thought least likely, and a name for each.
    fn hardest(&self, batch: &DigitBatch, count: usize) -> (Vec<f32>, Vec<String>) {
        let logits = self.forward(&batch.x, &mut Ctx::eval());
        let (guesses, chances) = (logits.argmax::<1>(), logits.softmax::<1>());
        let mut rows: Vec<(f32, usize)> = (0..batch.y.len())
            .map(|row| (chances.at([row, batch.y.at([row]) as usize]), row))
            .collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let hardest = rows.into_iter().take(count).map(|(chance, row)| {
            let (digit, guess) = (batch.y.at([row]), guesses.at([row]));
            let name = match guess == digit {
                true => format!("{digit} {:.0}%", 100.0 * chance),
                false => format!("{digit} as {guess}"),
            };
            (batch.x.index::<0>(row).to_vec(), name)
        });
        let (pixels, names): (Vec<Vec<f32>>, Vec<String>) = hardest.unzip();
        (pixels.concat(), names)
    }
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let common = &args.common;
    let data = digits()?;
    // Images stay with the processor, whose threads move them and join them; batches go to the device of the network.
    let device = Device::current();
    let images = |of| Device::cpu().scope(|| images(of));
    let moved = images(&data.train)?.augment(common.seed, |Digit { x, y }, seeds| Digit {
        x: random_shift(&x, 1, seeds),
        y,
    });
    let train = Loader::new(moved, 64).shuffle(common.seed).workers(2);
    let train = train.to_device(&device);
    let test = Loader::new(images(&data.test)?, data.test.len()).to_device(&device);

    let mut net = Cnn::new(&mut Seeds::new(common.seed));
    // Large steps first, smaller ones later. No matter when a run is to end, so that it can be made longer.
    let mut opt = Adam::new(3e-3).schedule(exponential(0.997));
    let run = fit(&mut net, &mut opt, &train).validate(&test, accuracy);
    common.fit(run, common.length(args.epochs, 30, 2))?;

    for batch in test.epoch(0) {
        if let Some(path) = common.file("cnn.png") {
            let (pixels, names) = net.hardest(&batch, 20);
            pictures::images(&path, &pixels, 8, 10, &names)?;
        }
        let reached = accuracy(&net, &batch);
        common.report("test accuracy", reached, Goal::AtLeast(0.8))?;
    }
    Ok(())
}
