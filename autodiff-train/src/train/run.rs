//! The loop of [`fit`](super::fit).

use super::builder::Fit;
use super::log::{LogError, Logger, Loggers, ProgressLine};
use super::metrics::Metric;
use super::progress::Progress;
use super::report::{
    Best, DATA_WAIT, EpochReport, LEARNING_RATE, LOSS, Report, STEP_LOSS, StepReport, Stopped,
    TRAINING, VAL_LOSS,
};
use super::span::span;
use super::step::{loss_and_grad, step_seed};
use super::team::{Team, of_rank};
use super::{Objective, StepError, TrainError};
use crate::ad::{Differentiable, Tangent};
use crate::data::Source;
use crate::device::{Backend, Float};
use crate::dist::{self, CommError};
use crate::io::Checkpoint;
use crate::nn::{Ctx, Module, Path, Visitor};
use crate::optim::{Accumulate, Optimizer};
use crate::tensor::raw::Raw;
use std::ops::ControlFlow;
use std::time::Instant;

impl<'a, M, O, S> Fit<'a, M, O, S>
where
    S: Source,
    S::Batch: Differentiable,
    M: Objective<S::Batch>,
    O: Optimizer,
{
    /// Trains.
    ///
    /// # Errors
    /// If a setting makes no sense, a source is empty or cannot be read, a loss is not finite or meets a label that is no class,
    /// or a checkpoint or a log
    /// cannot be written or used. Settings, paths and a checkpoint that is resumed are checked before the first step.
    pub fn run(mut self) -> Result<Report, TrainError> {
        span!("fit", epochs = self.settings.epochs);
        self.check()?;
        let ranks = match &self.ranks {
            Some(ranks) => ranks.clone(),
            None => dist::init().map_err(CommError::from)?,
        };
        self.team = Team::new(&ranks);
        if !self.team.is_first() {
            self.loggers.clear();
            self.settings.progress = false;
        }
        if let Some(files) = &mut self.settings.files
            && !self.team.is_alone()
            && !self.optimizer.has_whole_state()
        {
            files.path = of_rank(&files.path, self.team.share());
        }
        let result = self.train();
        self.team.end(result.as_ref().err())?;
        result
    }

    fn train(&mut self) -> Result<Report, TrainError> {
        let mut progress = self.start()?;
        let mut log = Loggers(std::mem::take(&mut self.loggers));
        let mut line = ProgressLine::new(self.settings.progress);
        let stopped = loop {
            if let Some(stopped) = self.end(&progress) {
                break stopped;
            }
            let step = self.epoch(&mut progress, &mut log, &mut line)?;
            if step.is_break()
                || self
                    .end_epoch(&mut progress, &mut log, &mut line)?
                    .is_break()
            {
                break Stopped::ByCallback;
            }
        };
        line.clear();
        if self.saved != Some((progress.epoch, progress.batch)) {
            self.save(&mut progress, &mut log)?;
        }
        if let Some(average) = &mut self.average {
            average.swap(self.net);
        }
        Ok(Report {
            history: progress.history,
            best: progress.best,
            steps: progress.steps,
            stopped,
        })
    }

    /// Whether the run is over before another epoch.
    fn end(&self, progress: &Progress) -> Option<Stopped> {
        let patience = self.settings.patience;
        if progress.epoch >= self.settings.epochs {
            Some(Stopped::Finished)
        } else if patience.is_some_and(|p| progress.waited >= p) {
            Some(Stopped::Early)
        } else {
            None
        }
    }

    /// The rest of an epoch, up to its last step. `Break` if a callback ended the run.
    fn epoch(
        &mut self,
        progress: &mut Progress,
        log: &mut Loggers<'a>,
        line: &mut ProgressLine,
    ) -> Result<ControlFlow<()>, TrainError> {
        let epoch = progress.epoch + 1;
        span!("epoch", epoch = epoch);
        let source = self.source;
        let batches = source.batches();
        let share = self.team.share();
        let seed = self.team.seed(self.settings.seed);
        // A gradient of several batches is sent once, when it is complete.
        let overlaps =
            !self.team.is_alone() && self.settings.accumulate == 1 && !self.optimizer.takes_mean();
        let mut gradients = Accumulate::new(self.settings.accumulate);
        let (mut loss_sum, mut row_sum) = (0.0, 0_u64);
        let mut items = source.epoch_share(progress.epoch, progress.batch, share);
        line.start(self.settings.epochs, progress.batch, progress.rows);
        let start = Instant::now();
        let took = progress.took;
        for at in progress.batch..batches {
            let asked = Instant::now();
            let item = items.next();
            progress.waiting += asked.elapsed();
            let item = item.ok_or(TrainError::Ended {
                role: TRAINING,
                epoch,
                expected: batches,
                found: at,
            })?;
            let batch = item.map_err(|error| TrainError::Data {
                role: TRAINING,
                epoch,
                batch: at + 1,
                error,
            })?;
            let rows = source.rows_of_share(at, share);
            span!("batch", batch = at + 1, rows = rows);
            let place = progress.epoch * batches as u64 + at as u64;
            let mut ctx = Ctx::train(&*self.net, step_seed(seed, place));
            let failed = |error: StepError| TrainError::Step {
                step: progress.steps + 1,
                epoch,
                batch: at + 1,
                row: error.row(source.row_numbers(epoch - 1, at)),
                error,
            };
            let net = &*self.net;
            let mut compute = || match &batch {
                None => (Ok(0.0), net.zero_tangent()),
                Some(batch) => match loss_and_grad(net, batch, &mut ctx) {
                    Ok((loss, grad)) => (Ok(loss), grad),
                    Err(error) => (Err(error), net.zero_tangent()),
                },
            };
            let (loss, grad) = match overlaps {
                true => self.team.overlapped(rows, compute)?,
                false => compute(),
            };
            let loss = loss.map_err(failed)?;
            ctx.commit(self.net);
            loss_sum += loss * rows as f64;
            row_sum += rows as u64;
            let mean = match at + 1 == batches {
                false => gradients.add_rows(grad, rows),
                true => gradients
                    .add_rows(grad, rows)
                    .or_else(|| gradients.finish()),
            };
            let Some(mean) = mean else { continue };
            // No rank takes a step before all know that they can.
            let (all_loss, all_rows) = self.team.sums(loss_sum, row_sum)?;
            let mean = match () {
                () if self.team.is_alone() || overlaps => mean,
                () if self.optimizer.takes_mean() => {
                    let even = all_rows as f64 / share.size as f64;
                    mean.scale(row_sum as f64 / even.max(f64::MIN_POSITIVE))
                }
                () => self.team.mean(mean, row_sum)?,
            };
            let stepped = self.optimizer.try_step(self.net, &mean);
            stepped.map_err(|e| failed(e.into()))?;
            if let Some(average) = &mut self.average {
                average.update(self.net);
            }
            progress.took = took + start.elapsed();
            progress.steps += 1;
            progress.batch = at + 1;
            progress.loss_sum += all_loss;
            progress.rows += all_rows;
            let report = StepReport {
                epoch,
                step: progress.steps,
                batch: at + 1,
                batches,
                loss: all_loss / all_rows.max(1) as f64,
            };
            (loss_sum, row_sum) = (0.0, 0);
            if self
                .settings
                .log_steps
                .is_some_and(|n| progress.steps.is_multiple_of(n))
            {
                log.scalar(STEP_LOSS, progress.steps, report.loss)?;
            }
            line.step(&report, progress.rows);
            let every = self.settings.files.as_ref().map(|f| f.every);
            // After the last step of an epoch the checkpoint waits for what the epoch ends with.
            if at + 1 < batches && every.is_some_and(|e| e.is_due_after_step(progress.steps)) {
                self.save(progress, log)?;
            }
            let flow = calls(&self.team, &mut self.on_step, |call| call(&report))?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What follows the last step of an epoch. `Break` if a callback ended the run.
    fn end_epoch(
        &mut self,
        progress: &mut Progress,
        log: &mut Loggers<'a>,
        line: &mut ProgressLine,
    ) -> Result<ControlFlow<()>, TrainError> {
        self.team.mean_buffers(self.net)?;
        let report = self.report(progress)?;
        let (watched, goal) = self.watched(&report)?;
        // What a plateau of the optimiser decides by.
        self.optimizer
            .observe(report.get(VAL_LOSS).unwrap_or_else(|| report.loss()));
        line.epoch(&report);
        for (name, value) in &report.values {
            log.scalar(name, report.steps, *value)?;
        }
        if self.settings.log_waiting {
            log.scalar(DATA_WAIT, report.steps, report.waited.as_secs_f64())?;
        }
        let measured = match &self.average {
            Some(average) => average.model(),
            None => &*self.net,
        };
        if self.settings.histograms {
            log_histograms(measured, report.steps, log)?;
        }
        if self.team.is_first() {
            for observe in &mut self.observers {
                observe(measured, &report, log)?;
            }
        }
        progress.end_epoch(report.clone(), watched, goal);
        let epoch = Best {
            epoch: report.epoch,
            value: watched,
        };
        if let (Some(count), Some(files)) = (self.settings.keep_best, &self.settings.files)
            && progress.keep(epoch, count, goal)
            && self.team.is_first()
        {
            Checkpoint::new()
                .with_model(measured)
                .with("epoch", epoch.epoch)
                .with("value", epoch.value)
                .save(files.of_epoch(epoch.epoch))?;
        }
        let every = self.settings.files.as_ref().map(|f| f.every);
        let is_due = every.is_some_and(|e| {
            e.is_due_after_epoch(progress.epoch) || e.is_due_after_step(progress.steps)
        });
        match is_due {
            true => self.save(progress, log)?,
            false => log.flush()?,
        }
        calls(&self.team, &mut self.on_epoch, |call| call(&report))
    }

    /// The values of the epoch that ends.
    fn report(&self, progress: &Progress) -> Result<EpochReport, TrainError> {
        let epoch = progress.epoch + 1;
        let mean = progress.loss_sum / progress.rows.max(1) as f64;
        let mut values = vec![(LOSS.to_string(), mean)];
        if let Some(validate) = &self.validation {
            span!("validate", epoch = epoch);
            let metrics: Vec<&dyn Metric<M, S::Batch>> =
                self.metrics.iter().map(|m| &**m).collect();
            let measured = match &self.average {
                Some(average) => average.model(),
                None => &*self.net,
            };
            values.extend(validate(measured, &metrics, epoch, self.team.ranks())?);
        }
        values.push((LEARNING_RATE.to_string(), self.optimizer.rate()));
        Ok(EpochReport {
            epoch,
            steps: progress.steps,
            values,
            waited: progress.waiting,
            took: progress.took,
        })
    }
}

/// Rank 0 calls the callbacks, and all do what they answer.
fn calls<C>(
    team: &Team,
    all: &mut [C],
    mut call: impl FnMut(&mut C) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, TrainError> {
    let mut flow = ControlFlow::Continue(());
    if all.is_empty() {
        return Ok(flow);
    }
    if team.is_first() {
        for one in all {
            if call(one).is_break() {
                flow = ControlFlow::Break(());
            }
        }
    }
    Ok(team.decide(flow)?)
}

/// A histogram of each parameter, as `weights/NAME`.
fn log_histograms<M: Module>(net: &M, step: u64, log: &mut Loggers<'_>) -> Result<(), TrainError> {
    struct Draw<'l, 'a> {
        log: &'l mut Loggers<'a>,
        step: u64,
        drawn: Result<(), LogError>,
    }
    impl Visitor for Draw<'_, '_> {
        fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>) {
            if self.drawn.is_ok() {
                let values: Vec<f64> = value.to_vec().into_iter().map(T::to_f64).collect();
                let name = format!("weights/{name}");
                self.drawn = self.log.histogram(&name, self.step, &values);
            }
        }
    }
    let mut draw = Draw {
        log,
        step,
        drawn: Ok(()),
    };
    net.visit(&mut Path::default(), &mut draw);
    Ok(draw.drawn?)
}
