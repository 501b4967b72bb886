//! The training loop.

use crate::cli::Args;
use crate::history::{EpochResult, History};
use crate::model::{Batch, Mlp, PIXELS};
use crate::report;
use crate::settings::Settings;
use anyhow::{Result, ensure};
use differentiable::data::{Batches, Labelled, Split};
use differentiable::io::Checkpoint;
use differentiable::optim::AnyOptimizer;
use differentiable::prelude::*;
use indicatif::{ProgressBar, ProgressStyle};

/// Everything that training changes, which is what a checkpoint holds.
struct Run<const H: usize> {
    model: Mlp<H>,
    optimizer: AnyOptimizer,
    history: History,
}

/// What a finished run reports.
pub struct Outcome {
    pub history: History,
    pub test_accuracy: f64,
}

/// Trains a network with `H` hidden units.
pub fn train<const H: usize>(
    settings: &Settings,
    args: &Args,
    resumed: Option<&Checkpoint>,
    data: &Split,
) -> Result<Outcome> {
    let mut run = Run::<H> {
        model: Mlp::new(settings.seed),
        optimizer: settings.optimizer(),
        history: History::default(),
    };
    if let Some(checkpoint) = resumed {
        checkpoint.restore_model(&mut run.model)?;
        checkpoint.restore_optimizer(&run.model, &mut run.optimizer)?;
        checkpoint.check_finite()?;
        run.history = History::saved(checkpoint)?;
    }

    let batches = Batches::new(data.train.len(), settings.batch_size as usize).seed(settings.seed);
    let bar = progress_bar(&batches, settings);
    let first = run.history.epochs.len() as u64;
    bar.inc(first * batches.len() as u64);
    if first >= settings.epochs {
        let asked = settings.epochs;
        report(&format!(
            "nothing is left to train: the checkpoint is at epoch {first}, and --epochs is {asked}"
        ))?;
    }
    for epoch in first..settings.epochs {
        let result = run.epoch(&batches, epoch, &data.train, &bar)?;
        run.history.epochs.push(result);
        let EpochResult { loss, accuracy } = result;
        let line = format!(
            "epoch {:>3}  loss {loss:.4}  accuracy {accuracy:.3}",
            epoch + 1
        );
        bar.suspend(|| report(&line))?;
        bar.set_message(format!("loss {loss:.4}  accuracy {accuracy:.3}"));
        if let Some(path) = &args.checkpoint {
            run.checkpoint(settings).save(path)?;
        }
    }
    bar.finish_and_clear();

    let (x, labels) = data.test.all(Batch)?;
    Ok(Outcome {
        test_accuracy: run.model.accuracy(&x, &labels),
        history: run.history,
    })
}

impl<const H: usize> Run<H> {
    /// Sees every row of the training part once.
    fn epoch(
        &mut self,
        batches: &Batches,
        epoch: u64,
        data: &Labelled,
        bar: &ProgressBar,
    ) -> Result<EpochResult> {
        let mut loss_sum = 0.0;
        for rows in &batches.epoch(epoch) {
            let (x, labels) = data.batch::<_, PIXELS>(rows, Batch)?;
            let (loss, grad) = self.model.loss_value_and_grad(&x, &labels);
            self.optimizer.step(&mut self.model, &grad);
            loss_sum += f64::from(loss.item()) * rows.len() as f64;
            bar.inc(1);
        }
        let loss = loss_sum / data.len() as f64;
        ensure!(
            loss.is_finite(),
            "epoch {}: the loss is {loss}, expected a finite number: the learning rate {} is too high",
            epoch + 1,
            self.optimizer.learning_rate(),
        );
        let (x, labels) = data.all(Batch)?;
        Ok(EpochResult {
            loss,
            accuracy: self.model.accuracy(&x, &labels),
        })
    }

    fn checkpoint(&self, settings: &Settings) -> Checkpoint {
        let checkpoint = Checkpoint::new()
            .with_model(&self.model)
            .with_optimizer(&self.optimizer)
            .with("epoch", self.history.epochs.len())
            .with("history", &self.history);
        settings.write(checkpoint)
    }
}

/// Drawn on a terminal only.
fn progress_bar(batches: &Batches, settings: &Settings) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {percent:>3}%  {elapsed}  {msg}");
    // A run that is meant to go on until it is stopped may ask for more epochs than can be counted.
    let steps = settings.epochs.saturating_mul(batches.len() as u64);
    let bar = ProgressBar::new(steps);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
