//! How a run begins, or goes on from its checkpoint, and how it saves one.

use super::builder::{Fit, Resume};
use super::log::{Logger, Loggers, Resumed};
use super::progress::{Identity, Progress};
use super::span::span;
use super::{Objective, TrainError, checksum};
use crate::ad::Differentiable;
use crate::data::Source;
use crate::io::{Checkpoint, CheckpointError};
use crate::optim::Optimizer;
use std::path::Path;

const MODEL: &str = "model.";
const AVERAGE: &str = "ema";

impl<M, O, S> Fit<'_, M, O, S>
where
    S: Source,
    S::Batch: Differentiable,
    M: Objective<S::Batch>,
    O: Optimizer,
{
    fn identity(&self) -> Identity {
        Identity {
            seed: self.settings.seed,
            accumulate: self.settings.accumulate,
            batches: self.source.batches(),
            decay: self.settings.decay,
            data: self.fingerprint.clone(),
        }
    }

    /// The beginning of the run, or where the checkpoint left it.
    pub(super) fn start(&mut self) -> Result<Progress, TrainError> {
        let own = self.settings.files.as_ref().map(|files| &*files.path);
        if let Some(path) = own.filter(|_| self.saves()) {
            Checkpoint::check_path(path)?;
        }
        let from = match &self.settings.resume {
            Resume::No => None,
            Resume::Own => match own {
                Some(path) if self.exists(path)? => Some(path),
                _ => None,
            },
            Resume::From(path) => Some(&**path),
        };
        let from = from.map(Path::to_path_buf);
        if own.is_some() || from.is_some() {
            self.fingerprint = self.source.fingerprint();
        }
        let mut progress = Progress::default();
        if let Some(path) = &from {
            let checkpoint = &self.load(path)?;
            let identity = self.identity();
            progress = Progress::read(&identity, checkpoint)?;
            checksum::check(checkpoint)?;
            checkpoint.check_finite()?;
            self.settings.entries.check_same(checkpoint, path)?;
            if let Some(difference) = identity.other_data(checkpoint)? {
                return Err(TrainError::OtherData {
                    path: path.clone(),
                    what: difference.name,
                    expected: difference.here,
                    found: difference.there,
                });
            }
            checkpoint.restore_model(self.net)?;
            checkpoint.restore_optimizer(&*self.net, self.optimizer)?;
            if let Some(average) = &mut self.average {
                checkpoint.restore_module(AVERAGE, average.model_mut())?;
            }
            if own == Some(path) {
                self.remove_dropped(&mut progress)?;
                self.saved = Some((progress.epoch, progress.batch));
            } else {
                // Their files belong to the other checkpoint.
                progress.forget_files();
            }
        }
        self.team
            .begin(self.net, !self.optimizer.has_whole_state())?;
        let past = from.is_some().then_some(Resumed {
            steps: progress.steps,
            epochs: &progress.history,
        });
        for logger in &mut self.loggers {
            logger.begin(past.as_ref())?;
        }
        Ok(progress)
    }

    /// Saves the checkpoint, if the run has one, after what the logs hold back.
    pub(super) fn save(
        &mut self,
        progress: &mut Progress,
        log: &mut Loggers<'_>,
    ) -> Result<(), TrainError> {
        log.flush()?;
        let Some(files) = &self.settings.files else {
            return Ok(());
        };
        span!("checkpoint", steps = progress.steps);
        self.team.mean_buffers(self.net)?;
        // A state that is divided is collected by all ranks.
        let state = (self.saves() || self.optimizer.takes_mean()).then(|| self.optimizer.state());
        let state = match state {
            Some(state) if self.saves() => state,
            _ => {
                self.saved = Some((progress.epoch, progress.batch));
                progress.dropped.clear();
                return Ok(());
            }
        };
        let mut checkpoint = Checkpoint::new()
            .with_model(&*self.net)
            .with_optimizer_state(state);
        let mut tensors = checkpoint.tensors().iter();
        let damaged = tensors.find_map(|(name, tensor)| {
            let name = name.strip_prefix(MODEL)?;
            let (index, found) = tensor.data().first_not_finite()?;
            Some((name.to_string(), index, found))
        });
        if let Some((name, index, found)) = damaged {
            return Err(TrainError::NotFinite {
                step: progress.steps,
                epoch: progress.epoch + u64::from(progress.batch > 0),
                name,
                index,
                found,
            });
        }
        if let Some(average) = &self.average {
            checkpoint = checkpoint.with_module(AVERAGE, average.model());
        }
        let checkpoint = progress.write(&self.identity(), self.settings.entries.write(checkpoint));
        checksum::seal(checkpoint).save(&files.path)?;
        self.saved = Some((progress.epoch, progress.batch));
        self.remove_dropped(progress)
    }

    /// Whether this rank writes files: the first one does, and all where each has a state of its own.
    fn saves(&self) -> bool {
        self.team.is_first() || !self.optimizer.has_whole_state()
    }

    fn exists(&self, path: &Path) -> Result<bool, TrainError> {
        match self.optimizer.has_whole_state() {
            true => Ok(self.team.exists(path)?),
            false => Ok(path.exists()),
        }
    }

    fn load(&self, path: &Path) -> Result<Checkpoint, TrainError> {
        match self.optimizer.has_whole_state() && !self.team.is_alone() {
            true => {
                let read = |path: &Path| self.team.ranks().read_file(path);
                Ok(Checkpoint::load_by(path, read)?)
            }
            false => Ok(Checkpoint::load(path)?),
        }
    }

    pub(super) fn remove_dropped(&self, progress: &mut Progress) -> Result<(), TrainError> {
        let Some(files) = self
            .settings
            .files
            .as_ref()
            .filter(|_| self.team.is_first())
        else {
            return Ok(());
        };
        let removed = files.remove_dropped(progress);
        removed.map_err(|(path, error)| CheckpointError::Write { path, error }.into())
    }
}
