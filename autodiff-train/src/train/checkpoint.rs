//! The files of a run: its checkpoint, and the modules of its best epochs.

use super::progress::Progress;
use super::report::Best;
use std::io;
use std::path::{Path, PathBuf};

/// How often a run saves its checkpoint; see [`every`] and [`every_steps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Every {
    /// After so many epochs.
    Epochs(u64),
    /// After so many steps of the optimiser.
    Steps(u64),
}

/// A checkpoint after every `epochs` epochs: `.checkpoint("run.safetensors", every(1))`.
pub fn every(epochs: u64) -> Every {
    Every::Epochs(epochs)
}

/// A checkpoint after every `steps` steps of the optimiser, also in the middle of an epoch.
pub fn every_steps(steps: u64) -> Every {
    Every::Steps(steps)
}

impl Every {
    pub(super) fn count(self) -> u64 {
        match self {
            Every::Epochs(n) | Every::Steps(n) => n,
        }
    }

    pub(super) fn is_due_after_step(self, steps: u64) -> bool {
        matches!(self, Every::Steps(n) if steps.is_multiple_of(n))
    }

    pub(super) fn is_due_after_epoch(self, epochs: u64) -> bool {
        matches!(self, Every::Epochs(n) if epochs.is_multiple_of(n))
    }
}

/// Where the files of a run are.
#[derive(Clone, Debug)]
pub(super) struct Files {
    pub(super) path: PathBuf,
    pub(super) every: Every,
}

impl Files {
    /// The file of an epoch that is kept: `run.epoch-0007.safetensors` beside `run.safetensors`.
    pub(super) fn of_epoch(&self, epoch: u64) -> PathBuf {
        of_epoch(&self.path, epoch)
    }

    /// Removes the files of epochs that are among the best ones no more, now that a checkpoint says so.
    pub(super) fn remove_dropped(
        &self,
        progress: &mut Progress,
    ) -> Result<(), (PathBuf, io::Error)> {
        for epoch in std::mem::take(&mut progress.dropped) {
            let path = self.of_epoch(epoch);
            match std::fs::remove_file(&path) {
                // A run that was killed after the removal does it again.
                Err(e) if e.kind() != io::ErrorKind::NotFound => return Err((path, e)),
                _ => {}
            }
        }
        Ok(())
    }
}

fn of_epoch(path: &Path, epoch: u64) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_os_string();
    name.push(format!(".epoch-{epoch:04}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

impl super::Report {
    /// The file of the best epoch that a run with [`keep_best`](super::Fit::keep_best) keeps beside its checkpoint.
    pub fn best_file(&self, checkpoint: impl AsRef<Path>) -> Option<PathBuf> {
        let Best { epoch, .. } = self.best?;
        Some(of_epoch(checkpoint.as_ref(), epoch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_epochs_stand_beside_the_checkpoint() {
        for (path, expected) in [
            ("runs/a.safetensors", "runs/a.epoch-0007.safetensors"),
            ("a", "a.epoch-0007"),
            ("a.b.c", "a.b.epoch-0007.c"),
        ] {
            assert_eq!(of_epoch(Path::new(path), 7), Path::new(expected));
        }
    }
}
