//! Learns to write like the book of this library, character by character, with an LSTM.
//!
//! The text is cut into lanes that are read side by side, a piece of 64 characters at a time. The state goes on from
//! piece to piece, but the gradient stops between them: truncated backpropagation through time (Williams & Peng 1990).
//!
//! `cargo run --release --example char_lm -- --help`

#![allow(clippy::type_complexity)] // shapes are types

use anyhow::Result;
use clap::Parser;
use differentiable::data::Categorical;
use differentiable::nn::*;
use differentiable::optim::{Adam, Optimizer, clip_grad_norm};
use differentiable::prelude::*;
use std::process::ExitCode;
use support::data::{self, Batch, CHARACTERS, Time, decode, encode};
use support::{Common, Goal, Plan};

/// Learns the characters of this repository's book and writes some of its own. Prints the bits per character that it
/// needs for the last tenth of the text, which it does not learn from.
#[derive(Debug, Parser)]
#[command(name = "char_lm")]
struct Args {
    /// How often the text is read, a resumed run included [default: 25]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    epochs: Option<u64>,
    /// How daring the samples are: below 1, likely characters become likelier
    #[arg(long, default_value_t = 0.7)]
    temperature: f64,
    #[command(flatten)]
    common: Common,
}

#[module]
struct CharLm {
    chars: Embedding<CHARACTERS, 32>,
    lstm: Lstm<32, 192>,
    out: Linear<192, CHARACTERS>,
}

#[differentiable]
impl CharLm {
    /// The logits of each next character. The state is where the last piece ended, and then where this one ends.
    fn forward(
        &self,
        ids: &Tensor![i64; Time, Batch],
        state: &mut LstmState<192>,
    ) -> Tensor![Time, Batch, { CHARACTERS }] {
        self.out
            .forward(&self.lstm.forward(&self.chars.forward(ids), state))
    }

    /// The mean of `−ln` of the probability of the right next character.
    fn loss(
        &self,
        ids: &Tensor![i64; Time, Batch],
        next: &Tensor![i64; Time, Batch],
        state: &mut LstmState<192>,
    ) -> Tensor![] {
        self.forward(ids, state).cross_entropy(next)
    }
}

const TIME: usize = 64;

/// Pieces of `lanes` texts that are read side by side: characters, and the ones after them.
fn pieces(
    text: &[i64],
    lanes: usize,
) -> impl Iterator<Item = (Tensor![i64; Time, Batch], Tensor![i64; Time, Batch])> {
    let lane = (text.len() - 1) / lanes;
    (0..lane.saturating_sub(TIME)).step_by(TIME).map(move |t| {
        let cut = |shift: usize| {
            Tensor::from_fn_with((Time(TIME), Batch(lanes)), |i| {
                text[i % lanes * lane + t + i / lanes + shift]
            })
        };
        (cut(0), cut(1))
    })
}

impl CharLm {
    /// The bits that each character of a text takes, if the network guesses and a code tells how it was wrong.
    fn bits(&self, text: &[i64]) -> f64 {
        let mut state = LstmState::zeros();
        let losses: Vec<f32> = pieces(text, 8)
            .map(|(ids, next)| self.loss(&ids, &next, &mut state).item())
            .collect();
        f64::from(losses.iter().sum::<f32>()) / losses.len() as f64 / std::f64::consts::LN_2
    }

    /// A prompt and what the network writes after it.
    fn sample(&self, prompt: &str, length: usize, draw: Categorical, ctx: &mut Ctx) -> String {
        let (mut text, mut state) = (encode(prompt), LstmState::zeros());
        let mut given = text.clone();
        for _ in 0..length {
            let ids = Tensor::from_fn_with((Time(given.len()), Batch(1)), |i| given[i]);
            let logits = self.forward(&ids, &mut state);
            let last = logits.index::<0>(given.len() - 1).index::<0>(0);
            // The state remembers what came before: the network reads its own last character only.
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
    anyhow::ensure!(
        args.temperature.is_finite() && args.temperature > 0.0,
        "--temperature is {}, expected a finite number above 0",
        args.temperature
    );
    let text = data::book()?;
    let mut net = CharLm::new(&mut Seeds::new(common.seed));
    let mut opt = Adam::new(4e-3);
    let plan = Plan {
        program: "char_lm",
        unit: "epoch",
        measure: "loss",
        length: common.length(args.epochs, 25, 1),
    };
    common.train(&plan, &mut net, &mut opt, |net, opt, _| {
        let (mut state, mut sum, mut count) = (LstmState::zeros(), 0.0, 0.0);
        for (ids, next) in pieces(&text.train, 32) {
            state = state.detached();
            let (loss, grad) = net.loss_value_and_grad(&ids, &next, &mut state);
            // A long chain of products may make a gradient that is far too large for a step.
            opt.step(net, &clip_grad_norm(grad, 1.0).0);
            (sum, count) = (sum + f64::from(loss.item()), count + 1.0);
        }
        Ok(sum / count)
    })?;
    let draw = Categorical::new().temperature(args.temperature);
    let ctx = &mut Ctx::eval_with_seed(common.seed);
    let samples: Vec<String> = ["The gradient ", "let x = Tensor::", "## "]
        .iter()
        .map(|prompt| net.sample(prompt, 200, draw, ctx))
        .collect();
    common.show("char_lm.txt", &samples.join("\n----\n"))?;
    common.report(
        "bits per character",
        net.bits(&text.test),
        Goal::AtMost(4.5),
    )
}
