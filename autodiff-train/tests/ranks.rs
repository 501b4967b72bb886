//! `fit` by several ranks is `fit` by one.

#![allow(clippy::type_complexity)] // shapes are types

use differentiable::data::Loader;
use differentiable::dist::{ByShare, Ranks, Sharded, Zero, threads};
use differentiable::nn::*;
use differentiable::optim::{AdamW, Optimizer, Sgd};
use differentiable::prelude::*;
use differentiable::train::metrics::{Averaging, accuracy, f1, perplexity, top_k};
use differentiable::train::{Objective, Predict, Report, TrainError, every, fit};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

dim!(Batch);
type Rows = (Tensor![Batch, 4], Tensor![i64; Batch]);

#[module]
struct Net {
    hidden: Linear<4, 12>,
    out: Linear<12, 3>,
}

#[differentiable]
impl Net {
    fn logits(&self, x: &Tensor![Batch, 4]) -> Tensor![Batch, 3] {
        self.out.forward(&self.hidden.forward(x).tanh())
    }
}

#[differentiable]
impl Objective<Rows> for Net {
    fn loss(&self, batch: &Rows, _ctx: &mut Ctx) -> Tensor![] {
        self.logits(&batch.0).cross_entropy(&batch.1)
    }
}

impl Predict<Rows> for Net {
    type Output = Tensor![Batch, 3];
    type Target = Tensor![i64; Batch];
    fn predict(&self, (x, y): &Rows, _: &mut Ctx) -> (Tensor![Batch, 3], Tensor![i64; Batch]) {
        (self.logits(x), y.clone())
    }
}

fn rows(n: usize) -> Vec<(Tensor![4], i64)> {
    let row = |i: usize| {
        let x = Tensor::randn(i as u64);
        let y = i64::from(x[[0]] > 0.3) + i64::from(x[[1]] > 0.0);
        (x, y)
    };
    (0..n).map(row).collect()
}

struct Run<'a> {
    epochs: u64,
    file: Option<&'a Path>,
    accumulate: usize,
    stop_at: Option<u64>,
}

const PLAIN: Run<'static> = Run {
    epochs: 4,
    file: None,
    accumulate: 1,
    stop_at: None,
};

fn train<O: Optimizer>(
    ranks: &Ranks,
    mut optimizer: O,
    run: &Run<'_>,
) -> Result<(Vec<f32>, Report), TrainError> {
    let mut net = Net::new(&mut Seeds::new(1));
    // The last batch has two rows: some ranks have none of it.
    let (data, other) = (rows(50), rows(31));
    let train = Loader::new(&data, 16).shuffle(5).stack(Batch);
    let valid = Loader::new(&other, 7).stack(Batch);
    let stop = |step: u64| run.stop_at == Some(step);
    let mut all = fit(&mut net, &mut optimizer, &train)
        .ranks(ranks)
        .epochs(run.epochs)
        .accumulate(run.accumulate)
        .validate(&valid, accuracy)
        .metric(top_k(2))
        .metric(perplexity())
        .metric(f1(Averaging::Macro))
        .on_step(|step| match stop(step.step) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
    if let Some(file) = run.file {
        all = all.checkpoint(file, every(1)).resume();
    }
    let report = all.run()?;
    let mut weights = net.hidden.weight.to_vec();
    weights.extend(net.out.weight.to_vec());
    Ok((weights, report))
}

fn close(found: &(Vec<f32>, Report), expected: &(Vec<f32>, Report)) {
    let norm = |x: &[f32]| x.iter().map(|x| x * x).sum::<f32>().sqrt();
    let apart: Vec<f32> = found
        .0
        .iter()
        .zip(&expected.0)
        .map(|(a, b)| a - b)
        .collect();
    let far = norm(&apart) / norm(&expected.0);
    assert!(far < 1e-6, "relative difference {far:e}");
    assert_eq!(found.1.history.len(), expected.1.history.len());
    for (found, expected) in found.1.history.iter().zip(&expected.1.history) {
        for ((name, found), (_, expected)) in found.values.iter().zip(&expected.values) {
            assert!(
                (found - expected).abs() < 1e-5,
                "{name}: {found}, alone {expected}"
            );
        }
    }
}

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("ranks-{name}-{}.safetensors", std::process::id()))
}

#[test]
fn ranks_train_and_measure_as_one() {
    for accumulate in [1, 2] {
        let run = Run {
            accumulate,
            ..PLAIN
        };
        let alone = train(&Ranks::alone(), AdamW::new(1e-2), &run).unwrap();
        for size in [2, 3, 4] {
            for found in threads(size, |ranks| train(&ranks, AdamW::new(1e-2), &run).unwrap()) {
                close(&found, &alone);
            }
            let zero = |ranks: &Ranks| Zero::new(AdamW::new(1e-2), ranks);
            for found in threads(size, |ranks| train(&ranks, zero(&ranks), &run).unwrap()) {
                close(&found, &alone);
            }
        }
    }
}

