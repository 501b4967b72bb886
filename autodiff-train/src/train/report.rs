use std::fmt;
use std::time::Duration;

/// What [`fit`](super::fit) reports of an epoch. Two reports are equal if all but their times are.
#[derive(Clone, Debug)]
pub struct EpochReport {
    /// The number of the epoch, from 1.
    pub epoch: u64,
    /// The steps of the optimiser since the run began.
    pub steps: u64,
    /// Names and values: `loss`, the mean over the rows of the epoch; then `val_loss` and the metrics, if the run
    /// validates; then `learning_rate`.
    pub values: Vec<(String, f64)>,
    /// How long the steps of the epoch waited for their batches. Where it is a good part of [`took`](EpochReport::took), more
    /// [workers](crate::data::Loader::workers) help. Times are those of this program: checkpoints do not hold them.
    pub waited: Duration,
    /// How long the steps of the epoch took, waiting included and validation not.
    pub took: Duration,
}

impl PartialEq for EpochReport {
    fn eq(&self, other: &Self) -> bool {
        let same_place = self.epoch == other.epoch && self.steps == other.steps;
        same_place && self.values == other.values
    }
}

impl EpochReport {
    /// A value by its name.
    pub fn get(&self, name: &str) -> Option<f64> {
        let found = self.values.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| *value)
    }

    /// The training loss, averaged over the rows of the epoch while the parameters changed.
    pub fn loss(&self) -> f64 {
        self.get(LOSS).unwrap_or(f64::NAN)
    }
}

/// The role of a source in messages.
pub(super) const TRAINING: &str = "training";
pub(super) const VALIDATION: &str = "validation";

pub(super) const LOSS: &str = "loss";
pub(super) const VAL_LOSS: &str = "val_loss";
pub(super) const LEARNING_RATE: &str = "learning_rate";
pub(super) const STEP_LOSS: &str = "step_loss";
pub(super) const DATA_WAIT: &str = "data_wait";

/// On one line: `epoch 3  loss 0.1234  val_loss 0.2000`. A wait for data of a second or more is shown too:
/// `waited 12.3 s of 45.6 s`.
impl fmt::Display for EpochReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "epoch {}", self.epoch)?;
        for (name, value) in &self.values {
            match *value != 0.0 && value.abs() < 1e-3 {
                true => write!(f, "  {name} {value:.3e}")?,
                false => write!(f, "  {name} {value:.4}")?,
            }
        }
        if self.waited >= Duration::from_secs(1) {
            let (waited, took) = (self.waited.as_secs_f64(), self.took.as_secs_f64());
            write!(f, "  waited {waited:.1} s of {took:.1} s")?;
        }
        Ok(())
    }
}

/// What [`fit`](super::fit) reports of a step of the optimiser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepReport {
    /// The number of the epoch, from 1.
    pub epoch: u64,
    /// The number of the step since the run began, from 1.
    pub step: u64,
    /// The batches of the epoch that were seen.
    pub batch: usize,
    /// The batches of an epoch.
    pub batches: usize,
    /// The loss before the step, averaged over the rows of the batches that it took.
    pub loss: f64,
}

/// Which values of a metric are good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Low ones, as of a loss.
    Lowest,
    /// High ones, as of an accuracy.
    Highest,
}

impl Goal {
    /// Whether a value is better than another one. NaN is worse than every number.
    pub fn is_better(self, value: f64, than: f64) -> bool {
        match (value.is_nan(), than.is_nan()) {
            (true, _) => false,
            (false, true) => true,
            _ => match self {
                Goal::Lowest => value < than,
                Goal::Highest => value > than,
            },
        }
    }
}

/// An epoch, and the value that it was judged by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// The number of the epoch, from 1.
    pub epoch: u64,
    /// The value of what the run [watches](super::Fit::watch).
    pub value: f64,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// All epochs are done.
    Finished,
    /// What the run watches has not become better for as many epochs as [`early_stop`](super::Fit::early_stop) allows.
    Early,
    /// A callback said so.
    ByCallback,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// All epochs since the run began, those before it was resumed included.
    pub history: Vec<EpochReport>,
    /// The best epoch; `None` before the first has ended.
    pub best: Option<Best>,
    /// The steps of the optimiser.
    pub steps: u64,
    /// Why it ended.
    pub stopped: Stopped,
}

impl Report {
    /// The last epoch.
    pub fn last(&self) -> Option<&EpochReport> {
        self.history.last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_is_never_better() {
        for goal in [Goal::Lowest, Goal::Highest] {
            assert!(!goal.is_better(f64::NAN, 1.0));
            assert!(!goal.is_better(f64::NAN, f64::NAN));
            assert!(goal.is_better(1.0, f64::NAN));
            assert!(!goal.is_better(1.0, 1.0));
        }
        assert!(Goal::Lowest.is_better(1.0, 2.0) && Goal::Highest.is_better(2.0, 1.0));
    }

    #[test]
    fn a_report_is_one_line() {
        let values = vec![
            ("loss".to_string(), 0.25),
            ("learning_rate".to_string(), 2e-4),
        ];
        let report = EpochReport {
            epoch: 3,
            steps: 9,
            values,
            waited: Duration::from_millis(999),
            took: Duration::from_secs(4),
        };
        assert_eq!(
            report.to_string(),
            "epoch 3  loss 0.2500  learning_rate 2.000e-4"
        );
        assert_eq!((report.loss(), report.get("accuracy")), (0.25, None));
        let slow = EpochReport {
            waited: Duration::from_millis(2340),
            ..report.clone()
        };
        assert!(
            slow.to_string()
                .ends_with("2.000e-4  waited 2.3 s of 4.0 s")
        );
        assert_eq!(slow, report);
    }
}
