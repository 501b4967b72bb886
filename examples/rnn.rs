//! Adds binary numbers, digit by digit from the right, as one does on paper: many inputs, many outputs.
//!
//! A recurrent layer (Elman 1990) sees one digit of both numbers at a time and says one digit of the sum. What it has to
//! learn is to remember the carry. It learns from numbers of 8 digits; if it has found the rule, it can add longer ones.
//!
//! `cargo run --release --example rnn -- --help`

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::Result;
use clap::Parser;
use differentiable::nn::*;
use differentiable::optim::{Adam, Optimizer, clip_grad_norm};
use differentiable::prelude::*;
use std::process::ExitCode;
use support::data::{Batch, Time};
use support::{Common, Goal, Plan, Step, pictures};

/// Learns to add binary numbers of 8 digits, and draws into the folder of --out what it remembers while it adds. Prints
/// the share of 200 sums of numbers of 24 digits that are right in each digit.
#[derive(Debug, Parser)]
#[command(name = "rnn")]
struct Args {
    /// Training steps of 64 sums, those of a resumed run included [default: 2000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    #[command(flatten)]
    common: Common,
}

const SHORT: usize = 8;
const LONG: usize = 24;
const UNITS: usize = 12;

#[module]
struct Adder {
    rnn: Rnn<2, UNITS>,
    out: Linear<UNITS, 2>,
}

/// Digits of both numbers, from the right.
type Digits = Tensor![Time, Batch, 2];
/// Digits of their sum.
type Sums = Tensor![i64; Time, Batch];

#[differentiable]
impl Adder {
    /// What the layer remembers after each digit.
    fn memory(&self, x: &Tensor![Time, Batch, 2]) -> Tensor![Time, Batch, { UNITS }] {
        let mut state: RnnState<UNITS> = no_grad!(RnnState::zeros());
        self.rnn.forward(x, &mut state)
    }

    /// The logits of 0 and 1 for each digit of the sum.
    fn forward(&self, x: &Tensor![Time, Batch, 2]) -> Tensor![Time, Batch, 2] {
        self.out.forward(&self.memory(x))
    }

    fn loss(&self, x: &Tensor![Time, Batch, 2], y: &Tensor![i64; Time, Batch]) -> Tensor![] {
        self.forward(x).cross_entropy(y)
    }
}

/// Sums of pairs of numbers below `2^(digits − 1)`, so that the sum has no more digits than there are.
fn sums(pairs: &[(u64, u64)], digits: usize) -> (Digits, Sums) {
    let (time, batch) = (Time(digits), Batch(pairs.len()));
    let digit = |number: u64, place: usize| number >> place & 1;
    let x = Tensor::from_fn_with((time, batch, Sz), |i| {
        let (place, pair) = (i / 2 / pairs.len(), pairs[i / 2 % pairs.len()]);
        digit(if i % 2 == 0 { pair.0 } else { pair.1 }, place) as f32
    });
    let y = Tensor::from_fn_with((time, batch), |i| {
        let (a, b) = pairs[i % pairs.len()];
        digit(a + b, i / pairs.len()) as i64
    });
    (x, y)
}

/// Random pairs of numbers of a length.
fn pairs(count: usize, digits: usize, seeds: &mut Seeds) -> Vec<(u64, u64)> {
    let mut number = || seeds.next_seed() >> (64 - (digits - 1));
    (0..count).map(|_| (number(), number())).collect()
}

impl Adder {
    /// How many of the sums are right in each digit.
    fn right(&self, x: &Digits, y: &Sums) -> usize {
        let batch = y.dims()[1];
        let (found, truth) = (self.forward(x).argmax::<2>().to_vec(), y.to_vec());
        let digits = || found.iter().zip(&truth).enumerate();
        let exact = |b: &usize| digits().all(|(i, (f, t))| i % batch != *b || f == t);
        (0..batch).filter(exact).count()
    }
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let common = &args.common;
    let mut net = Adder::new(&mut Seeds::new(common.seed));
    let mut opt = Adam::new(5e-3);
    let plan = Plan {
        program: "rnn",
        unit: "step",
        measure: "loss",
        length: common.length(args.steps, 2000, 1200),
    };
    common.train(&plan, &mut net, &mut opt, |net, opt, step: &mut Step| {
        let (x, y) = sums(&pairs(64, SHORT, &mut step.seeds), SHORT);
        let (loss, grad) = net.loss_value_and_grad(&x, &y);
        opt.step(net, &clip_grad_norm(grad, 1.0).0);
        Ok(f64::from(loss.item()))
    })?;

    let shown = [(0b0011_0110_u64, 0b0101_1011_u64)];
    let (x, _) = sums(&shown, SHORT);
    let found = net.forward(&x).argmax::<2>().to_vec();
    let sum: u64 = found
        .iter()
        .enumerate()
        .map(|(i, d)| (*d as u64) << i)
        .sum();
    let text = format!("  {:08b}\n+ {:08b}\n= {sum:08b}", shown[0].0, shown[0].1);
    common.show("rnn.txt", &text)?;
    if let Some(path) = common.file("rnn.png") {
        // A row for each unit, a column for each digit: what its output is, from −1 to 1.
        let memory = net.memory(&x).to_vec();
        let at = |i: usize| memory[i % SHORT * UNITS + i / SHORT];
        let values: Vec<f32> = (0..UNITS * SHORT).map(|i| 0.5 + 0.5 * at(i)).collect();
        let rows: Vec<String> = (1..=UNITS).map(|u| format!("unit {u}")).collect();
        let digit = |i: usize| format!("{}+{}", shown[0].0 >> i & 1, shown[0].1 >> i & 1);
        let columns: Vec<String> = (0..SHORT).map(digit).collect();
        pictures::heat_map(&path, &values, &rows, &columns)?;
    }
    let (x, y) = sums(&pairs(200, LONG, &mut Seeds::new(!common.seed)), LONG);
    let share = net.right(&x, &y) as f64 / 200.0;
    common.report("exact sums of 24 digits", share, Goal::AtLeast(0.9))
}