#[test]
fn a_run_goes_on_with_another_number_of_ranks() {
    let alone = train(&Ranks::alone(), AdamW::new(1e-2).clip_norm(0.5), &PLAIN).unwrap();
    for zero in [false, true] {
        let path = file(&format!("resumed-{zero}"));
        for (size, stop_at) in [(3, Some(5)), (1, Some(9)), (2, None)] {
            let run = Run {
                file: Some(&path),
                stop_at,
                ..PLAIN
            };
            let optimizer = || AdamW::new(1e-2).clip_norm(0.5);
            let found = threads(size, |ranks| match zero {
                true => train(&ranks, Zero::new(optimizer(), &ranks), &run).unwrap(),
                false => train(&ranks, optimizer(), &run).unwrap(),
            });
            if stop_at.is_none() {
                found.iter().for_each(|found| close(found, &alone));
            }
        }
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_rank_that_fails_ends_the_others() {
    // A file that rank 0 alone tries to write.
    let nowhere = Path::new("/nowhere/at/all.safetensors");
    let run = Run {
        file: Some(nowhere),
        ..PLAIN
    };
    let errors = threads(3, |ranks| {
        train(&ranks, Sgd::new(0.1), &run).unwrap_err().to_string()
    });
    assert!(
        errors[0].starts_with("/nowhere/at/all.safetensors"),
        "{}",
        errors[0]
    );
    for error in &errors[1..] {
        let expected = "rank 0 could not go on: /nowhere/at/all.safetensors";
        assert!(error.starts_with(expected), "{error}");
    }
    // A rule that needs whole parameters.
    let errors = threads(2, |ranks| {
        let muon = Zero::new(differentiable::optim::Muon::new(0.1), &ranks);
        train(&ranks, muon, &PLAIN).unwrap_err().to_string()
    });
    assert!(
        errors[0].contains("muon needs whole parameters"),
        "{}",
        errors[0]
    );
}

/// A loss that is NaN on one rank.
#[module]
struct Bad {
    fit: Linear<4, 1>,
    #[config]
    rank: usize,
}

#[differentiable]
impl Objective<Rows> for Bad {
    fn loss(&self, batch: &Rows, _ctx: &mut Ctx) -> Tensor![] {
        let bad = if self.rank == 1 { f32::NAN } else { 1.0 };
        self.fit.forward(&batch.0).square().mean() * bad
    }
}

#[test]
fn a_loss_that_is_nan_on_one_rank_changes_no_module() {
    let results = threads(2, |ranks| {
        let mut net = Bad {
            fit: Linear::new(&mut Seeds::new(2)),
            rank: ranks.rank(),
        };
        let before = net.fit.weight.to_vec();
        let data = rows(8);
        let train = Loader::new(&data, 8).stack(Batch);
        let error = fit(&mut net, &mut Sgd::new(0.1), &train)
            .ranks(&ranks)
            .run()
            .unwrap_err();
        assert_eq!(net.fit.weight.to_vec(), before);
        error.to_string()
    });
    assert!(results[1].contains("the loss is NaN"), "{}", results[1]);
    assert!(
        results[0].starts_with("rank 1 could not go on: step 1"),
        "{}",
        results[0]
    );
}

/// All layers divided: each rank saves its own part.
#[derive(Clone, Differentiable, Module)]
struct Parts {
    body: Sharded<Sequential<(Linear<4, 12>, Tanh, Linear<12, 3>)>>,
}

#[differentiable]
impl Objective<Rows> for Parts {
    fn loss(&self, batch: &Rows, ctx: &mut Ctx) -> Tensor![] {
        let logits: Tensor![Batch, 3] = self.body.forward(&batch.0, ctx);
        logits.cross_entropy(&batch.1)
    }
}

#[test]
fn divided_layers_train_and_go_on() {
    let path = file("parts");
    let run = |ranks: &Ranks, epochs: u64, saved: bool| {
        let seeds = &mut Seeds::new(1);
        let body = Sequential((Linear::new(seeds), Tanh, Linear::new(seeds)));
        let mut net = Parts {
            body: Sharded::new(body, ranks).unwrap(),
        };
        let data = rows(48);
        let train = Loader::new(&data, 16).shuffle(5).stack(Batch);
        let mut adam = ByShare::new(AdamW::new(1e-2).clip_norm(0.3), ranks);
        let mut all = fit(&mut net, &mut adam, &train).ranks(ranks).epochs(epochs);
        if saved {
            all = all.checkpoint(&path, every(1)).resume();
        }
        all.run().unwrap();
        let whole = net.body.whole().unwrap();
        [whole.0.0.weight.to_vec(), whole.0.2.weight.to_vec()].concat()
    };
    let alone = run(&Ranks::alone(), 4, false);
    threads(4, |ranks| run(&ranks, 2, true));
    let again = threads(4, |ranks| run(&ranks, 4, true));
    for found in again {
        let far = found
            .iter()
            .zip(&alone)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f32::max);
        assert!(far < 1e-5, "{far:e}");
    }
    for rank in 0..4 {
        let mut part = path.clone();
        part.set_extension(format!("rank-{rank}-of-4.safetensors"));
        std::fs::remove_file(part).unwrap();
    }
}
