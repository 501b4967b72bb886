//! Writes the name of a handwritten digit below its image, letter by letter: one input, many outputs.
//!
//! A convolutional network looks at the image, and what it finds is the state in which an LSTM begins to write (Vinyals et
//! al., *Show and tell*, 2015).
//!
//! `cargo run --release --example caption -- --help`

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::Result;
use clap::Parser;
use differentiable::data::Batches;
use differentiable::nn::*;
use differentiable::optim::{Adam, Optimizer, clip_grad_norm};
use differentiable::prelude::*;
use std::process::ExitCode;
use support::data::{Batch, Time, digits};
use support::{Common, Goal, Plan, Step, pictures};

/// Learns to write the names of handwritten digits, and draws images with their names into the folder of --out. Prints
/// the share of test images whose name is right in each letter.
#[derive(Debug, Parser)]
#[command(name = "caption")]
struct Args {
    /// How often the images are seen, a resumed run included [default: 50]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    epochs: Option<u64>,
    #[command(flatten)]
    common: Common,
}

const NAMES: [&str; 10] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
];
/// Of a name, with a space at its end.
const LONGEST: usize = 6;
/// The space, with which a name begins and ends, and the letters.
const LETTERS: usize = 27;

#[module]
struct Caption {
    conv1: Conv2d<1, 16, 3>,
    conv2: Conv2d<16, 32, 3>,
    h: Linear<128, 64>,
    c: Linear<128, 64>,
    letters: Embedding<LETTERS, 16>,
    lstm: Lstm<16, 64>,
    out: Linear<64, LETTERS>,
}

#[differentiable]
impl Caption {
    /// The state in which the LSTM begins.
    fn look(&self, x: &Tensor![Batch, 64]) -> LstmState<64> {
        let image = x.reshape::<shape![Batch, 1, 8, 8]>();
        let h = self.conv1.forward(&image).relu().max_pool::<2, 2>();
        let h = self.conv2.forward(&h).relu().max_pool::<2, 2>().flatten();
        LstmState::new(&self.h.forward(&h).tanh(), &self.c.forward(&h))
    }

    /// The logits of the letter after each of those that are given.
    fn write(
        &self,
        given: &Tensor![i64; Time, Batch],
        state: &mut LstmState<64>,
    ) -> Tensor![Time, Batch, { LETTERS }] {
        let h = self.lstm.forward(&self.letters.forward(given), state);
        self.out.forward(&h)
    }

    fn loss(
        &self,
        x: &Tensor![Batch, 64],
        given: &Tensor![i64; Time, Batch],
        next: &Tensor![i64; Time, Batch],
    ) -> Tensor![] {
        let mut state = self.look(x);
        self.write(given, &mut state).cross_entropy(next)
    }
}

/// Letters, step by step.
type Letters = Tensor![i64; Time, Batch];

/// The letters of names, and the ones that come before them.
fn spelled(digits: &Tensor![i64; Batch]) -> (Letters, Letters) {
    let digits = digits.to_vec();
    let letters = |shift: usize| {
        Tensor::from_fn_with((Time(LONGEST), Batch(digits.len())), |i| {
            let name = NAMES[digits[i % digits.len()] as usize].as_bytes();
            // Behind the end of the name there are spaces, and one before it.
            let letter = (i / digits.len() + shift).checked_sub(1);
            letter
                .and_then(|l| name.get(l))
                .map_or(0, |c| i64::from(c - b'a' + 1))
        })
    };
    (letters(0), letters(1))
}

impl Caption {
    /// The names that it writes below images: the likeliest letter, again and again.
    fn names(&self, x: &Tensor![Batch, 64]) -> Vec<String> {
        let rows = x.dims()[0];
        let mut state = self.look(x);
        let mut given = vec![0; rows];
        let mut names = vec![String::new(); rows];
        for _ in 0..LONGEST {
            let ids = Tensor::from_fn_with((Time(1), Batch(rows)), |i| given[i]);
            given = self.write(&ids, &mut state).argmax::<2>().to_vec();
            for (name, letter) in names.iter_mut().zip(&given) {
                name.push(if *letter == 0 {
                    ' '
                } else {
                    (*letter as u8 - 1 + b'a') as char
                });
            }
        }
        for name in &mut names {
            name.truncate(name.find(' ').unwrap_or(LONGEST));
        }
        names
    }
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let common = &args.common;
    let data = digits()?;
    let mut net = Caption::new(&mut Seeds::new(common.seed));
    let mut opt = Adam::new(4e-3);
    let batches = Batches::new(data.train.len(), 64).seed(common.seed);
    let plan = Plan {
        program: "caption",
        unit: "epoch",
        measure: "loss",
        length: common.length(args.epochs, 50, 25),
    };
    common.train(&plan, &mut net, &mut opt, |net, opt, epoch: &mut Step| {
        let mut sum = 0.0;
        for rows in &batches.epoch(epoch.index) {
            let own = epoch.share(rows);
            let (x, y) = data.train.batch(own, Batch)?;
            let (given, next) = spelled(&y);
            let (loss, grad) = net.loss_value_and_grad(&x, &given, &next);
            opt.step(net, &clip_grad_norm(grad, 1.0).0);
            sum += f64::from(loss.item()) * rows.len() as f64;
        }
        Ok(sum / data.train.len() as f64)
    })?;

    let (x, y) = data.test.all::<_, 64>(Batch)?;
    let names = net.names(&x);
    if let Some(path) = common.file("caption.png") {
        let shown = 30;
        let pixels = x.to_vec();
        pictures::images(&path, &pixels[..shown * 64], 8, 10, &names[..shown])?;
    }
    let right = names.iter().zip(y.to_vec());
    let right = right
        .filter(|(name, digit)| *name == NAMES[*digit as usize])
        .count();
    let share = right as f64 / names.len() as f64;
    common.report("exact names", share, Goal::AtLeast(0.3))
}
