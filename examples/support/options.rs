//! The options that every program has, and how a program starts and ends.

use crate::is_first;
use anyhow::{Context, Result, ensure};
use clap::{Args, Parser};
use differentiable::io::Checkpoint;
use differentiable::prelude::Device;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// The options that every program has.
#[derive(Debug, Args)]
pub struct Common {
    /// Decides the initial weights, the data that is drawn, and its order
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// What computes: `cpu`, or `cuda` or `cuda:1` in a build with `--features cuda`
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Save here, several times while training and at the end
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Go on from the file of --checkpoint
    #[arg(long, requires = "checkpoint")]
    pub(crate) resume: bool,
    /// Write the pictures and texts of the program into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Train for some seconds only, and fail if the result is worse than it should be by then
    #[arg(long)]
    pub smoke: bool,
}

/// What a short run must reach.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// The metric is this or more.
    AtLeast(f64),
    /// The metric is this or less.
    AtMost(f64),
}

/// Reads the command line and runs the program on the device that it names. An error is one line, and exit code 1.
pub fn start<A: Parser>(
    common: impl FnOnce(&A) -> &Common,
    run: impl FnOnce(&A) -> Result<()>,
) -> ExitCode {
    let args = match A::try_parse() {
        Ok(args) => args,
        Err(message) if message.use_stderr() => {
            // The first paragraph says what is wrong; advice and usage follow it.
            let text = message.to_string();
            let first = text.split("\n\n").next().unwrap_or_default();
            let words: Vec<&str> = first.split_whitespace().collect();
            eprintln!("{}", words.join(" "));
            return ExitCode::FAILURE;
        }
        Err(help) => {
            // If even this cannot be printed, the exit code is all there is to tell.
            return ExitCode::from(u8::from(help.print().is_err()));
        }
    };
    match on_device(common(&args), || run(&args)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn on_device(common: &Common, run: impl FnOnce() -> Result<()>) -> Result<()> {
    let device = crate::ranks::device_of_rank(&common.device)?;
    let device: Device = device.parse().context("--device")?;
    let first = crate::ranks::of_launcher()?.is_first();
    // What cannot be written later is better known before the training.
    if let Some(path) = common.checkpoint.as_ref().filter(|_| first) {
        Checkpoint::check_path(path)?;
    }
    if let Some(folder) = common.out.as_ref().filter(|_| first) {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
    }
    device.scope(run)?;
    let via_host = device.via_host();
    if !via_host.is_empty() {
        eprintln!("through the host: {via_host:?}");
    }
    Ok(())
}

impl Common {
    /// How long to train: what the command line says, or else what is usual for a whole or a short run.
    pub fn length(&self, asked: Option<u64>, usual: u64, smoke: u64) -> u64 {
        asked.unwrap_or(if self.smoke { smoke } else { usual })
    }

    /// Where a picture or a text goes, if a folder for them was given. Of several ranks, the first one writes.
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        let folder = self.out.as_ref().filter(|_| is_first());
        folder.map(|folder| folder.join(name))
    }

    /// Prints a text that the program made, and writes it into the folder of `--out`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn show(&self, name: &str, text: &str) -> Result<()> {
        print(text)?;
        if let Some(path) = self.file(name) {
            std::fs::write(&path, format!("{text}\n"))
                .with_context(|| format!("{}: cannot write the text", path.display()))?;
        }
        Ok(())
    }

    /// Prints the metric, the last line of the program.
    ///
    /// # Errors
    /// If this is a short run and the metric misses its goal.
    pub fn report(&self, name: &str, value: f64, goal: Goal) -> Result<()> {
        print(&format!("{name}: {value:.3}"))?;
        let (met, words) = match goal {
            Goal::AtLeast(least) => (value >= least, format!("at least {least}")),
            Goal::AtMost(most) => (value <= most, format!("at most {most}")),
        };
        ensure!(
            met || !self.smoke,
            "{name}: found {value:.3}, expected {words}"
        );
        Ok(())
    }
}

/// `println!` would panic when the reader has gone, as in `char_lm | head -n 1`. Of several ranks, the first one prints.
fn print(text: &str) -> Result<()> {
    if !is_first() {
        return Ok(());
    }
    writeln!(std::io::stdout(), "{text}").context("cannot write to standard output")
}
