//! `fit` with the options that every program has.

use crate::training::{PARTS, report_time};
use crate::{Common, is_first};
use anyhow::Result;
use differentiable::data::Source;
use differentiable::optim::Optimizer;
use differentiable::prelude::Differentiable;
use differentiable::train::{EpochReport, Fit, Objective, Report, every};
use std::cell::Cell;
use std::io::IsTerminal;
use std::rc::Rc;
use std::time::{Duration, Instant};

impl Common {
    /// Runs a training run for this many epochs, those of a resumed run included. The seed, the checkpoint and whether it
    /// is resumed are those of the command line.
    ///
    /// # Errors
    /// If a checkpoint that is to be resumed is not there, and the errors of [`Fit::run`].
    pub fn fit<'a, M, O, S>(&self, run: Fit<'a, M, O, S>, epochs: u64) -> Result<Report>
    where
        S: Source,
        S::Batch: Differentiable,
        M: Objective<S::Batch>,
        O: Optimizer,
    {
        let (part, lines) = (epochs.div_ceil(PARTS), !std::io::stderr().is_terminal());
        let trained = Rc::new(Cell::new(0));
        let count = Rc::clone(&trained);
        let after_epoch = move |epoch: &EpochReport| {
            count.set(count.get() + 1);
            if lines && (epoch.epoch.is_multiple_of(part) || epoch.epoch == epochs) {
                eprintln!("{epoch}");
            }
        };
        let mut run = run.epochs(epochs).seed(self.seed).progress();
        run = run.on_epoch(after_epoch);
        if let Some(path) = &self.checkpoint {
            run = run.checkpoint(path, every(part));
            if self.resume {
                run = run.resume_from(path);
            }
        }
        let start = Instant::now();
        let report = run.run()?;
        if !is_first() {
            return Ok(report);
        }
        let done = report.history.len() as u64;
        match trained.get() {
            0 => {
                eprintln!("nothing is left to train: the checkpoint is at epoch {done} of {epochs}")
            }
            count => {
                report_time(count, "epoch", start);
                let waited: Duration = report.history.iter().map(|epoch| epoch.waited).sum();
                eprintln!("waited {:.3} s for batches", waited.as_secs_f64());
            }
        }
        Ok(report)
    }
}
