//! Data parallel training with a loop of one's own: each rank computes its rows of every batch, and all take the same step.
//!
//! `cargo run --release --example data_parallel` runs two ranks as threads;
//! `mpirun -n 4 target/release/examples/data_parallel` four processes, in a build with `--features mpi`.

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::{Result, ensure};
use clap::Parser;
use differentiable::data::{InMemory, Loader, Share};
use differentiable::dist::{DataParallel, Ranks};
use differentiable::nn::*;
use differentiable::optim::{Adam, Optimizer};
use differentiable::prelude::*;
use std::process::ExitCode;
use support::data::{Batch, accuracy, digits};
use support::{Common, Goal, by_ranks};

/// Learns handwritten digits by several ranks, and prints the accuracy on test images.
#[derive(Debug, Parser)]
#[command(name = "data_parallel")]
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

#[module]
struct Net {
    hidden: Linear<64, 64>,
    out: Linear<64, 10>,
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

    let mut net = Net::new(&mut Seeds::new(common.seed));
    let mut adam = Adam::new(2e-3);
    let mut parallel = DataParallel::new(ranks);
    parallel.share(&mut net)?; // all ranks begin with the parameters of rank 0
    for epoch in 0..common.length(args.epochs, 20, 8) {
        let (mut sum, mut count) = (0.0, 0);
        // This rank's part of each batch; it may be empty.
        for part in loader.shared(epoch, 0, Share::of(ranks)) {
            let part = part?;
            let n = part.as_ref().map_or(0, |(_, y)| y.len());
            // The gradient of the last layer travels while that of the first is computed.
            let (loss, grad) = parallel.value_and_grad(n, || match &part {
                Some((x, y)) => net.loss_value_and_grad(x, y),
                None => (Tensor::zeros(), net.zero_tangent()),
            })?;
            adam.step(&mut net, &grad);
            sum += f64::from(loss.item()) * n as f64;
            count += n;
        }
        let mean = parallel.mean_of(&[sum / count.max(1) as f64], count)?[0];
        if ranks.is_first() {
            eprintln!(
                "epoch {:>2}  loss {mean:.4}  on {} ranks",
                epoch + 1,
                ranks.size()
            );
        }
    }

    // The same steps from the same parameters: nothing has drifted apart.
    let sum = f64::from(net.hidden.weight.sum().item());
    let all = ranks.gather_all(&[sum])?.concat();
    ensure!(
        all.iter().all(|x| *x == sum),
        "the ranks have different parameters: {all:?}"
    );
    let (x, y) = data.test.all::<_, 64>(Batch)?;
    Ok(accuracy(&net.logits(&x), &y))
}
