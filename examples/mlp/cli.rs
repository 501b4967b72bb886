//! The command line.

use clap::{Parser, ValueEnum};
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

/// Batch sizes that are accepted.
pub const BATCH_SIZES: RangeInclusive<u64> = 1..=1_000_000;
/// Learning rates that are accepted, in words. Weights are in single precision: a smaller rate would
/// be 0 there and train nothing.
pub const RATES: &str = "a number above 0, from 1.2e-38 to 3.4e38";

/// Trains a network with two hidden layers on handwritten digits and prints how many of a fixed 20%
/// test part it recognises.
#[derive(Debug, Parser)]
#[command(name = "mlp")]
pub struct Args {
    /// Epochs in all, those of a resumed run included [default: 30]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub epochs: Option<u64>,
    /// Rows in a mini-batch [default: 32]
    #[arg(long, value_parser = clap::value_parser!(u64).range(BATCH_SIZES))]
    pub batch_size: Option<u64>,
    /// Learning rate [default: 0.001; 0.1 for sgd]
    #[arg(long, value_parser = learning_rate)]
    pub lr: Option<f64>,
    /// Update rule [default: adam]
    #[arg(long)]
    pub optimizer: Option<Algorithm>,
    /// Units in each hidden layer [default: 128]
    #[arg(long)]
    pub hidden: Option<Width>,
    /// Decides the initial weights and the order of the mini-batches [default: 0]
    #[arg(long)]
    pub seed: Option<u64>,
    /// What computes: `cpu`, or `cuda` or `cuda:1` in a build with `--features cuda`
    #[arg(long, default_value = "cpu")]
    pub device: String,
    /// Save here after every epoch
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Go on from this checkpoint, with its settings where none are given
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Draw loss and accuracy of every epoch
    #[arg(long, value_name = "FILE.png")]
    pub plot: Option<PathBuf>,
    /// 64 pixels from 0 to 16 and a label from 0 to 9 in each row; may be gzip-compressed [default:
    /// data/digits.csv.gz of this repository]
    #[arg(long, value_name = "FILE.csv")]
    pub data: Option<PathBuf>,
}

/// The update rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    /// Gradient descent with momentum 0.9
    Sgd,
    /// Adam
    Adam,
    /// Adam with decoupled weight decay
    Adamw,
}

/// The widths that the program is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Width {
    #[value(name = "16")]
    W16,
    #[value(name = "32")]
    W32,
    #[value(name = "64")]
    W64,
    #[value(name = "128")]
    W128,
    #[value(name = "256")]
    W256,
    #[value(name = "512")]
    W512,
}

/// Choices are written in checkpoints as on the command line.
macro_rules! by_name {
    ($($choice:ty),*) => { $(
        impl fmt::Display for $choice {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let value = self.to_possible_value().ok_or(fmt::Error)?;
                f.write_str(value.get_name())
            }
        }

        impl FromStr for $choice {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                <$choice as ValueEnum>::from_str(text, false)
            }
        }
    )* };
}
by_name!(Algorithm, Width);

/// The choices in words.
pub fn choices<T: ValueEnum>() -> String {
    let values = T::value_variants().iter();
    let values = values.filter_map(|v| Some(v.to_possible_value()?.get_name().to_string()));
    format!("one of {}", Vec::from_iter(values).join(", "))
}

/// Whether a learning rate is one of [`RATES`].
pub fn is_rate(rate: &f64) -> bool {
    *rate > 0.0 && (*rate as f32).is_normal()
}

fn learning_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(is_rate);
    rate.ok_or_else(|| format!("expected {RATES}"))
}
