//! What a data parallel step costs by many ranks: measures all-reduce and a step on the ranks that run it, and predicts the step for
//! up to 1024.
//!
//! `cargo run --release --example scaling` measures two threads;
//! `mpirun -n 2 target/release/examples/scaling` two processes, in a build with `--features mpi`.
//! `--threads 1 --latency 5 --bandwidth 50 --compute 300 --parameters 350e6` measures nothing, and predicts from these numbers.

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::{Context, Result};
use clap::Parser;
use differentiable::dist::{Call, Collective, DataParallel, Numbers, Pending, Ranks, Reduce};
use differentiable::nn::*;
use differentiable::prelude::*;
use std::process::ExitCode;
use std::time::Instant;
use support::data::Batch;
use support::{Common, Goal, by_ranks};

/// Measures all-reduce and a data parallel step, and predicts the step for 1 to 1024 ranks.
#[derive(Debug, Parser)]
#[command(name = "scaling")]
struct Args {
    /// Without a launcher: how many threads are ranks
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    threads: u8,
    /// Microseconds of a message between two ranks [default: measured]
    #[arg(long)]
    latency: Option<f64>,
    /// Gigabytes a second that a rank sends while it receives as many [default: measured]
    #[arg(long)]
    bandwidth: Option<f64>,
    /// Milliseconds of a step on one rank, without communication [default: measured]
    #[arg(long)]
    compute: Option<f64>,
    /// Numbers of the gradient, four bytes each [default: those of the network that is measured]
    #[arg(long)]
    parameters: Option<f64>,
    /// Megabytes of a bucket of gradients
    #[arg(long, default_value_t = 4.0)]
    bucket: f64,
    /// The fraction of a step that is the reverse pass, during which gradients travel
    #[arg(long, default_value_t = 2.0 / 3.0)]
    reverse: f64,
    #[command(flatten)]
    common: Common,
}

const ROWS: usize = 64;

#[module]
struct Net {
    one: Linear<512, 1024>,
    two: Linear<1024, 1024>,
    out: Linear<1024, 10>,
}

#[differentiable]
impl Net {
    fn loss(&self, #[constant] x: &Tensor![Batch, 512], y: &Tensor![i64; Batch]) -> Tensor![] {
        let hidden = self.two.forward(&self.one.forward(x).relu()).relu();
        self.out.forward(&hidden).cross_entropy(y)
    }
}

/// The time of messages: `latency` seconds each, and `per_byte` for each byte.
#[derive(Clone, Copy, Debug)]
struct Link {
    latency: f64,
    per_byte: f64,
}

impl Link {
    /// An all-reduce whose ranks stand in a ring: `2(n − 1)` messages one after the other (Patarasuk and Yuan 2009).
    fn ring(self, n: f64, bytes: f64) -> f64 {
        self.all_reduce(2.0 * (n - 1.0), n, bytes)
    }

    /// An all-reduce that halves and doubles what it sends, in `2 log n` messages (Rabenseifner 2004).
    fn halving(self, n: f64, bytes: f64) -> f64 {
        self.all_reduce(2.0 * n.log2().ceil(), n, bytes)
    }

    fn all_reduce(self, messages: f64, n: f64, bytes: f64) -> f64 {
        messages * self.latency + 2.0 * (n - 1.0) / n * bytes * self.per_byte
    }

    /// The straight line through times of all-reduce by `n` ranks with the least sum of squares of relative errors. For 2 ranks both
    /// kinds of all-reduce have as many messages.
    fn fit(n: f64, times: &[(f64, f64)]) -> Self {
        // Of a + c·bytes: the normal equations, each row divided by its time.
        let sum = |f: &dyn Fn(f64, f64) -> f64| times.iter().map(|(b, t)| f(*b, *t)).sum::<f64>();
        let (aa, ac, cc) = (
            sum(&|_, t| 1.0 / (t * t)),
            sum(&|b, t| b / (t * t)),
            sum(&|b, t| b * b / (t * t)),
        );
        let (a, c) = (sum(&|_, t| 1.0 / t), sum(&|b, t| b / t));
        let det = aa * cc - ac * ac;
        let (start, slope) = ((a * cc - c * ac) / det, (c * aa - a * ac) / det);
        Link {
            latency: (start / (2.0 * (n - 1.0))).max(0.0),
            per_byte: (slope * n / (2.0 * (n - 1.0))).max(0.0),
        }
    }
}

