//! Learns handwritten digits: `cargo run --release --example mlp -- --help`.
//!
//! The network and its loss are in `model.rs`, the training run is in `train.rs`. The rest reads
//! the command line, resumes checkpoints and draws the plot.

mod cli;
mod history;
mod model;
mod plot;
#[path = "../support/png.rs"]
mod png_file;
mod settings;
mod train;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use cli::{Args, Width};
use differentiable::data::{Split, read_labelled_csv};
use differentiable::dist;
use differentiable::io::Checkpoint;
use differentiable::prelude::Device;
use model::{CLASSES, PIXELS};
use settings::Settings;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(message) => {
            // If even this cannot be printed, the exit code is all there is to tell.
            let _ = message.print();
            // The text of `--help` comes this way too, for standard output.
            return ExitCode::from(u8::from(message.use_stderr()));
        }
    };
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<()> {
    // What cannot be written later is better known before the training.
    args.plot.as_deref().map(plot::check).transpose()?;
    args.checkpoint
        .as_ref()
        .map(Checkpoint::check_path)
        .transpose()?;
    let data = read_data(args)?;
    let checkpoint = args.resume.as_ref().map(Checkpoint::load).transpose()?;
    let settings = Settings::new(args, checkpoint.as_ref())?;
    let train = match settings.hidden {
        Width::W16 => train::train::<16>,
        Width::W32 => train::train::<32>,
        Width::W64 => train::train::<64>,
        Width::W128 => train::train::<128>,
        Width::W256 => train::train::<256>,
        Width::W512 => train::train::<512>,
    };
    let device: Device = args.device.parse().context("--device")?;
    let outcome = device.scope(|| train(&settings, args, checkpoint.as_ref(), &data))?;
    let drawn = args
        .plot
        .as_ref()
        .map(|path| plot::draw(&outcome.history, path))
        .transpose();
    report(&format!("test accuracy: {:.3}", outcome.test_accuracy))?;
    drawn.map(|_| ())
}

/// Prints a line. `println!` would panic when the reader has gone, as in `mlp | head -n 1`.
fn report(line: &str) -> Result<()> {
    // Of several ranks, the first one prints.
    if !dist::init()?.is_first() {
        return Ok(());
    }
    writeln!(std::io::stdout(), "{line}").context("cannot write to standard output")
}

/// The training part and the 20% that are set aside, the same in every run.
fn read_data(args: &Args) -> Result<Split> {
    const SPLIT_SEED: u64 = 1;
    const DARKEST: f32 = 16.0;
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("data/digits.csv.gz");
    let path = args.data.as_deref().unwrap_or(&built_in);
    let rows = read_labelled_csv(path, PIXELS, CLASSES, 0.0..=DARKEST)?.scaled(1.0 / DARKEST);
    let split = rows.stratified_split(0.2, SPLIT_SEED);
    ensure!(
        !split.test.is_empty() && !split.train.is_empty(),
        "{}: expected enough rows to set 20% of each class aside, found {}",
        path.display(),
        rows.len(),
    );
    Ok(split)
}
