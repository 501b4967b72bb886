//! Loss and accuracy of every epoch.

use differentiable::train::{EpochReport, Report};

/// What the plot shows. Checkpoints keep it, so that the plot of a resumed run is complete.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    pub epochs: Vec<EpochResult>,
}

/// Both are taken over the training part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpochResult {
    pub loss: f64,
    pub accuracy: f64,
}

impl History {
    /// That of a run.
    pub fn of(run: &Report) -> Self {
        let epochs = run.history.iter().map(EpochResult::of).collect();
        History { epochs }
    }
}

impl EpochResult {
    /// That of an epoch whose run measures the accuracy.
    pub fn of(epoch: &EpochReport) -> Self {
        EpochResult {
            loss: epoch.loss(),
            accuracy: epoch.get("accuracy").unwrap_or(f64::NAN),
        }
    }
}
