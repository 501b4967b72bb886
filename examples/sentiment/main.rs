//! Tells good reviews from bad ones: an embedding of each word, a linear layer, ReLU, the average over the words of a text,
//! and softmax.
//!
//! An average knows no order, so "not good" would be one word for and one against. As in fastText (Joulin et al. 2017),
//! pairs of neighbours are words of their own. With --single-words they are not.
//!
//! `cargo run --release --example sentiment -- --help`

mod reviews;
mod vocabulary;

use anyhow::Result;
use clap::Parser;
use differentiable::data::Loader;
use differentiable::nn::*;
use differentiable::optim::Adam;
use differentiable::prelude::*;
use differentiable::train::{Objective, Predict, accuracy, fit};
use reviews::Review;
use std::collections::HashSet;
use std::process::ExitCode;
use support::data::{Batch, Time};
use support::{Common, Goal, pictures};
use vocabulary::{PADDING, Vocabulary};

/// Learns whether short reviews are good ones, and draws into the folder of --out which words push to which side. Prints the
/// share of reviews that it judges rightly, of those that it has not seen.
#[derive(Debug, Parser)]
#[command(name = "sentiment")]
struct Args {
    /// How often the reviews are read, a resumed run included [default: 15]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    epochs: Option<u64>,
    /// Read the words one by one, without pairs of neighbours
    #[arg(long)]
    single_words: bool,
    #[command(flatten)]
    common: Common,
}

/// Reviews to learn from, and those that are set aside.
const TRAIN: usize = 2000;
const TEST: usize = 500;
/// Different tokens at most.
const TOKENS: usize = 512;

/// A review, as the row of a data set.
#[batch]
#[derive(Clone)]
struct Row {
    #[pad(Time, PADDING)]
    tokens: Vec<i64>,
    /// 1 if it is a good one, else 0.
    is_good: i64,
}

#[module]
struct Judge {
    #[init(Embedding::with_padding(PADDING as usize, seeds))]
    tokens: Embedding<TOKENS, 16>,
    hidden: Linear<16, 32>,
    out: Linear<32, 2>,
}

/// What each token of a text adds to its average: 1/n for the n tokens of the text, 0 for the padding behind them.
fn shares(
    tokens: &Tensor![i64; Batch, Time],
    lengths: &Tensor![i64; Batch],
) -> Tensor![Batch, Time] {
    let (lengths, longest) = (lengths.to_vec(), tokens.dims()[1]);
    Tensor::from_fn_with(tokens.shape(), |i| {
        let length = lengths[i / longest];
        let is_padding = (i % longest) as i64 >= length;
        if is_padding { 0.0 } else { 1.0 / length as f32 }
    })
}

#[differentiable]
impl Judge {
    /// The logits of bad and good.
    fn forward(
        &self,
        tokens: &Tensor![i64; Batch, Time],
        lengths: &Tensor![i64; Batch],
    ) -> Tensor![Batch, 2] {
        let shares = no_grad!(shares(tokens, lengths));
        let features = self.hidden.forward(&self.tokens.forward(tokens)).relu();
        self.out.forward(&einsum!("bt,bth->bh", &shares, &features))
    }
}

#[differentiable]
impl Objective<RowBatch> for Judge {
    fn loss(&self, batch: &RowBatch, _ctx: &mut Ctx) -> Tensor![] {
        let logits = self.forward(&batch.tokens, &batch.tokens_lengths);
        logits.cross_entropy(&batch.is_good)
    }
}

impl Predict<RowBatch> for Judge {
    type Output = Tensor![Batch, 2];
    type Target = Tensor![i64; Batch];

    fn predict(&self, batch: &RowBatch, _ctx: &mut Ctx) -> (Self::Output, Self::Target) {
        let logits = self.forward(&batch.tokens, &batch.tokens_lengths);
        (logits, batch.is_good.clone())
    }
}

impl Judge {
    /// How far each token by itself pushes towards good, from those that push furthest down to those that push furthest the
    /// other way.
    fn pushes(&self, vocabulary: &Vocabulary) -> Vec<(String, f64)> {
        let (numbers, names): (Vec<i64>, Vec<&str>) = vocabulary.tokens().unzip();
        let texts = Batch(numbers.len());
        let tokens = Tensor::from_fn_with((texts, Time(1)), |i| numbers[i]);
        let logits = self.forward(&tokens, &Tensor::ones_with((texts,)));
        let push = |i: usize| f64::from(logits.at([i, 1]) - logits.at([i, 0]));
        let named = (0..)
            .zip(names)
            .map(|(i, name)| (name.to_string(), push(i)));
        let mut pushes: Vec<(String, f64)> = named.collect();
        pushes.sort_by(|a, b| b.1.total_cmp(&a.1));
        pushes
    }
}

/// Different reviews; the last ones are for the test.
fn reviews(seed: u64) -> Vec<Review> {
    let (mut seeds, mut seen, mut reviews) = (Seeds::new(seed), HashSet::new(), Vec::new());
    while reviews.len() < TRAIN + TEST {
        let review = Review::written(&mut seeds);
        if seen.insert(review.text.clone()) {
            reviews.push(review);
        }
    }
    reviews
}

fn main() -> ExitCode {
    support::start(|args: &Args| &args.common, run)
}

fn run(args: &Args) -> Result<()> {
    let common = &args.common;
    let reviews = reviews(common.seed);
    let (train, test) = reviews.split_at(TRAIN);
    let texts = train.iter().map(|review| review.text.as_str());
    let vocabulary = Vocabulary::of(texts, TOKENS, !args.single_words);
    let row = |review: &Review| Row {
        tokens: vocabulary.encode(&review.text),
        is_good: i64::from(review.is_good),
    };
    let train: Vec<Row> = train.iter().map(row).collect();
    let test: Vec<Row> = test.iter().map(row).collect();
    let device = Device::current();
    let (train, test) = (
        Loader::new(train, 32)
            .shuffle(common.seed)
            .to_device(&device),
        Loader::new(test, TEST).to_device(&device),
    );

    let mut net = Judge::new(&mut Seeds::new(common.seed));
    let mut opt = Adam::new(3e-3);
    let run = fit(&mut net, &mut opt, &train).validate(&test, accuracy);
    common.fit(run, common.length(args.epochs, 15, 5))?;

    if let Some(path) = common.file("sentiment.png") {
        let pushes = net.pushes(&vocabulary);
        let (best, worst) = (&pushes[..12], &pushes[pushes.len() - 12..]);
        pictures::bars(&path, &[best, worst].concat())?;
    }
    for batch in test.epoch(0) {
        let reached = accuracy(&net, &batch);
        common.report("accuracy of new reviews", reached, Goal::AtLeast(0.8))?;
    }
    Ok(())
}
