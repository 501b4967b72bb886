//! Translates dates: `7 march 1989` becomes `1989-03-07`, character by character.
//!
//! An encoder reads the date as it is written, a decoder writes it anew and attends to what the encoder read (Vaswani et
//! al., *Attention is all you need*, 2017). The picture shows where it looks for each character that it writes.
//!
//! `cargo run --release --example translate -- --help`

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::Result;
use clap::Parser;
use differentiable::data::{DataError, pad};
use differentiable::nn::*;
use differentiable::optim::{Adam, Optimizer, clip_grad_norm};
use differentiable::prelude::*;
use std::process::ExitCode;
use support::data::{Batch, Time, below};
use support::{Common, Goal, Plan, Step, pictures};

/// Learns to write dates from 1950 to 2049 in one form, and draws into the folder of --out where it looks while it
/// writes. Prints the share of 200 new dates that it writes without an error.
#[derive(Debug, Parser)]
#[command(name = "translate")]
struct Args {
    /// Training steps of 64 dates, those of a resumed run included [default: 600]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    #[command(flatten)]
    common: Common,
}

dim!(
    /// Characters that are read.
    Source
);

const LETTERS: usize = 40;
/// Fills sequences up.
const PADDING: i64 = 0;
/// Where the decoder begins.
const BEGIN: i64 = 1;
/// Where it stops; also a space.
const END: i64 = 2;
/// No date is longer.
const LONGEST: usize = 32;

#[module]
struct Translator {
    source: Embedding<LETTERS, 64>,
    target: Embedding<LETTERS, 64>,
    places: Embedding<LONGEST, 64>,
    #[init(Transformer::new(seeds, 2, 0.0))]
    body: Transformer<64, 4, 16, 128>,
    head: Linear<64, LETTERS>,
}

#[differentiable]
impl Translator {
    fn read(
        &self,
        s: &Tensor![i64; Batch, Source],
        keys: &Keys,
        ctx: &mut Ctx,
    ) -> Tensor![Batch, Source, 64] {
        let places = self.places.forward(&no_grad!(positions(s.shape().1)));
        let x = self.source.forward(s) + places;
        self.body.encoder.forward(&x, keys, ctx)
    }

    fn enter(&self, t: &Tensor![i64; Batch, Time]) -> Tensor![Batch, Time, 64] {
        self.target.forward(t) + self.places.forward(&no_grad!(positions(t.shape().1)))
    }

    /// The logits of what follows each character of the target.
    fn forward(
        &self,
        s: &Tensor![i64; Batch, Source],
        keys: &Keys,
        t: &Tensor![i64; Batch, Time],
        ctx: &mut Ctx,
    ) -> Tensor![Batch, Time, { LETTERS }] {
        let memory = self.read(s, keys, ctx);
        let y = self
            .body
            .decoder
            .forward(&self.enter(t), &memory, keys, ctx);
        self.head.forward(&y)
    }

    fn loss(&self, dates: &Dates, ctx: &mut Ctx) -> Tensor![] {
        self.forward(&dates.source, &dates.keys, &dates.given, ctx)
            .cross_entropy_with(&dates.next, no_grad!(Loss::ignore(PADDING)))
    }
}

/// A batch: dates as they are written, which characters are no padding, what the decoder is given, and what it should
/// write then: the same one character later.
#[derive(Clone, Differentiable)]
struct Dates {
    source: Tensor![i64; Batch, Source],
    keys: Keys,
    given: Tensor![i64; Batch, Time],
    next: Tensor![i64; Batch, Time],
}

