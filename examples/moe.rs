//! A mixture of experts (Shazeer et al. 2017) reads handwritten digits: eight small networks, of which two run for each
//! image. A gate, which is learned too, says which.
//!
//! `cargo run --release --example moe -- --help`

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::Result;
use clap::Parser;
use differentiable::data::Batches;
use differentiable::nn::*;
use differentiable::optim::{Adam, Optimizer};
use differentiable::prelude::*;
use std::process::ExitCode;
use support::data::{Batch, accuracy, digits};
use support::{Common, Goal, Plan, Step, pictures};

/// Learns handwritten digits with a mixture of experts, and draws into the folder of --out which expert reads which
/// digit. Prints the share of test images that are recognised.
#[derive(Debug, Parser)]
#[command(name = "moe")]
struct Args {
    /// How often the images are seen, a resumed run included [default: 30]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    epochs: Option<u64>,
    /// How much the loss asks for experts that get equally many images: 0 leaves it to the gate
    #[arg(long, default_value_t = 0.01)]
    balance: f32,
    #[command(flatten)]
    common: Common,
}

const EXPERTS: usize = 8;
/// How many of them run for an image.
const CHOSEN: usize = 2;

#[module]
struct Net {
    first: Linear<64, 32>,
    mixture: MixtureOfExperts<32, 64, EXPERTS, CHOSEN>,
    out: Linear<32, 10>,
}

#[differentiable]
impl Net {
    fn features(&self, x: &Tensor![Batch, 64]) -> Tensor![Batch, 32] {
        self.first.forward(x).relu()
    }

    /// The logits of the digits, and how uneven the load of the experts is: 1 if it is even.
    fn forward(&self, x: &Tensor![Batch, 64]) -> (Tensor![Batch, 10], Tensor![]) {
        let h = self.features(x);
        let (mixed, uneven) = self.mixture.forward(&h);
        (self.out.forward(&(h + mixed)), uneven)
    }

    /// Without the second part a gate soon sends all images to the experts that it liked first, and the others never
    /// learn.
    fn loss(&self, x: &Tensor![Batch, 64], y: &Tensor![i64; Batch], balance: f32) -> Tensor![] {
        let (logits, uneven) = self.forward(x);
        logits.cross_entropy(y) + uneven * balance
    }
}

impl Net {
    /// The share of each digit's images that each expert gets, `[10, EXPERTS]`.
    fn shares(&self, x: &Tensor![Batch, 64], y: &Tensor![i64; Batch]) -> Vec<f32> {
        let scores = self.mixture.gate.forward(&self.features(x));
        let (_, chosen) = scores.topk::<-1, CHOSEN>();
        let (mut shares, mut images) = (vec![0.0; 10 * EXPERTS], [0.0; 10]);
        for (experts, digit) in chosen.to_vec().chunks(CHOSEN).zip(y.to_vec()) {
            images[digit as usize] += 1.0;
            for e in experts {
                shares[digit as usize * EXPERTS + *e as usize] += 1.0;
            }
        }
        for (i, share) in shares.iter_mut().enumerate() {
            *share /= images[i / EXPERTS];
        }
        shares
    }
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let common = &args.common;
    let data = digits()?;
    let mut net = Net::new(&mut Seeds::new(common.seed));
    let mut opt = Adam::new(2e-3);
    let batches = Batches::new(data.train.len(), 64).seed(common.seed);
    let plan = Plan {
        program: "moe",
        unit: "epoch",
        measure: "loss",
        length: common.length(args.epochs, 30, 10),
    };
    common.train(&plan, &mut net, &mut opt, |net, opt, epoch: &mut Step| {
        let mut sum = 0.0;
        for rows in &batches.epoch(epoch.index) {
            let own = epoch.share(rows);
            let (x, y) = data.train.batch(own, Batch)?;
            let (loss, grad) = net.loss_value_and_grad(&x, &y, args.balance);
            opt.step(net, &grad);
            sum += f64::from(loss.item()) * rows.len() as f64;
        }
        Ok(sum / data.train.len() as f64)
    })?;

    let (x, y) = data.test.all(Batch)?;
    if let Some(path) = common.file("moe.png") {
        let rows: Vec<String> = (0..10).map(|d| format!("digit {d}")).collect();
        let columns: Vec<String> = (1..=EXPERTS).map(|e| format!("expert {e}")).collect();
        pictures::heat_map(&path, &net.shares(&x, &y), &rows, &columns)?;
    }
    let reached = accuracy(&net.forward(&x).0, &y);
    common.report("test accuracy", reached, Goal::AtLeast(0.93))
}
