//! Layers whose matrices are divided among the ranks: each has some columns of one and the same rows of the next.
//!
//! `cargo run --release --example tensor_parallel` runs two ranks as threads;
//! `mpirun -n 4 target/release/examples/tensor_parallel` four processes, in a build with `--features mpi`.

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::{Result, ensure};
use clap::Parser;
use differentiable::data::{InMemory, Loader};
use differentiable::dist::{ColumnLinear, Ranks, RowLinear};
use differentiable::nn::*;
use differentiable::optim::{Adam, Optimizer};
use differentiable::prelude::*;
use std::process::ExitCode;
use support::data::{Batch, accuracy, digits};
use support::{Common, Goal, by_ranks};

/// Learns handwritten digits with layers that are divided among ranks, and prints the accuracy on test images.
#[derive(Debug, Parser)]
#[command(name = "tensor_parallel")]
struct Args {
    /// How often the images are seen [default: 20]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    epochs: Option<u64>,
    /// Without a launcher: how many threads are ranks
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    threads: u8,
    #[command(flatten)]
    common: Common,
}

/// Of 256 hidden units each rank has a part; input and output are the same on all ranks.
#[derive(Clone, Differentiable, Module)]
struct Net {
    hidden: ColumnLinear<64, 256>,
    out: RowLinear<256, 10>,
}

#[differentiable]
impl Net {
    fn logits(&self, x: &Tensor![Batch, 64]) -> Tensor![Batch, 10] {
        self.out.forward(&self.hidden.forward(x).relu())
    }

    fn loss(&self, #[constant] x: &Tensor![Batch, 64], y: &Tensor![i64; Batch]) -> Tensor![] {
        self.logits(x).cross_entropy(y)
    }
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let accuracy = by_ranks(args.threads.into(), |ranks| train(args, ranks))?;
    args.common
        .report("test accuracy", accuracy, Goal::AtLeast(0.93))
}

fn train(args: &Args, ranks: &Ranks) -> Result<f64> {
    let common = &args.common;
    let data = digits()?;
    let rows = InMemory::new(data.train.all(Batch)?)?;
    let loader = Loader::new(&rows, 64).shuffle(common.seed).stack(Batch);

    // Each rank draws the whole layers and keeps its part, so the number of ranks changes nothing.
    let seeds = &mut Seeds::new(common.seed);
    let mut net = Net {
        hidden: ColumnLinear::new(seeds, ranks),
        out: RowLinear::new(seeds, ranks),
    };
    let mut adam = Adam::new(2e-3);
    for epoch in 0..common.length(args.epochs, 20, 8) {
        let mut sum = 0.0;
        // All ranks see all rows.
        for (x, y) in loader.epoch(epoch) {
            let (loss, grad) = net.loss_value_and_grad(&x, &y);
            adam.step(&mut net, &grad);
            sum += f64::from(loss.item()) / loader.len() as f64;
        }
        if ranks.is_first() {
            let own = net.num_params();
            eprintln!(
                "epoch {:>2}  loss {sum:.4}  {own} parameters on each of {} ranks",
                epoch + 1,
                ranks.size()
            );
        }
    }

    let (x, y) = data.test.all::<_, 64>(Batch)?;
    let together = accuracy(&net.logits(&x), &y);
    // The parts make ordinary layers.
    let (hidden, out) = (net.hidden.whole()?, net.out.whole()?);
    let alone = accuracy(&out.forward(&hidden.forward(&x).relu()), &y);
    ensure!(
        (together - alone).abs() < 5e-3,
        "divided {together}, whole {alone}"
    );
    Ok(together)
}