impl Dates {
    fn draw(count: usize, seeds: &mut Seeds) -> Result<Self, DataError> {
        let (sources, targets): (Vec<_>, Vec<_>) = (0..count)
            .map(|_| example(seeds))
            .map(|(written, date)| (numbers(&written), numbers(&date)))
            .unzip();
        let begun: Vec<_> = targets
            .iter()
            .map(|t| [&[BEGIN], &t[..]].concat())
            .collect();
        let ended: Vec<_> = targets.iter().map(|t| [&t[..], &[END]].concat()).collect();
        let (source, lengths) = pad(&sources, Source, PADDING)?;
        Ok(Dates {
            source,
            keys: Keys::first(lengths),
            given: pad(&begun, Time, PADDING)?.0,
            next: pad(&ended, Time, PADDING)?.0,
        })
    }
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A date in one of three forms, and as it should be written.
fn example(seeds: &mut Seeds) -> (String, String) {
    let (year, month, day) = (
        1950 + below(seeds, 100),
        below(seeds, 12),
        1 + below(seeds, 28),
    );
    let name = MONTHS[month];
    let written = match below(seeds, 3) {
        0 => format!("{day} {name} {year}"),
        1 => format!("{name} {day} {year}"),
        _ => format!("{day} {} {year}", &name[..3]),
    };
    (written, format!("{year}-{:02}-{day:02}", month + 1))
}

fn numbers(text: &str) -> Vec<i64> {
    let number = |c: u8| match c {
        b'a'..=b'z' => c - b'a' + 3,
        b'0'..=b'9' => c - b'0' + 29,
        b'-' => 39,
        _ => END as u8,
    };
    text.bytes().map(|c| i64::from(number(c))).collect()
}

fn letters(numbers: &[i64]) -> String {
    let letter = |n: &i64| match *n as u8 {
        n @ 3..29 => char::from(b'a' + n - 3),
        n @ 29..39 => char::from(b'0' + n - 29),
        39 => '-',
        _ => '?',
    };
    numbers.iter().map(letter).collect()
}

impl Translator {
    /// Writes the likeliest character again and again, until the end.
    fn translate(&self, written: &str) -> Result<String> {
        let (source, _) = pad(&[numbers(written)], Source, PADDING)?;
        let (mut out, keys, ctx) = (vec![BEGIN], Keys::All, &mut Ctx::eval());
        let memory = self.read(&source, &keys, ctx);
        while out.len() < 13 {
            let (given, _) = pad(&[&out], Time, PADDING)?;
            let y = self
                .body
                .decoder
                .forward(&self.enter(&given), &memory, &keys, ctx);
            let last = self.head.forward(&y.index::<1>(out.len() - 1));
            match last.argmax::<1>().index::<0>(0).item() {
                END => break,
                next => out.push(next),
            }
        }
        Ok(letters(&out[1..]))
    }

    /// How much the last block looks at each character that was read, `[written, read]`, the mean over its heads.
    fn attention(&self, written: &str, date: &str) -> Result<Vec<f32>> {
        let (source, _) = pad(&[numbers(written)], Source, PADDING)?;
        let (given, _) = pad(&[[&[BEGIN], &numbers(date)[..]].concat()], Time, PADDING)?;
        let (keys, ctx) = (Keys::All, &mut Ctx::eval());
        let memory = self.read(&source, &keys, ctx);
        let blocks = &self.body.decoder.layers;
        let (last, before) = blocks.split_last().expect("two blocks");
        let mut x = self.enter(&given);
        for block in before {
            x = block.forward(&x, &memory, &keys, ctx);
        }
        let h = last.norm1.forward(&x);
        let x = x + last.attention.forward(&h, &h, &Keys::Causal);
        let h = last.norm2.forward(&x);
        let (_, weights) = last.cross.forward_with_weights(&h, &memory, &keys);
        Ok(weights.mean_axis::<1>().to_vec())
    }
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let common = &args.common;
    let mut net = Translator::new(&mut Seeds::new(common.seed));
    let mut opt = Adam::new(1e-3);
    let plan = Plan {
        program: "translate",
        unit: "step",
        measure: "loss",
        length: common.length(args.steps, 600, 30),
    };
    common.train(&plan, &mut net, &mut opt, |net, opt, step: &mut Step| {
        let mut ctx = Ctx::train(net, step.seeds.next_seed());
        let dates = Dates::draw(64, &mut step.seeds)?;
        let (loss, grad) = net.loss_value_and_grad(&dates, &mut ctx);
        opt.step(net, &clip_grad_norm(grad, 1.0).0);
        Ok(f64::from(loss.item()))
    })?;

    if let Some(path) = common.file("translate.png") {
        let (written, date) = ("19 november 2031", "2031-11-19");
        let names = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
        let rows = names(&format!("{date}.")); // at the end it writes that it is done
        pictures::heat_map(
            &path,
            &net.attention(written, date)?,
            &rows,
            &names(written),
        )?;
    }
    if common.smoke {
        // No date is right yet: what a short run can learn is told by the loss of new dates.
        let dates = Dates::draw(200, &mut Seeds::new(!common.seed))?;
        let loss = net.loss(&dates, &mut Ctx::eval()).item();
        return common.report("loss of new dates", f64::from(loss), Goal::AtMost(1.9));
    }
    let seeds = &mut Seeds::new(!common.seed);
    let mut right = 0;
    for _ in 0..200 {
        let (written, date) = example(seeds);
        right += usize::from(net.translate(&written)? == date);
    }
    let share = right as f64 / 200.0;
    common.report("exact dates", share, Goal::AtLeast(0.9))
}