/// A step on one rank, and what it sends.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Without communication, in seconds.
    compute: f64,
    /// Of the gradient.
    bytes: f64,
    /// That are sent together.
    bucket: f64,
    /// The part of `compute` during which gradients travel.
    reverse: f64,
}

impl Step {
    /// All buckets, and two single numbers: the rows of all ranks, and whether a tensor changed after it was sent.
    fn communication(self, all_reduce: impl Fn(f64) -> f64) -> f64 {
        let full = (self.bytes / self.bucket).floor();
        let rest = self.bytes - full * self.bucket;
        full * all_reduce(self.bucket) + all_reduce(rest) + 2.0 * all_reduce(8.0)
    }

    fn one_after_the_other(self, all_reduce: impl Fn(f64) -> f64) -> f64 {
        self.compute + self.communication(all_reduce)
    }

    /// The last bucket leaves when the reverse pass ends; the others before, as far as there is time.
    fn overlapped(self, all_reduce: impl Fn(f64) -> f64 + Copy) -> f64 {
        let last = all_reduce(self.bytes.min(self.bucket));
        let rest = self.communication(all_reduce) - self.reverse * self.compute;
        self.compute + rest.max(last)
    }
}

/// Ranks whose calls take no time: what a step costs beside them.
struct Free;

impl Collective for Free {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        2
    }

    fn start(&self, call: Call) -> Pending {
        Pending::done(Ok(match call {
            Call::AllReduce(x, _) | Call::Broadcast(x, _) => x,
            _ => Numbers::U8(Vec::new()),
        }))
    }

    fn abort(&self, _: &str) {}
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let ratio = by_ranks(args.threads.into(), |ranks| measure(args, ranks))?;
    match ratio {
        Some(ratio) => args.common.report(
            "overlapped step, measured by predicted",
            ratio,
            Goal::AtLeast(0.0),
        ),
        None => Ok(()),
    }
}

