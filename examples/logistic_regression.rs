//! Which tumours are malignant: logistic regression by L-BFGS of argmin, on data of which some labels are wrong.
//!
//! `cargo run --release -p differentiable --example logistic_regression [-- SEED]`
//!
//! The seed chooses the tumours that are set aside for the test (a quarter of them) and the labels of the others that
//! are turned round. Ends with an error if fewer than 94% of the test are right.

use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{Error, Executor, KV, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use differentiable::data::Labelled;
use differentiable::interop::argmin::Problem;
use differentiable::prelude::*;
use std::path::Path;

const MEASUREMENTS: usize = 30;
/// Of the labels for training.
const WRONG: f64 = 0.05;
/// What a single tumour adds to the loss at most: about the loss of one that is wrong by two units.
const SATURATION: f64 = 2.0;
const RIDGE: f64 = 1e-3;
const REQUIRED_ACCURACY: f64 = 0.94;

/// The mean of `s (1 − exp(−ℓ / s))` with the logistic loss `ℓ = ln(1 + exp(−y (w·x + b)))`: about `ℓ` where it is
/// small, and never more than the saturation `s`, so that a wrong label pulls no further. Then the ridge.
///
/// `w` are the weights and last the offset `b`; `x` has the measurements row after row, `y` is 1 or −1.
#[differentiable]
fn loss(w: &[f64], #[constant] x: &[f64], #[constant] y: &[f64]) -> f64 {
    let n = w.len() - 1;
    let mut total = 0.0;
    for i in 0..y.len() {
        let mut score = w[n];
        for j in 0..n {
            score += w[j] * x[i * n + j];
        }
        let margin = y[i] * score;
        // `exp` of a negative number only, which cannot overflow.
        let logistic = (-margin).max(0.0) + (-margin.abs()).exp().ln_1p();
        total += SATURATION * (1.0 - (-logistic / SATURATION).exp());
    }
    let mut squares = 0.0;
    for j in 0..n {
        squares += w[j] * w[j];
    }
    total / y.len() as f64 + 0.5 * RIDGE * squares
}

/// The tumours; 0 is malignant and 1 benign.
fn read(path: &Path) -> Result<Labelled, Error> {
    let mut data = Labelled::empty(MEASUREMENTS, 2);
    for line in std::fs::read_to_string(path)?.lines().skip(1) {
        let numbers: Vec<f32> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
        let (label, row) = numbers
            .split_last()
            .ok_or_else(|| Error::msg("an empty line"))?;
        data.push(row, *label as usize);
    }
    Ok(data)
}

/// Mean and standard deviation of each measurement.
struct Scale(Vec<(f64, f64)>);

impl Scale {
    fn of(data: &Labelled) -> Scale {
        let n = data.len() as f64;
        let column = |j: usize| (0..data.len()).map(move |i| f64::from(data.row(i)[j]));
        let measure = |j| {
            let mean = column(j).sum::<f64>() / n;
            let variance = column(j).map(|x| (x - mean).powi(2)).sum::<f64>() / n;
            (mean, variance.sqrt().max(f64::MIN_POSITIVE))
        };
        Scale((0..data.width()).map(measure).collect())
    }

    fn applied(&self, data: &Labelled) -> Vec<f64> {
        let scaled = |row: &[f32]| -> Vec<f64> {
            let pairs = row.iter().zip(&self.0);
            pairs
                .map(|(x, (mean, deviation))| (f64::from(*x) - mean) / deviation)
                .collect()
        };
        (0..data.len()).flat_map(|i| scaled(data.row(i))).collect()
    }
}

fn signs(data: &Labelled) -> Vec<f64> {
    data.labels()
        .iter()
        .map(|&label| 2.0 * label as f64 - 1.0)
        .collect()
}

/// Turns some of the labels round.
fn disturb(y: &mut [f64], seed: u64) -> usize {
    let mut state = seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut uniform = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut count = 0;
    for y in y {
        if uniform() < WRONG {
            *y = -*y;
            count += 1;
        }
    }
    count
}

struct Print;

impl<I: State<Float = f64>> Observe<I> for Print {
    fn observe_iter(&mut self, state: &I, _: &KV) -> Result<(), Error> {
        println!(
            "iteration {:3}  loss {:.6}",
            state.get_iter(),
            state.get_cost()
        );
        Ok(())
    }
}

fn main() -> Result<(), Error> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |s| s.parse())?;
    let data = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data/breast_cancer.csv"))?;
    let split = data.stratified_split(0.25, seed);
    let scale = Scale::of(&split.train);
    let (x, mut y) = (scale.applied(&split.train), signs(&split.train));
    let wrong = disturb(&mut y, seed);
    println!("{} tumours, {wrong} of them with a wrong label", y.len());

    let problem = Problem::<loss, _>::new((vec![0.0; MEASUREMENTS + 1], x, y));
    let start = problem.start();
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 10).with_tolerance_grad(1e-5)?;
    let run = Executor::new(problem, solver)
        .configure(|state| state.param(start).max_iters(100))
        .add_observer(Print, ObserverMode::Always)
        .run()?;
    let w = run
        .state
        .get_best_param()
        .ok_or_else(|| Error::msg("no iteration was run"))?;

    let (weights, offset) = w.split_at(MEASUREMENTS);
    let (x, y) = (scale.applied(&split.test), signs(&split.test));
    let right = |(x, y): &(&[f64], &f64)| {
        let score: f64 = x.iter().zip(weights).map(|(x, w)| x * w).sum();
        (score + offset[0]) * **y > 0.0
    };
    let right = x.chunks_exact(MEASUREMENTS).zip(&y).filter(right).count();
    let accuracy = right as f64 / y.len() as f64;
    println!(
        "{right} of {} tumours of the test are right: accuracy {accuracy:.4}",
        y.len()
    );
    if accuracy < REQUIRED_ACCURACY {
        return Err(Error::msg(format!(
            "an accuracy of {REQUIRED_ACCURACY} was expected"
        )));
    }
    Ok(())
}
