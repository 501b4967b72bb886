//! A parameter server: rank 0 has the parameters, the other ranks compute gradients of what they last saw of them.
//!
//! `cargo run --release --example parameter_server` runs a server and three workers as threads;
//! `mpirun -n 4 target/release/examples/parameter_server` as processes, in a build with `--features mpi`.

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::{Result, ensure};
use clap::{Parser, ValueEnum};
use differentiable::dist::{Ranks, Serve, Worker};
use differentiable::nn::*;
use differentiable::optim::Sgd;
use differentiable::prelude::*;
use std::process::ExitCode;
use support::data::{Batch, accuracy, digits};
use support::{Common, Goal, by_ranks};

/// Learns handwritten digits by a parameter server and its workers, and prints the accuracy on test images and how old gradients were.
#[derive(Debug, Parser)]
#[command(name = "parameter_server")]
struct Args {
    /// When the server takes a step
    #[arg(long, value_enum, default_value_t = When::Each)]
    step: When,
    /// How many gradients each worker computes [default: 400]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    gradients: Option<u64>,
    /// Without a launcher: how many threads are ranks
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..))]
    threads: u8,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum When {
    /// With each gradient, as it comes
    Each,
    /// With the mean of the gradients of all workers
    All,
    /// With the mean of all but the slowest, whose gradient is dropped
    AllButOne,
}

#[module]
struct Net {
    hidden: Linear<64, 32>,
    out: Linear<32, 10>,
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
    let found = by_ranks(args.threads.into(), |ranks| {
        ensure!(
            ranks.size() > 1,
            "a server has at least one worker: start two ranks or more"
        );
        match ranks.is_first() {
            true => serve(args, ranks),
            false => work(args, ranks).map(|()| f64::NAN),
        }
    })?;
    if !found.is_nan() {
        args.common
            .report("test accuracy", found, Goal::AtLeast(0.9))?;
    }
    Ok(())
}

fn serve(args: &Args, ranks: &Ranks) -> Result<f64> {
    let mut net = Net::new(&mut Seeds::new(args.common.seed));
    let mut sgd = Sgd::new(0.1).momentum(0.5);
    let server = match args.step {
        When::Each => Serve::asynchronous(ranks),
        When::All => Serve::synchronous(ranks, 0),
        When::AllButOne => Serve::synchronous(ranks, 1),
    };
    let served = server.run(&mut net, &mut sgd)?;
    let age = served.mean_staleness();
    eprintln!(
        "{} steps, {} gradients dropped",
        served.steps, served.dropped
    );
    eprintln!(
        "a gradient was {age:.2} steps old in the mean, {} at most",
        served.max_staleness()
    );
    let (x, y) = digits()?.test.all::<_, 64>(Batch)?;
    Ok(accuracy(&net.logits(&x), &y))
}

fn work(args: &Args, ranks: &Ranks) -> Result<()> {
    let common = &args.common;
    let data = digits()?.train;
    // What this worker draws.
    let seeds = &mut Seeds::new(common.seed.wrapping_add(ranks.rank() as u64));
    let mut net = Net::new(&mut Seeds::new(0));
    let mut worker = Worker::new(ranks, &mut net)?;
    for _ in 0..common.length(args.gradients, 400, 150) {
        let rows: Vec<usize> = (0..32)
            .map(|_| seeds.next_seed() as usize % data.len())
            .collect();
        let (x, y) = data.batch(&rows, Batch)?;
        let grad = net.loss_grad(&x, &y);
        worker.step(&mut net, grad, rows.len())?;
    }
    worker.finish();
    Ok(())
}