/// The median times of calls in seconds, on the slowest rank. All ranks begin each call together. The calls take turns, so that what
/// else the machine does slows all of them down.
fn medians<const N: usize>(
    ranks: &Ranks,
    count: usize,
    mut calls: [&mut dyn FnMut() -> Result<()>; N],
) -> Result<[f64; N]> {
    let mut times = [const { Vec::new() }; N];
    for at in 0..count + 3 {
        for (call, times) in calls.iter_mut().zip(&mut times) {
            ranks.barrier()?;
            let start = Instant::now();
            call()?;
            // The first calls find their memory and threads.
            if at >= 3 {
                times.push(start.elapsed().as_secs_f64());
            }
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[count / 2]
    };
    let own = Numbers::F64(times.map(median).to_vec());
    let slowest: Vec<f64> = ranks.all_reduce(own, Reduce::Max).wait_for()?;
    Ok(std::array::from_fn(|at| slowest[at]))
}

/// Measures on these ranks what the command line does not say, prints the table on the first one, and returns the measured time of a
/// step by the predicted one.
fn measure(args: &Args, ranks: &Ranks) -> Result<Option<f64>> {
    let n = ranks.size() as f64;
    let count = if args.common.smoke { 5 } else { 101 };
    let first = ranks.is_first();

    let mut times = Vec::new();
    for len in [16, 1 << 10, 1 << 14, 1 << 18, 1 << 20, 1 << 22] {
        if ranks.size() == 1 {
            break;
        }
        let mut call = || {
            let x = Numbers::F32(vec![1.0; len]);
            ranks.all_reduce(x, Reduce::Sum).wait()?;
            Ok(())
        };
        let [time] = medians(ranks, count, [&mut call])?;
        times.push((4.0 * len as f64, time));
    }
    let found = (!times.is_empty()).then(|| Link::fit(n, &times));
    let missing = "one rank alone cannot measure it: start two, or give --latency and --bandwidth";
    let link = Link {
        latency: match args.latency {
            Some(us) => us * 1e-6,
            None => found.context(missing)?.latency,
        },
        per_byte: match args.bandwidth {
            Some(gb) => 1e-9 / gb,
            None => found.context(missing)?.per_byte,
        },
    };

    let net = Net::new(&mut Seeds::new(args.common.seed));
    let x = Tensor::randn_with((Batch(ROWS), Sz), args.common.seed);
    let y = Tensor::from_fn_with((Batch(ROWS),), |i| i as i64 % 10);
    let parallel =
        |ranks: &Ranks| DataParallel::new(ranks).bucket_bytes((args.bucket * 1e6) as usize);
    let time_of = |mut data: DataParallel| {
        let (net, x, y) = (&net, &x, &y);
        move || {
            data.value_and_grad(ROWS, || net.loss_value_and_grad(x, y))?;
            Ok(())
        }
    };
    let mut alone = time_of(parallel(&Ranks::new(Free)));
    // What the ranks here can do: the step that the command line describes is another one.
    let own = args.compute.is_none() && args.parameters.is_none() && ranks.size() > 1;
    let (compute, measured) = match (args.compute, own) {
        (Some(ms), _) => (ms * 1e-3, None),
        (None, false) => (medians(ranks, count, [&mut alone])?[0], None),
        (None, true) => {
            let mut overlapped = time_of(parallel(ranks));
            let data = parallel(ranks);
            let mut after = || {
                data.mean(net.loss_value_and_grad(&x, &y).1)?;
                Ok(())
            };
            let [compute, after, overlapped] =
                medians(ranks, count, [&mut alone, &mut after, &mut overlapped])?;
            (compute, Some((after, overlapped)))
        }
    };
    let step = Step {
        compute,
        bytes: 4.0 * args.parameters.unwrap_or(net.num_params() as f64),
        bucket: args.bucket * 1e6,
        reverse: args.reverse,
    };

    if first {
        if let Some(found) = found {
            println!("all-reduce of {n} ranks");
            println!("     bytes   measured   by the fit");
            for (bytes, time) in &times {
                let fit = found.ring(n, *bytes);
                println!("{bytes:>10} {:>8.3} ms {:>8.3} ms", time * 1e3, fit * 1e3);
            }
        }
        let (us, gb) = (link.latency * 1e6, 1e-9 / link.per_byte);
        println!("latency {us:.1} us, bandwidth {gb:.2} GB/s");
        let (ms, mb) = (step.compute * 1e3, step.bytes / 1e6);
        println!("a step computes {ms:.2} ms and sends a gradient of {mb:.1} MB");
        println!("                  ring, ms                 halving, ms");
        println!(" ranks      sends     step   share      sends     step   share");
        let kinds: [fn(Link, f64, f64) -> f64; 2] = [Link::ring, Link::halving];
        for exponent in 0..=10 {
            let n = f64::from(1 << exponent);
            print!("{n:>6}");
            for all_reduce in kinds {
                let all_reduce = move |bytes: f64| all_reduce(link, n, bytes);
                let (sends, time) = match exponent {
                    0 => (0.0, step.compute),
                    _ => (step.communication(all_reduce), step.overlapped(all_reduce)),
                };
                let share = step.compute / time;
                print!(" {:>10.2} {:>8.2} {share:>7.3}", sends * 1e3, time * 1e3);
            }
            println!();
        }
    }
    let Some((after, overlapped)) = measured else {
        return Ok(None);
    };
    let ring = move |bytes: f64| link.ring(n, bytes);
    let predicted = (step.one_after_the_other(ring), step.overlapped(ring));
    if first {
        println!("here, by {n} ranks   predicted   measured");
        for (name, predicted, measured) in [
            ("after           ", predicted.0, after),
            ("overlapped      ", predicted.1, overlapped),
        ] {
            let (predicted, measured) = (predicted * 1e3, measured * 1e3);
            println!("{name} {predicted:>9.2} ms {measured:>7.2} ms");
        }
    }
    Ok(Some(overlapped / predicted.1))
}
