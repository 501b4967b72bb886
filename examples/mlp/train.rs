//! The training run.

use crate::cli::Args;
use crate::history::{EpochResult, History};
use crate::model::{Batch, Mlp};
use crate::report;
use crate::settings::Settings;
use anyhow::{Error, Result, anyhow};
use differentiable::data::{InMemory, Loader, Split};
use differentiable::io::Checkpoint;
use differentiable::optim::Optimizer;
use differentiable::train::{StepError, TrainError, accuracy, every, fit};
use indicatif::{ProgressBar, ProgressStyle};
use std::ops::ControlFlow;

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
    let mut model = Mlp::<H>::new(settings.seed);
    let mut optimizer = settings.optimizer();
    if let Some(checkpoint) = resumed {
        // `fit` restores them too. A file that was edited by hand is better told by what does not fit than by its checksum.
        checkpoint.restore_model(&mut model)?;
        checkpoint.restore_optimizer(&model, &mut optimizer)?;
        checkpoint.check_finite()?;
    }
    let rows = InMemory::new(data.train.all(Batch)?)?;
    let size = settings.batch_size as usize;
    let all = Loader::try_new(&rows, data.train.len())?.stack(Batch);
    let batches = Loader::try_new(&rows, size)?
        .shuffle(settings.seed)
        .stack(Batch);

    let rate = optimizer.learning_rate();
    let bar = progress_bar(batches.len(), settings);
    let mut unprinted = None;
    let mut trained = 0;
    let mut run = fit(&mut model, &mut optimizer, &batches)
        .epochs(settings.epochs)
        .seed(settings.seed)
        .validate(&all, accuracy)
        .on_step(|step| {
            bar.set_position((step.epoch - 1) * step.batches as u64 + step.batch as u64);
        })
        .on_epoch(|epoch| {
            trained += 1;
            let EpochResult { loss, accuracy } = EpochResult::of(epoch);
            let values = format!("loss {loss:.4}  accuracy {accuracy:.3}");
            let line = format!("epoch {:>3}  {values}", epoch.epoch);
            bar.set_message(values);
            match bar.suspend(|| report(&line)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    unprinted = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
    run = settings.keep(run);
    if let Some(path) = &args.checkpoint {
        run = run.checkpoint(path, every(1));
    }
    if let Some(path) = &args.resume {
        run = run.resume_from(path);
    }
    let ran = run.run().map_err(|error| explained(error, rate))?;
    bar.finish_and_clear();
    unprinted.map_or(Ok(()), Err)?;
    if trained == 0 {
        let (done, asked) = (ran.history.len(), settings.epochs);
        report(&format!(
            "nothing is left to train: the checkpoint is at epoch {done}, and --epochs is {asked}"
        ))?;
    }
    Ok(Outcome {
        test_accuracy: accuracy(&model, &data.test.all(Batch)?),
        history: History::of(&ran),
    })
}

/// Numbers that are not finite come from steps that are too long.
fn explained(error: TrainError, rate: f64) -> Error {
    match error {
        TrainError::NotFinite { .. }
        | TrainError::Step {
            error: StepError::NotFinite(_),
            ..
        } => anyhow!("{error}: the learning rate {rate} is too high"),
        error => error.into(),
    }
}

/// Drawn on a terminal only.
fn progress_bar(batches: usize, settings: &Settings) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {percent:>3}%  {elapsed}  {msg}");
    // A run that is meant to go on until it is stopped may ask for more epochs than can be counted.
    let steps = settings.epochs.saturating_mul(batches as u64);
    let bar = ProgressBar::new(steps);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
