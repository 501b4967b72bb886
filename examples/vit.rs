//! A vision transformer (Dosovitskiy et al. 2021) reads handwritten digits: an image is 16 squares of 2 by 2 pixels, which
//! attend to one another as words do.
//!
//! `cargo run --release --example vit -- --help`

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::Result;
use clap::Parser;
use differentiable::data::Batches;
use differentiable::nn::*;
use differentiable::optim::{AdamW, Optimizer};
use differentiable::prelude::*;
use std::process::ExitCode;
use support::data::{Batch, accuracy, digits};
use support::{Common, Goal, Plan, Step, pictures};

/// Learns handwritten digits with a transformer, and draws into the folder of --out where it looks: below each image, the
/// weights of its squares when the network decides. Prints the share of test images that are recognised.
#[derive(Debug, Parser)]
#[command(name = "vit")]
struct Args {
    /// How often the images are seen, a resumed run included [default: 30]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    epochs: Option<u64>,
    #[command(flatten)]
    common: Common,
}

#[module]
struct Vit {
    patches: PatchEmbedding<1, 2, 16, 48>,
    /// Stands before the squares; what becomes of it decides.
    #[init(Tensor::randn(seeds.next_seed()) * 0.02)]
    class: Tensor![1, 48],
    /// Tells the squares apart: attention itself knows no places.
    #[init(Tensor::randn(seeds.next_seed()) * 0.02)]
    places: Tensor![17, 48],
    #[init(Encoder::new(seeds, 3, 0.1))]
    encoder: Encoder<48, 4, 12, 96>,
    head: Linear<48, 10>,
}

#[differentiable]
impl Vit {
    /// The class and the squares, as vectors.
    fn enter(&self, x: &Tensor![Batch, 64]) -> Tensor![Batch, 17, 48] {
        let squares = self.patches.forward(&x.reshape::<shape![Batch, 1, 8, 8]>());
        let class = self
            .class
            .unsqueeze::<0>()
            .expand::<0, _>(no_grad!(x.shape().0));
        class.concat::<1, _>(&squares) + &self.places
    }

    /// The logits of the digits.
    fn forward(&self, x: &Tensor![Batch, 64], ctx: &mut Ctx) -> Tensor![Batch, 10] {
        let h = self.encoder.forward(&self.enter(x), &Keys::All, ctx);
        self.head.forward(&h.index::<1>(0))
    }

    fn loss(&self, x: &Tensor![Batch, 64], y: &Tensor![i64; Batch], ctx: &mut Ctx) -> Tensor![] {
        self.forward(x, ctx).cross_entropy(y)
    }
}

impl Vit {
    /// How much the class looks at each square in the last block, the mean over its heads, as images of 8 by 8 pixels.
    /// The square that it looks at most is 1.
    fn attention(&self, x: &Tensor![Batch, 64]) -> Vec<f32> {
        let ctx = &mut Ctx::eval();
        let blocks = &self.encoder.layers;
        let (last, before) = blocks.split_last().expect("three blocks");
        let mut h = self.enter(x);
        for block in before {
            h = block.forward(&h, &Keys::All, ctx);
        }
        let h = last.norm1.forward(&h);
        let (_, weights) = last.attention.forward_with_weights(&h, &h, &Keys::All);
        let weights = weights.mean_axis::<1>().index::<1>(0).to_vec();
        let image = |row: &[f32]| {
            let squares = &row[1..];
            let most = squares.iter().copied().fold(0.0, f32::max);
            let pixel = |i: usize| squares[i / 16 * 4 + i % 8 / 2] / most;
            (0..64).map(pixel).collect::<Vec<f32>>()
        };
        weights.chunks(17).flat_map(image).collect()
    }
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let common = &args.common;
    let data = digits()?;
    let mut net = Vit::new(&mut Seeds::new(common.seed));
    let mut opt = AdamW::new(1e-3);
    let batches = Batches::new(data.train.len(), 64).seed(common.seed);
    let plan = Plan {
        program: "vit",
        unit: "epoch",
        measure: "loss",
        length: common.length(args.epochs, 30, 10),
    };
    common.train(&plan, &mut net, &mut opt, |net, opt, epoch: &mut Step| {
        let mut ctx = Ctx::train(net, epoch.seeds.next_seed());
        let mut sum = 0.0;
        for rows in &batches.epoch(epoch.index) {
            let own = epoch.share(rows);
            let (x, y) = data.train.batch(own, Batch)?;
            let (loss, grad) = net.loss_value_and_grad(&x, &y, &mut ctx);
            opt.step(net, &grad);
            sum += f64::from(loss.item()) * rows.len() as f64;
        }
        Ok(sum / data.train.len() as f64)
    })?;

    let (x, y) = data.test.all::<_, 64>(Batch)?;
    if let Some(path) = common.file("vit.png") {
        let seen: Tensor![Batch, 64] = x.narrow::<0, _>(0, Batch(20));
        let (weights, seen) = (net.attention(&seen), seen.to_vec());
        let row = 10 * 64;
        let all = [&seen[..row], &weights[..row], &seen[row..], &weights[row..]];
        pictures::images(&path, &all.concat(), 8, 10, &[])?;
    }
    let reached = accuracy(&net.forward(&x, &mut Ctx::eval()), &y);
    common.report("test accuracy", reached, Goal::AtLeast(0.4))
}
