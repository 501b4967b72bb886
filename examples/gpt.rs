//! A small GPT (Radford et al. 2018) that learns to write like the book of this library, character by character.
//!
//! It reads 64 characters at once: each position attends to those before it. To write, it keeps the keys and values of
//! what it has read in a cache, so that a new character costs one position and not all of them.
//!
//! `cargo run --release --example gpt -- --help`

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::{Result, ensure};
use clap::Parser;
use differentiable::data::Categorical;
use differentiable::nn::*;
use differentiable::optim::{AdamW, Optimizer, clip_grad_norm};
use differentiable::prelude::*;
use std::process::ExitCode;
use support::data::{self, Batch, CHARACTERS, Time, decode, encode};
use support::{Common, Goal, Plan, Step};

/// Learns the characters of this repository's book and writes some of its own. Prints the bits per character that it
/// needs for the last tenth of the text, which it does not learn from.
#[derive(Debug, Parser)]
#[command(name = "gpt")]
struct Args {
    /// Training steps of 16 pieces of text, those of a resumed run included [default: 1000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    /// How daring the sample is: below 1, likely characters become likelier
    #[arg(long, default_value_t = 0.7)]
    temperature: f64,
    #[command(flatten)]
    common: Common,
}

/// Characters that the network sees at once.
const CONTEXT: usize = 64;

#[module]
struct Block {
    norm1: LayerNorm<64>,
    attention: MultiHead<64, 4, 16>,
    norm2: LayerNorm<64>,
    mlp: Mlp<64, 256>,
}

#[differentiable]
impl Block {
    fn forward(
        &self,
        x: &Tensor![Batch, Time, 64],
        cache: &mut KvCache<4, 16>,
    ) -> Tensor![Batch, Time, 64] {
        let x = x + self.attention.causal(&self.norm1.forward(x), cache);
        &x + self.mlp.forward(&self.norm2.forward(&x))
    }
}

#[module(depth: usize)]
struct Gpt {
    tokens: Embedding<CHARACTERS, 64>,
    places: Embedding<CONTEXT, 64>,
    #[init(repeat(depth))]
    blocks: Vec<Block>,
    norm: LayerNorm<64>,
    out: Linear<64, CHARACTERS>,
}

#[differentiable]
impl Gpt {
    /// The logits of each next character. With caches that hold what came before, `ids` is what is new.
    fn forward(
        &self,
        ids: &Tensor![i64; Batch, Time],
        caches: &mut Caches<4, 16>,
    ) -> Tensor![Batch, Time, { CHARACTERS }] {
        let mut x = self.tokens.forward(ids) + self.places.forward(&caches.positions(ids));
        for (i, block) in self.blocks.iter().enumerate() {
            x = block.forward(&x, &mut caches[i]);
        }
        self.out.forward(&self.norm.forward(&x))
    }

    /// The mean of `−ln` of the probability of the right next character.
    fn loss(&self, ids: &Tensor![i64; Batch, Time], next: &Tensor![i64; Batch, Time]) -> Tensor![] {
        let mut caches: Caches<4, 16> = no_grad!(Caches::none());
        self.forward(ids, &mut caches).cross_entropy(next)
    }
}

/// Pieces of a text that begin at given places, and the same one character later.
fn pieces(text: &[i64], at: &[usize]) -> (Tensor![i64; Batch, Time], Tensor![i64; Batch, Time]) {
    let cut = |shift: usize| {
        Tensor::from_fn_with((Batch(at.len()), Time(CONTEXT)), |i| {
            text[at[i / CONTEXT] + i % CONTEXT + shift]
        })
    };
    (cut(0), cut(1))
}

impl Gpt {
    /// The bits that each character of a text takes, read in pieces that each begin without a past.
    fn bits(&self, text: &[i64]) -> f64 {
        let starts: Vec<usize> = (0..text.len() - CONTEXT).step_by(CONTEXT).collect();
        let (mut sum, mut rows) = (0.0, 0);
        for at in starts.chunks(32) {
            let (ids, next) = pieces(text, at);
            sum += f64::from(self.loss(&ids, &next).item()) * at.len() as f64;
            rows += at.len();
        }
        sum / rows as f64 / std::f64::consts::LN_2
    }

    /// A prompt and what the network writes after it.
    fn sample(&self, prompt: &str, length: usize, draw: Categorical, ctx: &mut Ctx) -> String {
        let (mut text, mut caches) = (encode(prompt), Caches::empty());
        let mut given = text.clone();
        for _ in 0..length {
            if caches.len() + given.len() > CONTEXT {
                // There is no place for one more: forget the older half, and read the rest again.
                given = text[text.len() - CONTEXT / 2..].to_vec();
                caches = Caches::empty();
            }
            let ids = Tensor::from_fn_with((Batch(1), Time(given.len())), |i| given[i]);
            let logits = self.forward(&ids, &mut caches);
            let last = logits.index::<1>(given.len() - 1).index::<0>(0);
            given = vec![draw.draw(&last, ctx).item()];
            text.push(given[0]);
        }
        decode(&text)
    }
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let common = &args.common;
    ensure!(
        args.temperature.is_finite() && args.temperature > 0.0,
        "--temperature is {}, expected a finite number above 0",
        args.temperature
    );
    let text = data::book()?;
    let mut net = Gpt::new(&mut Seeds::new(common.seed), 3);
    let mut opt = AdamW::new(3e-3).betas(0.9, 0.95).weight_decay(0.1);
    let plan = Plan {
        program: "gpt",
        unit: "step",
        measure: "loss",
        length: common.length(args.steps, 1000, 80),
    };
    common.train(&plan, &mut net, &mut opt, |net, opt, step: &mut Step| {
        let at: Vec<usize> = (0..16)
            .map(|_| step.below(text.train.len() - CONTEXT))
            .collect();
        let (ids, next) = pieces(&text.train, &at);
        // Large steps first, smaller ones later. No matter when a run is to end, so that it can be made longer.
        opt.set_learning_rate(3e-3 / (1.0 + step.index as f64 / 500.0));
        let (loss, grad) = net.loss_value_and_grad(&ids, &next);
        opt.step(net, &clip_grad_norm(grad, 1.0).0);
        Ok(f64::from(loss.item()))
    })?;
    let draw = Categorical::new().temperature(args.temperature);
    let ctx = &mut Ctx::eval_with_seed(common.seed);
    let sample = net.sample("The gradient of ", 600, draw, ctx);
    common.show("gpt.txt", &sample)?;
    common.report(
        "bits per character",
        net.bits(&text.test),
        Goal::AtMost(4.6),
    )
}
