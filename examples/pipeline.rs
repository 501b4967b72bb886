//! A network in stages, one on each rank: while one computes a part of a batch, the others compute other parts.
//!
//! `cargo run --release --example pipeline` runs three stages as threads;
//! `mpirun -n 4 target/release/examples/pipeline` four processes, in a build with `--features mpi`.

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::{Result, ensure};
use clap::Parser;
use differentiable::ad::Tangent;
use differentiable::data::Batches;
use differentiable::dist::{Inputs, Pipeline, Ranks, Schedule};
use differentiable::nn::*;
use differentiable::optim::{Adam, Optimizer};
use differentiable::prelude::*;
use std::process::ExitCode;
use support::data::{Batch, accuracy, digits};
use support::{Common, Goal, by_ranks};

/// Learns handwritten digits by a pipeline of stages, and prints the accuracy on test images.
#[derive(Debug, Parser)]
#[command(name = "pipeline")]
struct Args {
    /// How many parts a batch of 64 images has
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=64))]
    parts: u8,
    /// All parts forward, then all back; or each back as soon as it can
    #[arg(long)]
    gpipe: bool,
    /// How often the images are seen [default: 20]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    epochs: Option<u64>,
    /// Without a launcher: how many threads are ranks
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..))]
    threads: u8,
    #[command(flatten)]
    common: Common,
}

const WIDTH: usize = 48;
type Hidden = Tensor![Batch, { WIDTH }];

/// What a stage computes: pixels to features, features to features, features to the loss.
#[differentiable]
fn first(layer: &Linear<64, WIDTH>, #[constant] x: &Tensor![Batch, 64]) -> Hidden {
    layer.forward(x).relu()
}

#[differentiable]
fn middle(layer: &Linear<WIDTH, WIDTH>, h: &Hidden) -> Hidden {
    h + layer.forward(h).relu()
}

#[differentiable]
fn last(layer: &Linear<WIDTH, 10>, h: &Hidden, y: &Tensor![i64; Batch]) -> Tensor![] {
    layer.forward(h).cross_entropy(y)
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let accuracy = by_ranks(args.threads.into(), |ranks| {
        ensure!(
            ranks.size() > 1,
            "a pipeline has at least two stages: start two ranks or more"
        );
        train(args, ranks)
    })?;
    args.common
        .report("test accuracy", accuracy, Goal::AtLeast(0.93))
}

/// One stage, with its optimiser.
enum Stage {
    First(Linear<64, WIDTH>),
    Middle(Linear<WIDTH, WIDTH>),
    Last(Linear<WIDTH, 10>),
}

fn train(args: &Args, ranks: &Ranks) -> Result<f64> {
    let (common, parts) = (&args.common, usize::from(args.parts));
    let data = digits()?;
    let batches = Batches::new(data.train.len(), 64)
        .seed(common.seed)
        .drop_last();
    let schedule = match args.gpipe {
        true => Schedule::GPipe,
        false => Schedule::OneForwardOneBack,
    };
    let pipeline = Pipeline::new(ranks, parts).schedule(schedule);
    let seeds = &mut Seeds::new(common.seed.wrapping_add(ranks.rank() as u64));
    let mut stage = match ranks.rank() {
        0 => Stage::First(Linear::new(seeds)),
        r if r + 1 == ranks.size() => Stage::Last(Linear::new(seeds)),
        _ => Stage::Middle(Linear::new(seeds)),
    };
    let mut adam = Adam::new(2e-3);
    for epoch in 0..common.length(args.epochs, 20, 10) {
        let mut sum = 0.0;
        for rows in &batches.epoch(epoch) {
            let chunks = rows.chunks(rows.len().div_ceil(parts));
            let part = |rows: &[usize]| data.train.batch::<_, 64>(rows, Batch);
            match &mut stage {
                Stage::First(layer) => {
                    let images = chunks
                        .map(|rows| Ok(part(rows)?.0))
                        .collect::<Result<Vec<_>>>()?;
                    let mut grad = layer.zero_tangent();
                    pipeline.first(
                        |at| first::vjp(layer, &images[at]),
                        |pullback, ct| grad = grad.clone().add(pullback(ct)),
                    )?;
                    adam.step(layer, &grad);
                }
                Stage::Middle(layer) => {
                    let (inputs, mut grad) = (Inputs::new(parts), layer.zero_tangent());
                    pipeline.middle(
                        &inputs,
                        |_, h| middle::vjp(layer, h),
                        |pullback, ct| {
                            let (of_layer, of_h) = pullback(ct);
                            grad = grad.clone().add(of_layer);
                            of_h
                        },
                    )?;
                    adam.step(layer, &grad);
                }
                Stage::Last(layer) => {
                    let labels = chunks
                        .map(|rows| Ok(part(rows)?.1))
                        .collect::<Result<Vec<_>>>()?;
                    let (inputs, mut grad) = (Inputs::new(parts), layer.zero_tangent());
                    pipeline.last(
                        &inputs,
                        |at, h| last::vjp(layer, h, &labels[at]),
                        |loss, pullback| {
                            sum += f64::from(loss.item()) / parts as f64;
                            // The loss of the batch is the mean of those of its parts.
                            let (of_layer, of_h) = pullback(Tensor::full(1.0 / parts as f32));
                            grad = grad.clone().add(of_layer);
                            of_h
                        },
                    )?;
                    adam.step(layer, &grad);
                }
            }
        }
        if let Stage::Last(_) = stage {
            let loss = sum / batches.len() as f64;
            eprintln!(
                "epoch {:>2}  loss {loss:.4}  through {} stages",
                epoch + 1,
                ranks.size()
            );
        }
    }
    test(&stage, ranks, &data.test)
}

/// The accuracy on test images, which travel through the stages once.
fn test(stage: &Stage, ranks: &Ranks, test: &differentiable::data::Labelled) -> Result<f64> {
    use differentiable::dist::Message;
    const TAG: u16 = 1;
    let (me, next) = (ranks.rank(), ranks.rank() + 1);
    let (x, y) = test.all::<_, 64>(Batch)?;
    let found = match stage {
        Stage::First(layer) => {
            first(layer, &x).send(ranks, next, TAG)?;
            0.0
        }
        Stage::Middle(layer) => {
            let h = Hidden::receive(ranks, me - 1, TAG)?;
            middle(layer, &h).send(ranks, next, TAG)?;
            0.0
        }
        Stage::Last(layer) => {
            let h = Hidden::receive(ranks, me - 1, TAG)?;
            accuracy(&layer.forward(&h), &y)
        }
    };
    Ok(ranks.sum(found)?) // all but one have 0
}
