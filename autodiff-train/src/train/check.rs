//! Whether the settings of a run make sense together, and by which value epochs are compared.

use super::builder::{Fit, Resume};
use super::report::{
    DATA_WAIT, EpochReport, Goal, LEARNING_RATE, LOSS, STEP_LOSS, TRAINING, VAL_LOSS,
};
use super::{Objective, TrainError};
use crate::ad::Differentiable;
use crate::data::Source;
use crate::optim::Optimizer;

impl<M, O, S> Fit<'_, M, O, S>
where
    S: Source,
    S::Batch: Differentiable,
    M: Objective<S::Batch>,
    O: Optimizer,
{
    /// Whether the settings make sense together.
    pub(super) fn check(&self) -> Result<(), TrainError> {
        let s = &self.settings;
        if self.source.batches() == 0 {
            return Err(TrainError::Empty { role: TRAINING });
        }
        let at_least_one = |setting: &'static str, value: Option<u64>| match value {
            Some(0) => Err(TrainError::Setting {
                setting,
                found: "0".to_string(),
                expected: "at least 1".to_string(),
            }),
            _ => Ok(()),
        };
        at_least_one("accumulate", Some(s.accumulate as u64))?;
        at_least_one("early_stop", s.patience)?;
        at_least_one("keep_best", s.keep_best.map(|k| k as u64))?;
        at_least_one("log_steps", s.log_steps)?;
        at_least_one("checkpoint", s.files.as_ref().map(|f| f.every.count()))?;
        let missing = |setting, expected: &str| TrainError::Setting {
            setting,
            found: "set alone".to_string(),
            expected: expected.to_string(),
        };
        let file = "a file too, by `checkpoint(path, every(1))`";
        if s.files.is_none() && s.keep_best.is_some() {
            return Err(missing("keep_best", file));
        }
        if s.files.is_none() && s.resume == Resume::Own {
            let file = "a file too, by `checkpoint(path, every(1))` or `resume_from(path)`";
            return Err(missing("resume", file));
        }
        s.entries.check()?;
        if self.validation.is_none() && !self.metrics.is_empty() {
            return Err(missing(
                "metric",
                "a source too, by `validate_loss(&source)`",
            ));
        }
        if let Some(decay) = s.decay.filter(|d| !(0.0..1.0).contains(d)) {
            return Err(TrainError::Setting {
                setting: "ema",
                found: decay.to_string(),
                expected: "a decay of at least 0 and below 1".to_string(),
            });
        }
        let mut names = self.names();
        if !names.iter().any(|n| n == self.criterion().0) {
            return Err(self.unknown(self.criterion().0));
        }
        names.extend([STEP_LOSS, DATA_WAIT].map(str::to_string));
        names.sort();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(TrainError::Setting {
                setting: "metric",
                found: format!("`{}` twice", pair[0]),
                expected: "another name for each value; `measure(name, function)` gives one"
                    .to_string(),
            }),
            None => Ok(()),
        }
    }

    /// The value by which epochs are compared, and which values of it are good.
    pub(super) fn watched(&self, report: &EpochReport) -> Result<(f64, Goal), TrainError> {
        let (name, goal) = self.criterion();
        let value = report.get(name).ok_or_else(|| self.unknown(name))?;
        Ok((value, goal))
    }

    pub(super) fn criterion(&self) -> (&str, Goal) {
        match (&self.settings.watch, &self.validation) {
            (Some((name, goal)), _) => (name, *goal),
            (None, Some(_)) => (VAL_LOSS, Goal::Lowest),
            (None, None) => (LOSS, Goal::Lowest),
        }
    }

    /// The names of the values of an epoch.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = vec![LOSS.to_string()];
        if self.validation.is_some() {
            names.push(VAL_LOSS.to_string());
            names.extend(self.metrics.iter().flat_map(|m| m.names()));
        }
        names.push(LEARNING_RATE.to_string());
        names
    }

    pub(super) fn unknown(&self, name: &str) -> TrainError {
        TrainError::Setting {
            setting: "watch",
            found: format!("`{name}`"),
            expected: format!("one of {}", self.names().join(", ")),
        }
    }
}
